// What calls add to the vocabulary of the product: who may do what, what happens, what can go wrong. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'
import { everyone } from '../../../kernel/values/role.ts'

export const call = declareNoun({
  permissions: {
    'calls:create': { allows: 'Start calls.', roles: ['Sales Manager', 'Sales Executive'] },
    'calls:read': { allows: 'List and read calls.', roles: everyone },
    'calls:control': {
      allows: 'Steer and end calls that are under way, and say what came of them.',
      roles: ['Sales Manager', 'Sales Executive'],
    },
  },
  events: {
    readWith: 'calls:read',
    types: {
      'call.initiated': 'A call was asked for.',
      'call.ringing': 'The called phone rings.',
      'call.early_media': 'Sound arrives before a call is answered.',
      'call.answered': 'A call was answered.',
      'call.machine_detected': 'It is known, or given up, whether a human or a machine answered a call.',
      'call.dtmf': 'A key was pressed during a call.',
      'call.rerouted': 'A call goes on by another trunk.',
      'call.bridged': 'Two legs were connected.',
      'call.unbridged': 'Two legs were parted.',
      'call.held': 'A call was put on hold.',
      'call.resumed': 'A call was taken off hold.',
      'call.muted': 'A leg of a call was muted.',
      'call.unmuted': 'A leg of a call was unmuted.',
      'call.transferred': 'A call was handed on to somebody else.',
      'call.transfer_failed': 'A call could not be handed on; it goes on as it was.',
      'call.tagged': 'Instructions added tags to a call.',
      'call.notified': 'Instructions sent an event of their own.',
      'call.instructions_failed': 'No instructions could be had for a call, or they were wrong.',
      'call.caller_id_refused': 'A leg shows another number than its instruction names: that may not be shown.',
      'call.destination_refused': 'A call may not go where it was to be connected: a destination policy is against it.',
      'call.recording_unchanged': 'Nothing was recorded that a call could pause, resume or stop.',
      'call.sound_failed': 'Something could not be said or played in a call.',
      'call.message_failed': 'Instructions of a call could not send a message.',
      'gather.completed': 'A caller typed what was asked for, or did not.',
      'queue.entered': 'A call waits in a queue.',
      'queue.left': 'A call waits in a queue no more.',
      'call.outcome_set': 'Somebody said what came of a call, or took that back.',
      'call.completed': 'A call that was answered has ended.',
      'call.busy': 'The called phone was busy.',
      'call.no_answer': 'Nobody answered a call in time.',
      'call.rejected': 'The callee declined a call.',
      'call.failed': 'A call could not be carried.',
      'call.canceled': 'A call was ended before it was answered.',
    },
  },
  problems: {
    call_not_active: problem(409, 'Call not active', 'The call has ended.', 'Start a new call.'),
    command_not_allowed: problem(
      409,
      'Command not possible now',
      'The call is in a state, or came from a side, in which this verb cannot be carried out.',
      'Read `details`; wait until the call is answered, or send a list of instructions.',
    ),
    cps_queue_full: problem(
      429,
      'Too many calls waiting',
      'More calls wait to be dialled than the trunks begin in five minutes; this one would expire before its turn.',
      'Wait as long as Retry-After says, or raise callsPerSecond of a trunk.',
      true,
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    call: typeof call
  }
}
