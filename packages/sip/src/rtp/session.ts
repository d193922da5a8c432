// One audio stream both ways with one peer: frames and digits out at the beat of a clock, packets in through latch, SRTP and
// jitter buffer, reports both ways, and a word when the peer falls silent. It has no socket and no timer: datagrams and
// times come in, datagrams go out by a callback.
import { createConsent } from './consent.ts'
import type { DigitOptions, EventChange } from './dtmf.ts'
import { createEventReceiver, createEventSender } from './dtmf.ts'
import type { G711Law } from './g711.ts'
import { convertG711, payloadTypeOf, silenceOf } from './g711.ts'
import type { FrameKind, JitterStatistics } from './jitter.ts'
import { createJitterBuffer } from './jitter.ts'
import type { Endpoint, LatchPolicy, MayReach } from './latch.ts'
import { createLatch, isSame } from './latch.ts'
import type { RtpPacket } from './packet.ts'
import { isPacketFault, isRtcp, readRtp, rtpHeaderLength, startRtp, timestampPlus } from './packet.ts'
import { createReception } from './reception.ts'
import type { RemoteReport } from './reports.ts'
import { createReports } from './reports.ts'
import { readRtcp } from './rtcp.ts'
import type { SrtpContext } from './srtp.ts'

/** What offer and answer have settled; all of it may change by a re-INVITE. */
export type RtpAgreement = {
  /** Where the peer says it is; null while that is not known (or 0.0.0.0). Addresses, not names. */
  remote: Endpoint | null
  /** Of RTCP, where it is not the next port; ignored with `rtcpMux`. */
  remoteRtcp?: Endpoint | null
  rtcpMux?: boolean
  /** What we send, by its static payload type unless `payloadType` says another; what `read` gives has the same law. */
  law: G711Law
  payloadType?: number
  /** Laws of the payload types that may come; by default 0 and 8. */
  receives?: Readonly<Record<number, G711Law>>
  /** Of telephone events: the type that the peer's SDP asks for, and the one ours does. Null: no digits. */
  eventType?: { send: number; receive: number } | null
  /** Sending: default true, false where the peer or we hold. Receiving: whether silence is to be told. */
  isSending?: boolean
  isReceiving?: boolean
  srtp?: { send: SrtpContext; receive: SrtpContext } | null
}

export type RtpSessionOptions = {
  agreement: RtpAgreement
  cname: string
  /** Puts a datagram on its way, from the RTP or the RTCP port. */
  send(bytes: Buffer, to: Endpoint, from: 'rtp' | 'rtcp'): void
  /** A beginning on the clock of `receive` and `frame`, and the same instant in ms since 1970. */
  nowMs: number
  wallMs: number
  /** 0 to below 1; makes SSRC, first sequence number and first timestamp, which should not be guessed (RFC 3550 §5.1). */
  random: () => number
  latching?: LatchPolicy
  /** Addresses that packets may go to and come from, whatever is signalled; left out: all. */
  mayReach?: MayReach
  /** Of those, the ones where the signalling comes from: a peer that only listens there need not prove itself. */
  isSignalling?: MayReach
  /**
   * Of sound for an endpoint from which nothing has come back; after it one packet every 5 s, until something comes. Left out: no
   * limit, for where others see to that (as ICE does).
   */
  unansweredMs?: number
  jitterMs?: number
  maxJitterMs?: number
  /** Between RTCP reports, on average; default 5,000. */
  reportMs?: number
  /** Without a packet of the peer for this long `onSilence` is called, once; default 30,000. */
  silenceMs?: number
  onDigit?(change: EventChange): void
  onSilence?(silentMs: number): void
  /** The peer's packets come from here, whatever was signalled. */
  onLearned?(endpoint: Endpoint): void
}

/** Fills a frame of 20 ms with octets of the session's law; false leaves it silent. */
export type AudioSource = (into: Buffer) => boolean

export type RtpStatistics = {
  sent: { packets: number; octets: number }
  received: { packets: number; lost: number; jitterMs: number }
  /** Not of the peer; not RTP; refused by SRTP; of a payload type nobody agreed to; far from all sequence numbers. */
  refused: { foreign: number; malformed: number; unproved: number; unknownType: number; stray: number }
  events: { events: number; repeated: number; late: number; malformed: number }
  buffer: JitterStatistics
  remote: RemoteReport | null
  /** The peer said goodbye by RTCP. */
  hasLeft: boolean
  learned: Endpoint | null
}

/** Of methods only: with a getter every session would have a shape of its own, and each packet would look its methods up. */
export type RtpSession = {
  /** A datagram that came to the RTP or the RTCP port. Never throws for what is in it. */
  receive(bytes: Buffer, source: Endpoint, port: 'rtp' | 'rtcp', nowMs: number): void
  /** To be called every 20 ms: sends a frame, and looks at everything that waits for time to pass. A `FrameHandler`. */
  frame(nowMs: number, skipped: number): void
  /** The next 20 ms of the peer, in the session's law; to be called once for each 20 ms, by whoever listens. */
  read(into: Buffer): FrameKind
  /** Where the frames to send come from; null sends silence. */
  setSource(source: AudioSource | null): void
  /** Sends digits in place of audio, one after the other. Throws RangeError without agreed events or for no digit. */
  sendDigits(digits: string, options?: DigitOptions): void
  stopDigits(): void
  isSendingDigits(): boolean
  /** After a new offer and answer. SRTP contexts are kept only where the same are handed in. */
  change(agreement: RtpAgreement): void
  /** Says goodbye by RTCP. */
  leave(nowMs: number): void
  statistics(): RtpStatistics
  readonly ssrc: number
}

const frameSamples = 160
const comfortNoiseType = 13
const bothLaws: Readonly<Record<number, G711Law>> = { 0: 'PCMU', 8: 'PCMA' }
/** A source that another took over from may come back after this long. */
const returnMs = 100

export function createRtpSession(options: RtpSessionOptions): RtpSession {
  const { random, silenceMs = 30_000 } = options
  let { agreement } = options
  let law = agreement.law
  const latch = createLatch({ signalled: agreement.remote, policy: options.latching, mayReach: options.mayReach })
  const consent = createConsent(options.unansweredMs ?? Number.POSITIVE_INFINITY)
  const reports = createReports({ ...options, intervalMs: options.reportMs })
  const events = createEventReceiver()
  const digits = createEventSender()
  let buffer = createBuffer()
  let source: AudioSource | null = null
  const frameOctets = Buffer.alloc(frameSamples)

  const ssrc = Math.floor(random() * 2 ** 32)
  // Below 2^15, so that a receiver of SRTP that misses the first packets still guesses the rollover (RFC 3711 §3.3.1).
  let sequence = Math.floor(random() * 2 ** 15)
  let timestamp = Math.floor(random() * 2 ** 32)
  let isMarked = true
  const sent = { packets: 0, octets: 0 }

  let peer: { ssrc: number; reception: ReturnType<typeof createReception> } | null = null
  let leftSsrc: number | undefined
  let heardMs = options.nowMs
  let isSilenceTold = false
  let learnedRtcp: Endpoint | null = null
  const refused = { foreign: 0, malformed: 0, unproved: 0, unknownType: 0, stray: 0 }

  function createBuffer() {
    return createJitterBuffer({ law, delayMs: options.jitterMs, maxDelayMs: options.maxJitterMs })
  }

  function receive(bytes: Buffer, from: Endpoint, port: 'rtp' | 'rtcp', nowMs: number): void {
    const target = latch.target()
    // Whatever it is (RFC 6263 knows many ways to keep a path open), somebody is there.
    if (target !== null && from.address === target.address && (port === 'rtcp' || from.port === target.port))
      consent.heard()
    const isControl = port === 'rtcp' || (agreement.rtcpMux === true && isRtcp(bytes))
    if (isControl) receiveControl(bytes, from, port, nowMs)
    else receiveMedia(bytes, from, nowMs)
  }

  function receiveMedia(bytes: Buffer, from: Endpoint, nowMs: number): void {
    if (!latch.mayBe(from)) {
      refused.foreign += 1
      return
    }
    const packet = openMedia(bytes)
    if (packet === null) return
    const { payloadType } = packet
    const packetLaw = (agreement.receives ?? bothLaws)[payloadType]
    const isEvent = payloadType === agreement.eventType?.receive
    if (packetLaw === undefined && !isEvent && payloadType !== comfortNoiseType) {
      refused.unknownType += 1
      return
    }
    if (!isOfPeer(packet, from, nowMs)) return
    heardMs = nowMs
    isSilenceTold = false
    if (isEvent) tell(events.push(packet, nowMs))
    else if (packetLaw !== undefined) play(packet, packetLaw)
  }

  function openMedia(bytes: Buffer): RtpPacket | null {
    let plain = bytes
    if (agreement.srtp) {
      const opened = agreement.srtp.receive.openRtp(bytes)
      if (!Buffer.isBuffer(opened)) {
        refused.unproved += 1
        return null
      }
      plain = opened
    }
    const packet = readRtp(plain)
    if (!isPacketFault(packet)) return packet
    refused.malformed += 1
    return null
  }

  function isOfPeer(packet: RtpPacket, from: Endpoint, nowMs: number): boolean {
    const before = latch.learned()
    if (!latch.accept(from, packet)) {
      refused.foreign += 1
      return false
    }
    if (latch.learned() !== before) {
      learnedRtcp = null
      consent.heard()
      options.onLearned?.(from)
    }
    if (packet.ssrc !== peer?.ssrc && !changePeer(packet.ssrc, nowMs)) return false
    const timed = packet.payloadType === agreement.eventType?.receive ? null : packet.timestamp
    if (peer!.reception.push(packet.sequence, timed, nowMs)) return true
    refused.stray += 1
    return false
  }

  /** Another source at the same endpoint, as after a transfer behind it; stragglers of the last one do not count. */
  function changePeer(to: number, nowMs: number): boolean {
    if (to === leftSsrc && nowMs - heardMs < returnMs) {
      refused.stray += 1
      return false
    }
    leftSsrc = peer?.ssrc
    peer = { ssrc: to, reception: createReception() }
    tell(events.reset())
    return true
  }

  function play({ ssrc: from, timestamp: at, payload }: RtpPacket, packetLaw: G711Law): void {
    const octets = packetLaw === law ? payload : convertG711(packetLaw, payload)
    buffer.push({ ssrc: from, timestamp: at, payload: octets })
  }

  function receiveControl(bytes: Buffer, from: Endpoint, port: 'rtp' | 'rtcp', nowMs: number): void {
    const target = latch.target()
    const isPeers = agreement.rtcpMux === true ? latch.mayBe(from) : from.address === target?.address
    if (!isPeers) {
      refused.foreign += 1
      return
    }
    const plain = agreement.srtp ? agreement.srtp.receive.openRtcp(bytes) : bytes
    if (!Buffer.isBuffer(plain)) {
      refused.unproved += 1
      return
    }
    const packets = readRtcp(plain)
    if (isPacketFault(packets)) {
      refused.malformed += 1
      return
    }
    const first = packets[0]!
    // Before media came nobody can be told from another; afterwards only the source of the media is believed.
    if (peer !== null && 'ssrc' in first && first.ssrc !== peer.ssrc) {
      refused.foreign += 1
      return
    }
    if (port === 'rtcp' && peer !== null) learnedRtcp ??= { address: from.address, port: from.port }
    reports.push(packets, nowMs)
  }

  function tell(changes: readonly EventChange[]): void {
    if (options.onDigit !== undefined) for (const change of changes) options.onDigit(change)
  }

  function frame(nowMs: number, skipped: number): void {
    timestamp = timestampPlus(timestamp, skipped * frameSamples)
    const target = latch.target()
    if (agreement.isSending === false || target === null) isMarked = true
    else if (isListener(target) || consent.maySend(nowMs)) sendFrame(target)
    else {
      // What is live goes on, and is heard from there on when the peer is back.
      source?.(frameOctets)
      isMarked = true
    }
    if (reports.isDue(nowMs)) sendReport(reports.next(nowMs, sending(), peer))
    timestamp = timestampPlus(timestamp, frameSamples)
    tell(events.expire(nowMs))
    if (agreement.isReceiving === false) heardMs = nowMs
    else if (!isSilenceTold && nowMs - heardMs >= silenceMs) {
      isSilenceTold = true
      options.onSilence?.(nowMs - heardMs)
    }
  }

  /** Who said that it sends nothing, to whoever its signalling comes from, is not waited for. */
  function isListener({ address }: Endpoint): boolean {
    return agreement.isReceiving === false && options.isSignalling?.(address) === true
  }

  function sendFrame(target: Endpoint): void {
    // Read also while digits go out: what is live goes on.
    if (source === null || !source(frameOctets)) frameOctets.fill(silenceOf[law])
    const event = agreement.eventType == null ? null : digits.next(timestamp)
    if (event !== null) {
      sendPacket(target, agreement.eventType!.send, event.marker, event.timestamp, event.payload)
      return
    }
    sendPacket(target, agreement.payloadType ?? payloadTypeOf[law], isMarked, timestamp, frameOctets)
    isMarked = false
  }

  function sendPacket(to: Endpoint, payloadType: number, marker: boolean, at: number, payload: Buffer): void {
    const packet = startRtp({ payloadType, marker, sequence, timestamp: at, ssrc }, payload.length)
    packet.set(payload, rtpHeaderLength)
    sequence = (sequence + 1) & 0xffff
    const bytes = agreement.srtp ? agreement.srtp.send.protectRtp(packet) : packet
    // A key that is used up protects nothing any more; to send in the clear instead would be worse than silence.
    if (!Buffer.isBuffer(bytes)) return
    sent.packets += 1
    sent.octets += payload.length
    options.send(bytes, to, 'rtp')
  }

  const sending = () => ({ ssrc, ...sent, timestamp })

  function sendReport(report: Buffer): void {
    const to = rtcpTarget()
    if (to === null) return
    const bytes = agreement.srtp ? agreement.srtp.send.protectRtcp(report) : report
    if (Buffer.isBuffer(bytes)) options.send(bytes, to, agreement.rtcpMux === true ? 'rtp' : 'rtcp')
  }

  function rtcpTarget(): Endpoint | null {
    const target = latch.target()
    if (target === null || agreement.rtcpMux === true) return target
    if (learnedRtcp !== null) return learnedRtcp
    const learned = latch.learned()
    const isElsewhere = learned !== null && learned.address !== agreement.remote?.address
    const signalled = agreement.remoteRtcp
    if (!isElsewhere && signalled && options.mayReach?.(signalled.address) !== false) return signalled
    return { address: target.address, port: target.port + 1 }
  }

  function change(next: RtpAgreement): void {
    if (next.isReceiving !== false && agreement.isReceiving === false) isSilenceTold = false
    if (next.eventType == null) digits.clear()
    agreement = next
    const before = latch.target()
    latch.signal(next.remote)
    const after = latch.target()
    if (after !== null && (before === null || !isSame(before, after))) consent.moved()
    learnedRtcp = null
    if (next.law === law) return
    law = next.law
    buffer = createBuffer()
    isMarked = true
  }

  function sendDigits(text: string, digitOptions?: DigitOptions): void {
    if (agreement.eventType == null) throw new RangeError('digits: the peer did not agree to telephone events')
    digits.send(text, digitOptions)
  }

  return {
    receive,
    frame,
    read: into => buffer.pull(into),
    setSource: next => {
      source = next
    },
    sendDigits,
    stopDigits: () => digits.clear(),
    isSendingDigits: () => digits.isBusy(),
    change,
    leave: nowMs => sendReport(reports.goodbye(nowMs, sending(), peer)),
    statistics: () => ({
      sent: { ...sent },
      received: peer?.reception.totals() ?? { packets: 0, lost: 0, jitterMs: 0 },
      refused: { ...refused },
      events: { ...events.statistics },
      buffer: { ...buffer.statistics },
      remote: reports.remote(),
      hasLeft: reports.hasLeft(),
      learned: latch.learned(),
    }),
    ssrc,
  }
}
