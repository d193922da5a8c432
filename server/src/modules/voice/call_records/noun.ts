// What the records of calls add to the vocabulary of the product: what can go wrong. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const callRecord = declareNoun({
  problems: {
    callee_busy: problem(0, 'Busy', 'The callee is on another call.', 'Call again later.', true),
    callee_no_answer: problem(0, 'No answer', 'Nobody answered before the timeout.', 'Call again later.', true),
    callee_not_registered: problem(
      0,
      'Phone not connected',
      'No browser is connected as this phone.',
      'Have the user turn their phone on, or ring a number beside it.',
      true,
    ),
    callee_declined: problem(0, 'Declined', 'The callee declined the call.', 'Do not call again at once.'),
    number_unallocated: problem(0, 'Number not in service', 'The called number does not exist.', 'Check the number.'),
    no_circuit: problem(0, 'No circuit', 'The carrier had no free circuit.', 'Call again later.', true),
    trunk_rejected: problem(
      0,
      'Refused by the carrier',
      'The carrier refuses the call.',
      'Check account and credentials of the trunk.',
    ),
    address_of_trunk: problem(
      0,
      'Address of a trunk',
      'The SIP address leads to where a trunk on this server leads: anyone who answers there may take the call for one by that trunk, at the cost of its organization.',
      'Call the telephone number by a trunk of your own: give the number instead of the SIP address.',
    ),
    codec_mismatch: problem(
      0,
      'No common codec',
      'The remote party takes none of the audio codecs offered.',
      'Allow another codec on the trunk.',
    ),
    network_failure: problem(
      0,
      'Network failure',
      'The carrier could not be reached, or lost the call.',
      'Call again later.',
      true,
    ),
    dial_expired: problem(
      0,
      'Not dialled in time',
      'The call waited more than 5 minutes to be dialled.',
      'Call again.',
      true,
    ),
    media_timeout: problem(
      0,
      'Media stopped',
      'No audio arrived for 30 seconds.',
      'Check the network of the callee.',
      true,
    ),
    node_lost: problem(0, 'Node lost', 'The process that owned the call died.', 'Call again.', true),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    callRecord: typeof callRecord
  }
}
