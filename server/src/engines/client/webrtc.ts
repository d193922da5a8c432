// A connection with one browser: ICE, DTLS and SRTP by libdatachannel (libjuice, OpenSSL, libsrtp), which is passed as little as possible.
// All connections of the process share one UDP port: what reaches one must name its ICE user fragment, which is long, random and known
// to nobody but the browser that was answered. See docs/adr/0010.
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { networkInterfaces } from 'node:os'
import type { G711Law } from '@tandem/sip'
import type * as Library from 'node-datachannel'
import type { WebrtcSettings } from '../../modules/voice/engine/index.ts'
import { offerForLibrary, readLocal, readOffer, writeAnswerSdp } from './description.ts'

export type Peer = {
  /** What the browser is to be answered, where what we send has this source. */
  answer(ssrc: number): string
  readonly law: G711Law
  /** The payload type of telephone events, both ways; null where the browser offers none. */
  readonly eventType: number | null
  /** Puts an RTP or RTCP packet on its way; before the connection stands it goes nowhere. */
  send(packet: Buffer): void
  close(): void
}

export type PeerEvents = {
  /** An RTP or RTCP packet of the browser. */
  onPacket(packet: Buffer): void
  onConnected(): void
  /** The browser has closed the connection, or it could not be made. */
  onGone(): void
}

let loading: Promise<typeof Library> | undefined
/** The first call of a browser loads it: a server without such calls has neither its memory nor its threads. */
function loadLibrary(): Promise<typeof Library> {
  loading ??= import('node-datachannel')
  return loading
}

/**
 * Answers the offer of a browser. The browser finds its way to us: we check addresses it has proved to hold by its password
 * (RFC 8445 §7.3.1.4), never those it names, so nobody can have us send packets to addresses of their choice.
 */
export async function openPeer(text: string, settings: WebrtcSettings, events: PeerEvents): Promise<Peer> {
  const offer = readOffer(text)
  const library = await loadLibrary()
  const port = await listenOn(library, settings)
  const connection = new library.PeerConnection('browser', {
    iceServers: [],
    bindAddress: settings.address,
    portRangeBegin: port,
    portRangeEnd: port,
    enableIceUdpMux: true,
    disableAutoNegotiation: true,
  })
  let isOpen = false
  let isGone = false
  let isClosed = false
  function gone(): void {
    if (isGone) return
    isGone = true
    isOpen = false
    events.onGone()
  }
  const audio = new library.Audio(offer.mid, 'SendRecv')
  audio.addAudioCodec(offer.law === 'PCMU' ? 0 : 8, offer.law)
  const track = connection.addTrack(audio)
  unclosed.set(connection, track)
  function close(): void {
    if (isClosed) return
    isClosed = true
    isGone = true
    isOpen = false
    // The track first: left to the connection it keeps the process alive.
    track.close()
    connection.close()
  }
  try {
    track.onOpen(() => {
      isOpen = !isGone
      if (isOpen) events.onConnected()
    })
    track.onMessage(packet => {
      if (!isGone) events.onPacket(packet)
    })
    track.onClosed(gone)
    connection.onStateChange(state => {
      if (state === 'disconnected' || state === 'failed' || state === 'closed') gone()
      if (state === 'closed') unclosed.delete(connection)
    })
    connection.setRemoteDescription(offerForLibrary(offer), 'offer')
    connection.setLocalDescription('answer', { iceUfrag: unguessable(), icePwd: unguessable() })
    const local = readLocal(connection.localDescription()?.sdp ?? '')
    const { advertise } = settings
    const addresses = [...(advertise === null ? [] : [advertise]), ...boundAddresses(settings.address)]
    return {
      answer: ssrc => writeAnswerSdp(offer, local, { addresses, port, ssrc }),
      law: offer.law,
      eventType: offer.eventType,
      send(packet) {
        if (!isOpen) return
        try {
          track.sendMessageBinary(packet)
        } catch {
          // The browser has closed it, of which we are about to be notified.
        }
      },
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

/** Kept from the garbage collector until the library has reported that they are closed: its threads call them until then. */
const unclosed = new Map<Library.PeerConnection, Library.Track>()

/** 192 bits in characters of ICE (RFC 8839 §5.4). */
function unguessable(): string {
  return randomBytes(24).toString('base64')
}

/** By address and range; for as long as the process lives, so that late packets of a call find nobody else's socket. */
const listening = new Map<string, Promise<{ port: number; listener: Library.IceUdpMuxListener }>>()

/** The one port of this process: the first of the range that is free. */
async function listenOn(library: typeof Library, settings: WebrtcSettings): Promise<number> {
  const { address, ports } = settings
  const where = `${address} ${ports.minPort}-${ports.maxPort}`
  const found = listening.get(where) ?? startListening(library, settings)
  listening.set(where, found)
  // What failed is tried again by the next call.
  found.catch(() => listening.delete(where))
  return (await found).port
}

async function startListening(library: typeof Library, { address, ports: { minPort, maxPort } }: WebrtcSettings) {
  for (let port = minPort; port <= maxPort; port++) {
    // The library says on standard error what it could not bind.
    if (!(await isFree(address, port))) continue
    try {
      return { port, listener: new library.IceUdpMuxListener(port, address) }
    } catch {
      // Another process was faster.
    }
  }
  throw new Error(`all UDP ports of TANDEM_WEBRTC_PORTS (${minPort}-${maxPort}) are in use by somebody else`)
}

async function isFree(address: string, port: number): Promise<boolean> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
  const isBound = await new Promise<boolean>(resolve => {
    socket.once('error', () => resolve(false))
    socket.bind({ address, port, exclusive: true }, () => resolve(true))
  })
  await new Promise<void>(resolve => socket.close(resolve))
  return isBound
}

function boundAddresses(address: string): string[] {
  if (address !== '0.0.0.0' && address !== '::') return [address]
  const family = address === '::' ? 'IPv6' : 'IPv4'
  return Object.values(networkInterfaces())
    .flatMap(addresses => addresses ?? [])
    .filter(one => !one.internal && one.family === family && !/^(169\.254\.|fe80:)/i.test(one.address))
    .map(one => one.address)
}
