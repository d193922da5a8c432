// What an INVITE says otherwise after a refusal that names what it minds: a longer session timer, the other kind of sound, no
// extensions. The credentials of 401 and 407 are another matter (digest_client.ts).
import type { Negotiation } from '../dialog/negotiation.ts'
import { createNegotiation, otherOffer } from '../dialog/negotiation.ts'
import type { TimerWish } from '../dialog/session_timer.ts'
import { defaultTimerWish, raisedWish, timerHeaders } from '../dialog/session_timer.ts'
import type { SipHeader, SipResponse } from '../message.ts'
import type { LocalAudio } from '../offer_answer.ts'
import { supported } from './core.ts'
import type { CallOptions } from './types.ts'

/** `hasOtherOffer`: the other kind of sound was asked for. `isPlainest`: nothing is said to be supported. */
export type InviteWords = {
  wish: TimerWish
  negotiation: Negotiation
  local: LocalAudio
  hasOtherOffer: boolean
  isPlainest: boolean
}

export function firstWords({ timer, local }: CallOptions): InviteWords {
  const rest = { hasOtherOffer: false, isPlainest: false }
  return { wish: timer ?? defaultTimerWish, negotiation: createNegotiation(), local, ...rest }
}

/** What an INVITE says to support. */
export function extensions({ isPlainest, wish }: InviteWords): SipHeader[] {
  return isPlainest ? [] : [supported, ...timerHeaders(wish)]
}

/** Those who refuse one kind of sound do so by any of these. */
const minds = { sound: [415, 488, 606], extension: 420, interval: 422 }

/** The words of the next INVITE (RFC 3261 §8.1.3.5, RFC 4028 §7.3); undefined where the refusal is final. */
export function afterRefusal(words: InviteWords, response: SipResponse): InviteWords | undefined {
  const { status } = response
  if (status === minds.interval) {
    const wish = raisedWish(words.wish, response)
    return wish && { ...words, wish }
  }
  if (minds.sound.includes(status) && !words.hasOtherOffer) {
    const other = otherOffer(words.negotiation, words.local)
    return other && { ...words, ...other, hasOtherOffer: true }
  }
  // We require nothing: this one minds what is only supported.
  return status === minds.extension && !words.isPlainest ? { ...words, isPlainest: true } : undefined
}
