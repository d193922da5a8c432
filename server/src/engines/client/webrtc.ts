// A connection with one browser: ICE, DTLS and SRTP by werift, which is told as little as possible. RTP goes past its senders and
// receivers, as packets; which codecs there are is decided here, and candidates of the browser are never called by us.
import { randomInt } from 'node:crypto'
import { networkInterfaces } from 'node:os'
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
  const { address, advertise } = settings
  const isV6 = address.includes(':')
  const bound = isWildcard(address) ? null : address
  const ports = takePorts(settings.ports)
  // One socket, of our choosing: left to itself the library opens one for each address of the machine, and two that look for a
  // port at the same time may take the same.
  const connection = new werift.RTCPeerConnection({
    iceLite: true,
    iceServers: [],
    codecs: { audio, video: [] },
    headerExtensions: { audio: [], video: [] },
    icePortRange: ports,
    iceUseTcp: false,
    iceUseIpv4: false,
    iceUseIpv6: false,
    iceAdditionalHostAddresses: [bound ?? (isV6 ? '::1' : '127.0.0.1')],
    ...(bound === null ? {} : { iceInterfaceAddresses: { [isV6 ? 'udp6' : 'udp4']: bound } }),
  })
  const close = async () => {
    await connection.close()
    takenPorts.delete(ports[0])
  }
  try {
    const kept = [payloadTypes[law], ...(eventType === null ? [] : [eventType])]
    await connection.setRemoteDescription({ type: 'offer', sdp: withOnly(offer, kept) })
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
    if (!sdp.includes('a=candidate:'))
      throw new Error(`the UDP ports ${ports.join(' and ')} are in use by somebody else`)
    return {
      answer: withAddresses(sdp, [
        ...(advertise === null ? [] : [advertise]),
        ...(bound === null ? ownAddresses(isV6) : [bound]),
      ]),
      law,
      eventType,
      send(rtp) {
        if (dtlsTransport.state !== 'connected') return
        const { header, payload } = werift.RtpPacket.deSerialize(rtp)
        header.ssrc = sender.ssrc
        void dtlsTransport.sendRtp(payload, header)
      },
      close,
    }
  } catch (error) {
    await close().catch(() => {})
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

/**
 * The offer without the formats we leave out. The library knows a format by its name alone: of telephone events at 48,000 and at
 * 8,000 Hz, as browsers offer them, it would take the first.
 */
function withOnly(offer: string, kept: readonly number[]): string {
  const lines = offer.split(/\r?\n/).flatMap(line => {
    const format = /^a=(?:rtpmap|fmtp|rtcp-fb):(\d+) /.exec(line)?.[1]
    if (format !== undefined) return kept.includes(Number(format)) ? [line] : []
    return [line.replace(/^(m=audio \S+ \S+) .*$/, `$1 ${kept.join(' ')}`)]
  })
  return lines.join('\r\n')
}

function isWildcard(address: string): boolean {
  return address === '0.0.0.0' || address === '::'
}

/** The first port of each pair that a connection has. */
const takenPorts = new Set<number>()
/** Where to go on; processes on one machine begin at different places. */
let lastTaken: number | undefined

/** A pair of ports that no connection of this process has, one after the other, so that late packets of the last find nobody. */
function takePorts({ minPort, maxPort }: WebrtcSettings['ports']): [number, number] {
  const pairs = Math.floor((maxPort - minPort + 1) / 2)
  for (let tried = 0; tried < pairs; tried++) {
    const at = ((lastTaken ?? randomInt(pairs)) + 1) % pairs
    lastTaken = at
    const port = minPort + 2 * at
    if (takenPorts.has(port)) continue
    takenPorts.add(port)
    return [port, port + 1]
  }
  throw new Error(`all UDP ports of TANDEM_WEBRTC_PORTS (${minPort}-${maxPort}) are in use`)
}

function ownAddresses(isV6: boolean): string[] {
  const all = Object.values(networkInterfaces()).flatMap(addresses => addresses ?? [])
  const family = isV6 ? 'IPv6' : 'IPv4'
  return all
    .filter(one => !one.internal && one.family === family && !/^(169\.254\.|fe80:)/i.test(one.address))
    .map(one => one.address)
}

const candidateLine = /^a=candidate:(\S+) 1 udp \d+ \S+ (\d+) typ host/

/** The one socket there is, as a candidate for each address it is reached at. */
function withAddresses(sdp: string, addresses: readonly string[]): string {
  const lines = sdp.split('\r\n').flatMap(line => {
    const match = candidateLine.exec(line)
    if (match === null) return line.startsWith('a=candidate:') ? [] : [line]
    return addresses.map(
      (address, at) => `a=candidate:${at + 1} 1 udp ${hostPriority - 2 ** 8 * at} ${address} ${match[2]} typ host`,
    )
  })
  return lines.join('\r\n')
}

/** RFC 8445 §5.1.2.1: a host candidate of component 1, the first of its kind. */
const hostPriority = 2 ** 24 * 126 + 2 ** 8 * 65_535 + 255
