// From what offer and answer have agreed to what an RTP session does.
import type { AudioStream } from '../offer_answer.ts'
import { receivesIn, type SdpCrypto, sendsIn } from '../sdp_audio.ts'
import type { RtpAgreement } from './session_api.ts'
import { createSrtpContext, masterKeyLength } from './srtp.ts'

export type SrtpContexts = NonNullable<RtpAgreement['srtp']>

/** Null without keys. Contexts count packets: make them once for a pair of keys, and hand the same in after a hold. */
export function srtpContextsOf({ crypto }: AudioStream): SrtpContexts | null {
  if (crypto === undefined) return null
  const contextOf = ({ suite, key }: SdpCrypto) =>
    createSrtpContext({ suite, masterKey: key.subarray(0, masterKeyLength), masterSalt: key.subarray(masterKeyLength) })
  return { send: contextOf(crypto.local), receive: contextOf(crypto.remote) }
}

export function agreementOf(stream: AudioStream, srtp: SrtpContexts | null = srtpContextsOf(stream)): RtpAgreement {
  const { remote, codec, payloadTypes, direction, telephoneEvent, rtcpMux } = stream
  return {
    remote: remote === undefined ? null : { address: remote.address, port: remote.port },
    remoteRtcp: remote === undefined ? null : { address: remote.rtcpAddress, port: remote.rtcpPort },
    rtcpMux,
    law: codec,
    payloadType: payloadTypes.send,
    receives: { 0: 'PCMU', 8: 'PCMA', [payloadTypes.receive]: codec },
    eventType: telephoneEvent === undefined ? null : { send: telephoneEvent.send, receive: telephoneEvent.receive },
    isSending: sendsIn(direction),
    isReceiving: receivesIn(direction),
    srtp,
  }
}
