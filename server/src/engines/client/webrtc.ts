// A connection with one browser: ICE, DTLS and SRTP by werift, which is told as little as possible. RTP goes past its senders and
// receivers, as packets; which codecs there are is decided here, and candidates of the browser are never called by us.
import type { G711Law } from '@tandem/sip'
import type { RTCPeerConnection } from 'werift'
import type { WebrtcSettings } from '../../kernel/endpoint.ts'

export type Peer = {
  /** What the browser is to be answered. */
  readonly answer: string
  readonly law: G711Law
  /** The payload type of telephone events, both ways; null where the browser offers none. */
  readonly eventType: number | null
  /** Puts an RTP packet on its way; before the connection stands it goes nowhere. */
  send(rtp: Buffer): void
  close(): Promise<void>
}

export type PeerEvents = {
  onRtp(packet: Buffer): void
  onConnected(): void
  /** The browser has closed the connection, or it could not be made. */
  onGone(): void
}

const payloadTypes: Record<G711Law, number> = { PCMU: 0, PCMA: 8 }

let loading: Promise<typeof import('werift')> | undefined
/** Reading it takes long enough to be heard in a call: to be done before there are any. */
export function loadWebrtc(): Promise<typeof import('werift')> {
  loading ??= import('werift')
  return loading
}

/**
 * Answers the offer of a browser. We are an ICE lite agent (RFC 8445 §2.5): the browser finds its way to us, and nobody can have us
 * send packets to addresses of their choice.
 */
export async function openPeer(offer: string, settings: WebrtcSettings, events: PeerEvents): Promise<Peer> {
  const werift = await loadWebrtc()
  const { law, eventType } = codecsIn(offer)
  const audio = [
    new werift.RTCRtpCodecParameters({
      mimeType: `audio/${law}`,
      clockRate: 8_000,
      channels: 1,
      payloadType: payloadTypes[law],
    }),
  ]
  if (eventType !== null)
    audio.push(
      new werift.RTCRtpCodecParameters({
        mimeType: 'audio/telephone-event',
        clockRate: 8_000,
        channels: 1,
        payloadType: eventType,
        parameters: '0-15',
      }),
    )
  const { address, advertise, ports } = settings
  const isEvery = address === '0.0.0.0' || address === '::'
  const isV6 = address.includes(':')
  const connection = new werift.RTCPeerConnection({
    iceLite: true,
    iceServers: [],
    codecs: { audio, video: [] },
    headerExtensions: { audio: [], video: [] },
    icePortRange: [ports.minPort, ports.maxPort],
    iceUseTcp: false,
    iceUseIpv4: !isV6 || address === '::',
    iceUseIpv6: isV6,
    ...(isEvery
      ? {}
      : { iceInterfaceAddresses: { [isV6 ? 'udp6' : 'udp4']: address }, iceAdditionalHostAddresses: [address] }),
  })
  try {
    await connection.setRemoteDescription({ type: 'offer', sdp: offer })
    const transceiver = connection.getTransceivers()[0]
    if (transceiver === undefined) throw new Error('the offer has no audio')
    transceiver.setDirection('sendrecv')
    await connection.setLocalDescription(await connection.createAnswer())
    await gathered(connection)
    const { dtlsTransport, sender } = transceiver
    dtlsTransport.onRtp.subscribe(packet => events.onRtp(packet.serialize()))
    connection.connectionStateChange.subscribe(state => {
      if (state === 'connected') events.onConnected()
      if (state === 'failed' || state === 'closed') events.onGone()
    })
    dtlsTransport.onStateChange.subscribe(state => {
      if (state === 'closed' || state === 'failed') events.onGone()
    })
    const sdp = connection.localDescription?.sdp ?? ''
    return {
      answer: withAddresses(sdp, isEvery ? null : address, advertise),
      law,
      eventType,
      send(rtp) {
        if (dtlsTransport.state !== 'connected') return
        const { header, payload } = werift.RtpPacket.deSerialize(rtp)
        header.ssrc = sender.ssrc
        void dtlsTransport.sendRtp(payload, header)
      },
      close: () => connection.close(),
    }
  } catch (error) {
    await connection.close().catch(() => {})
    throw error
  }
}

async function gathered(connection: RTCPeerConnection): Promise<void> {
  if (connection.iceGatheringState === 'complete') return
  await new Promise<void>(resolve => {
    connection.iceGatheringStateChange.subscribe(state => state === 'complete' && resolve())
  })
}

function codecsIn(offer: string): { law: G711Law; eventType: number | null } {
  const formats = /^m=audio \S+ \S+ (.*)$/m.exec(offer)?.[1]?.trim().split(' ') ?? []
  const events = [...offer.matchAll(/^a=rtpmap:(\d+) telephone-event\/8000/gim)].map(([, type]) => Number(type))
  const eventType = events.find(type => formats.includes(String(type)))
  return { law: formats.includes('0') ? 'PCMU' : 'PCMA', eventType: eventType ?? null }
}

const candidateLine = /^a=candidate:(\S+) (\d+) (\S+) (\d+) (\S+) (\d+) (.*)$/

/** Leaves out candidates that are not bound to, and adds the address we are known by elsewhere. */
function withAddresses(sdp: string, bound: string | null, advertise: string | null): string {
  const lines = sdp.split('\r\n').flatMap(line => {
    const match = candidateLine.exec(line)
    if (match === null) return [line]
    const [, foundation, component, transport, priority, address, port, rest] = match
    if (bound !== null && address !== bound) return []
    if (advertise === null || advertise === address) return [line]
    return [line, `a=candidate:${foundation}p ${component} ${transport} ${priority} ${advertise} ${port} ${rest}`]
  })
  return lines.join('\r\n')
}
