// What phones in the browser add to the vocabulary of the product: who may do what, what can go wrong. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const phone = declareNoun({
  permissions: {
    'phone:use': {
      allows: 'Make and take calls with a phone in the browser.',
      roles: ['Sales Manager', 'Sales Executive'],
    },
  },
  problems: {
    invalid_offer: problem(
      400,
      'Invalid offer',
      'The session description is not the offer of a browser that sends and takes audio.',
      'Send localDescription.sdp of an RTCPeerConnection with one audio track, once its iceGatheringState is complete.',
    ),
    call_taken: problem(
      409,
      'Call taken',
      'Another browser has answered the call.',
      'Stop ringing; the stream has reported it, or will in a moment.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    phone: typeof phone
  }
}
