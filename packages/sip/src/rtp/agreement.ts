// From what offer and answer have agreed to what an RTP session does.
import type { AudioStream } from '../offer_answer.ts'
import { receivesIn, type SdpCrypto, sendsIn } from '../sdp_audio.ts'
import type { RtpAgreement } from './session_api.ts'
import type { SrtpContext } from './srtp.ts'
import { createSrtpContext, masterKeyLength } from './srtp.ts'

export type SrtpContexts = NonNullable<RtpAgreement['srtp']>

const contextOf = ({ suite, key }: SdpCrypto) =>
  createSrtpContext({ suite, masterKey: key.subarray(0, masterKeyLength), masterSalt: key.subarray(masterKeyLength) })

/** Null without keys. Contexts count packets: what may be agreed once more, after a hold say, wants `createSrtpKeeper`. */
export function srtpContextsOf({ crypto }: AudioStream): SrtpContexts | null {
  return crypto === undefined ? null : { send: contextOf(crypto.local), receive: contextOf(crypto.remote) }
}

/**
 * The contexts of one session, as often as it is agreed. Each direction keeps its own while its key is the same, whatever
 * becomes of the other: ours begun once more would use its key stream twice, and count otherwise than the peer (RFC 3711 §9.1).
 */
export function createSrtpKeeper(): (stream: AudioStream) => SrtpContexts | null {
  const keepDirection = () => {
    let kept: { text: string; context: SrtpContext } | undefined
    return (crypto: SdpCrypto) => {
      const text = `${crypto.suite} ${crypto.key.toString('base64')}`
      if (kept?.text !== text) kept = { text, context: contextOf(crypto) }
      return kept.context
    }
  }
  const [send, receive] = [keepDirection(), keepDirection()]
  return ({ crypto }) => (crypto === undefined ? null : { send: send(crypto.local), receive: receive(crypto.remote) })
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
