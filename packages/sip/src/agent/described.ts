// What a response to our INVITE says of media (RFC 3261 §13.2.1, RFC 6337 §2.1): the answer to our offer, or only a preview of
// it, in which early media are heard.
import { makeAnswer, receiveAnswer, receiveOffer, receivePreview, roleOfSdp } from '../dialog/negotiation.ts'
import type { SipResponse } from '../message.ts'
import { isFault } from '../message.ts'
import type { AudioStream, LocalAudio } from '../offer_answer.ts'
import { bodyOf } from './body.ts'
import type { Session } from './session_api.ts'

/** `answer`: ours to an offer in the response, for the PRACK. Undefined when nothing of use is said. */
export function describedIn(
  session: Session,
  response: SipResponse,
  isReliable: boolean,
  local: LocalAudio,
): { stream: AudioStream; answer: string | undefined } | undefined {
  const sdp = bodyOf(response)
  if (sdp === undefined) return undefined
  const { status } = response
  const role = roleOfSdp(session.negotiation, { kind: 'response', method: 'INVITE', status, isReliable })
  if (role === 'none') return undefined
  if (role === 'offer') {
    const offered = receiveOffer(session.negotiation, sdp, 'response')
    const made = isFault(offered) ? offered : makeAnswer(offered, local)
    if (isFault(made)) return undefined
    session.negotiation = made.negotiation
    return { stream: made.stream, answer: made.sdp }
  }
  const agreed = (role === 'preview' ? receivePreview : receiveAnswer)(session.negotiation, sdp, local)
  if (isFault(agreed)) return undefined
  session.negotiation = agreed.negotiation
  return { stream: agreed.stream, answer: undefined }
}

/** Whether it is agreed what is heard: in the 2xx, or before it in a reliable response, or as some do it only in an unreliable one. */
export function settleMedia(
  session: Session,
  response: SipResponse,
  local: LocalAudio,
  onMedia: (stream: AudioStream) => void,
): boolean {
  const described = describedIn(session, response, true, local)
  if (described !== undefined) {
    onMedia(described.stream)
    return true
  }
  if (session.negotiation.phase === 'stable') return session.negotiation.remote !== null
  const { preview } = session.negotiation
  if (session.negotiation.phase !== 'offered' || preview === null) return false
  const agreed = receiveAnswer(session.negotiation, preview, local)
  if (isFault(agreed)) return false
  session.negotiation = agreed.negotiation
  onMedia(agreed.stream)
  return true
}
