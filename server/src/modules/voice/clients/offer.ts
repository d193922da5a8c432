// What a browser must send so that sound can flow: an offer of audio alone, with all of its candidates.
import { isFault, parseSdp } from '@tandem/sip'

/** Why an offer cannot be answered; undefined where it can. */
export function offerFault(sdp: string): string | undefined {
  const parsed = parseSdp(sdp)
  if (isFault(parsed)) return `is no session description: ${parsed.detail}`
  const [audio, ...others] = parsed.media
  if (audio?.kind !== 'audio' || others.length > 0) return 'must offer audio and nothing else: one m=audio section'
  if (!audio.formats.some(format => format === '0' || format === '8')) return 'offers neither PCMU nor PCMA'
  for (const needed of ['ice-ufrag', 'ice-pwd', 'fingerprint']) {
    if (![...parsed.attributes, ...audio.attributes].some(({ name }) => name === needed))
      return `has no a=${needed}: it must be the offer of an RTCPeerConnection`
  }
  if (!audio.attributes.some(({ name }) => name === 'candidate'))
    return 'has no candidates: wait for iceGatheringState complete, then send localDescription.sdp'
  return undefined
}
