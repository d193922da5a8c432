// An INVITE of ours as it is written (RFC 3261 §13.2.1): the dialog it would make, its offer, and how long it gets.
import { makeOffer } from '../dialog/negotiation.ts'
import type { RequestParts } from '../dialog/requests.ts'
import { nextRequest } from '../dialog/requests.ts'
import type { DialogState } from '../dialog/state.ts'
import { planCall } from '../dialog/state.ts'
import type { SipHeader } from '../message.ts'
import { serializeMessage } from '../serialize.ts'
import { sdpType } from './body.ts'
import type { InviteWords } from './second_try.ts'
import type { CallOptions, PlannedCall } from './types.ts'

export const placeholderVia = 'SIP/2.0/UDP 192.0.2.1'

/** `words` have their offer. */
export type InviteParts = { dialog: DialogState; headers: readonly SipHeader[]; words: InviteWords }

/** The dialog of a call of which nothing was sent yet. */
export function plannedDialog(options: CallOptions, { callId, localTag }: PlannedCall): DialogState {
  const { from, to, target, routes = [], hop } = options
  const way = hop === undefined ? {} : { hop }
  return planCall({ callId, localTag, from, to, target, contact: '<sip:invalid>', routes, ...way })
}

/** The same description again after a challenge; another one would be another session. */
export function withOffer(words: InviteWords): InviteWords {
  if (words.negotiation.offer !== null) return words
  return { ...words, negotiation: makeOffer(words.negotiation, words.local, 'INVITE').negotiation }
}

export function writeInvite(
  { dialog, headers, words }: InviteParts,
  way: Pick<RequestParts, 'via' | 'contact' | 'credentials'>,
) {
  const body = Buffer.from(words.negotiation.offer?.sdp ?? '')
  return nextRequest(dialog, 'INVITE', { ...way, headers, body, contentType: sdpType })
}

/** About as many as the INVITE will have: Via and Contact depend on the way, which depends on the size. */
export function octetsOfInvite(parts: InviteParts): number {
  const names = ' '.repeat(200)
  return serializeMessage(writeInvite(parts, { via: `${placeholderVia}${names}` }).request).length
}
