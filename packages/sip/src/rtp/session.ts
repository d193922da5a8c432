// One audio stream both ways with one peer: frames and digits out at the beat of a clock, packets in through latch, SRTP and
// jitter buffer, reports both ways, and a word when the peer falls silent. It has no socket and no timer: datagrams and
// times come in, datagrams go out by a callback.
import { createConsent } from './consent.ts'
import type { DigitOptions, EventChange } from './dtmf.ts'
import { createEventReceiver, createEventSender } from './dtmf.ts'
import type { G711Law } from './g711.ts'
import { convertG711, payloadTypeOf, silenceOf } from './g711.ts'
import type { FrameKind } from './jitter.ts'
import { createJitterBuffer } from './jitter.ts'
import type { Endpoint } from './latch.ts'
import { createLatch, isSame } from './latch.ts'
import type { RtpPacket } from './packet.ts'
import { isPacketFault, isRtcp, readRtp, rtpHeaderLength, startRtp, timestampPlus } from './packet.ts'
import { createReception } from './reception.ts'
import { createReports } from './reports.ts'
import { readRtcp } from './rtcp.ts'
import type { AudioSource, RtpAgreement, RtpSession, RtpSessionOptions, RtpStatistics } from './session_api.ts'

const frameSamples = 160
const comfortNoiseType = 13
const bothLaws: Readonly<Record<number, G711Law>> = { 0: 'PCMU', 8: 'PCMA' }
/** A source that another took over from may come back after this long. */
const returnMs = 100

export function createRtpSession(options: RtpSessionOptions): RtpSession {
  return new RtpEndpoint(options)
}

/** Lives as long as the media of one leg: what is agreed, who the peer is, and what was counted. */
class RtpEndpoint implements RtpSession {
  private readonly options: RtpSessionOptions
  private readonly silenceMs: NonNullable<RtpSessionOptions['silenceMs']>
  private agreement: RtpSessionOptions['agreement']
  private law
  private readonly latch
  private readonly consent
  private readonly reports
  private readonly events = createEventReceiver()
  private readonly digits = createEventSender()
  private buffer
  private source: AudioSource | null = null
  private readonly frameOctets = Buffer.alloc(frameSamples)
  readonly ssrc
  // Below 2^15, so that a receiver of SRTP that misses the first packets still guesses the rollover (RFC 3711 §3.3.1).
  private sequence
  private timestamp
  private isMarked = true
  private readonly sent = { packets: 0, octets: 0 }
  private peer: { ssrc: number; reception: ReturnType<typeof createReception> } | null = null
  private leftSsrc: number | undefined
  private heardMs
  private isSilenceReported = false
  private learnedRtcp: Endpoint | null = null
  private readonly refused = { foreign: 0, malformed: 0, unproved: 0, unknownType: 0, stray: 0 }

  constructor(options: RtpSessionOptions) {
    this.options = options
    const { random, silenceMs = 30_000 } = options
    this.silenceMs = silenceMs
    const { agreement } = options
    this.agreement = agreement
    this.law = this.agreement.law
    this.latch = createLatch({ signalled: this.agreement.remote, policy: options.latching, mayReach: options.mayReach })
    this.consent = createConsent(options.unansweredMs ?? Number.POSITIVE_INFINITY)
    this.reports = createReports({ ...options, intervalMs: options.reportMs })
    this.buffer = this.createBuffer()
    this.ssrc = Math.floor(random() * 2 ** 32)
    this.sequence = Math.floor(random() * 2 ** 15)
    this.timestamp = Math.floor(random() * 2 ** 32)
    this.heardMs = options.nowMs
  }

  private createBuffer() {
    return createJitterBuffer({ law: this.law, delayMs: this.options.jitterMs, maxDelayMs: this.options.maxJitterMs })
  }

  receive(bytes: Buffer, from: Endpoint, port: 'rtp' | 'rtcp', nowMs: number): void {
    const target = this.latch.target()
    // Whatever it is (RFC 6263 knows many ways to keep a path open), somebody is there.
    if (target !== null && from.address === target.address && (port === 'rtcp' || from.port === target.port))
      this.consent.heard()
    const isControl = port === 'rtcp' || (this.agreement.rtcpMux === true && isRtcp(bytes))
    if (isControl) this.receiveControl(bytes, from, port, nowMs)
    else this.receiveMedia(bytes, from, nowMs)
  }

  private receiveMedia(bytes: Buffer, from: Endpoint, nowMs: number): void {
    if (!this.latch.mayBe(from)) {
      this.refused.foreign += 1
      return
    }
    const packet = this.openMedia(bytes)
    if (packet === null) return
    const { payloadType } = packet
    const packetLaw = (this.agreement.receives ?? bothLaws)[payloadType]
    const isEvent = payloadType === this.agreement.eventType?.receive
    if (packetLaw === undefined && !isEvent && payloadType !== comfortNoiseType) {
      this.refused.unknownType += 1
      return
    }
    if (!this.isOfPeer(packet, from, nowMs)) return
    this.heardMs = nowMs
    this.isSilenceReported = false
    if (isEvent) this.emit(this.events.push(packet, nowMs))
    else if (packetLaw !== undefined) this.play(packet, packetLaw)
  }

  private openMedia(bytes: Buffer): RtpPacket | null {
    let plain = bytes
    if (this.agreement.srtp) {
      const opened = this.agreement.srtp.receive.openRtp(bytes)
      if (!Buffer.isBuffer(opened)) {
        this.refused.unproved += 1
        return null
      }
      plain = opened
    }
    const packet = readRtp(plain)
    if (!isPacketFault(packet)) return packet
    this.refused.malformed += 1
    return null
  }

  private isOfPeer(packet: RtpPacket, from: Endpoint, nowMs: number): boolean {
    const before = this.latch.learned()
    if (!this.latch.accept(from, packet)) {
      this.refused.foreign += 1
      return false
    }
    if (this.latch.learned() !== before) {
      this.learnedRtcp = null
      this.consent.heard()
      this.options.onLearned?.(from)
    }
    if (packet.ssrc !== this.peer?.ssrc && !this.changePeer(packet.ssrc, nowMs)) return false
    const timed = packet.payloadType === this.agreement.eventType?.receive ? null : packet.timestamp
    if (this.peer!.reception.push(packet.sequence, timed, nowMs)) return true
    this.refused.stray += 1
    return false
  }

  /** Another source at the same endpoint, as after a transfer behind it; stragglers of the last one do not count. */
  private changePeer(to: number, nowMs: number): boolean {
    if (to === this.leftSsrc && nowMs - this.heardMs < returnMs) {
      this.refused.stray += 1
      return false
    }
    this.leftSsrc = this.peer?.ssrc
    this.peer = { ssrc: to, reception: createReception() }
    this.emit(this.events.reset())
    return true
  }

  private play({ ssrc: from, timestamp: at, payload }: RtpPacket, packetLaw: G711Law): void {
    const octets = packetLaw === this.law ? payload : convertG711(packetLaw, payload)
    this.buffer.push({ ssrc: from, timestamp: at, payload: octets })
  }

  private receiveControl(bytes: Buffer, from: Endpoint, port: 'rtp' | 'rtcp', nowMs: number): void {
    const target = this.latch.target()
    const isPeers = this.agreement.rtcpMux === true ? this.latch.mayBe(from) : from.address === target?.address
    if (!isPeers) {
      this.refused.foreign += 1
      return
    }
    const plain = this.agreement.srtp ? this.agreement.srtp.receive.openRtcp(bytes) : bytes
    if (!Buffer.isBuffer(plain)) {
      this.refused.unproved += 1
      return
    }
    const packets = readRtcp(plain)
    if (isPacketFault(packets)) {
      this.refused.malformed += 1
      return
    }
    const first = packets[0]!
    // Before media came nobody can be distinguished from another; afterwards only the source of the media is believed.
    if (this.peer !== null && 'ssrc' in first && first.ssrc !== this.peer.ssrc) {
      this.refused.foreign += 1
      return
    }
    if (port === 'rtcp' && this.peer !== null) this.learnedRtcp ??= { address: from.address, port: from.port }
    this.reports.push(packets, nowMs)
  }

  private emit(changes: readonly EventChange[]): void {
    if (this.options.onDigit !== undefined) for (const change of changes) this.options.onDigit(change)
  }

  frame(nowMs: number, skipped: number): void {
    this.timestamp = timestampPlus(this.timestamp, skipped * frameSamples)
    const target = this.latch.target()
    if (target !== null && this.maySend(target, nowMs)) this.sendFrame(target)
    else {
      // What is live goes on, also while the peer holds, and is heard from there on when it is back.
      this.source?.(this.frameOctets)
      this.isMarked = true
    }
    if (this.reports.isDue(nowMs)) this.sendReport(this.reports.next(nowMs, this.sending(), this.peer))
    this.timestamp = timestampPlus(this.timestamp, frameSamples)
    this.emit(this.events.expire(nowMs))
    if (this.agreement.isReceiving === false) this.heardMs = nowMs
    else if (!this.isSilenceReported && nowMs - this.heardMs >= this.silenceMs) {
      this.isSilenceReported = true
      this.options.onSilence?.(nowMs - this.heardMs)
    }
  }

  private maySend(target: Endpoint, nowMs: number): boolean {
    if (this.agreement.isSending === false) return false
    return this.isListener(target) || this.consent.maySend(nowMs)
  }

  /** Who said that it sends nothing, to anyone its signalling comes from, is not waited for. */
  private isListener({ address }: Endpoint): boolean {
    return this.agreement.isReceiving === false && this.options.isSignalling?.(address) === true
  }

  private sendFrame(target: Endpoint): void {
    // Read also while digits go out: what is live goes on.
    if (this.source === null || !this.source(this.frameOctets)) this.frameOctets.fill(silenceOf[this.law])
    const event = this.agreement.eventType == null ? null : this.digits.next(this.timestamp)
    if (event !== null) {
      this.sendPacket(target, this.agreement.eventType!.send, event.marker, event.timestamp, event.payload)
      return
    }
    this.sendPacket(
      target,
      this.agreement.payloadType ?? payloadTypeOf[this.law],
      this.isMarked,
      this.timestamp,
      this.frameOctets,
    )
    this.isMarked = false
  }

  private sendPacket(to: Endpoint, payloadType: number, marker: boolean, at: number, payload: Buffer): void {
    const packet = startRtp(
      { payloadType, marker, sequence: this.sequence, timestamp: at, ssrc: this.ssrc },
      payload.length,
    )
    packet.set(payload, rtpHeaderLength)
    this.sequence = (this.sequence + 1) & 0xffff
    const bytes = this.agreement.srtp ? this.agreement.srtp.send.protectRtp(packet) : packet
    // A key that is used up protects nothing any more; to send in the clear instead would be worse than silence.
    if (!Buffer.isBuffer(bytes)) return
    this.sent.packets += 1
    this.sent.octets += payload.length
    this.options.send(bytes, to, 'rtp')
  }

  private sending() {
    return { ssrc: this.ssrc, ...this.sent, timestamp: this.timestamp }
  }

  private sendReport(report: Buffer): void {
    const to = this.rtcpTarget()
    if (to === null) return
    const bytes = this.agreement.srtp ? this.agreement.srtp.send.protectRtcp(report) : report
    if (Buffer.isBuffer(bytes)) this.options.send(bytes, to, this.agreement.rtcpMux === true ? 'rtp' : 'rtcp')
  }

  private rtcpTarget(): Endpoint | null {
    const target = this.latch.target()
    if (target === null || this.agreement.rtcpMux === true) return target
    if (this.learnedRtcp !== null) return this.learnedRtcp
    const learned = this.latch.learned()
    const isElsewhere = learned !== null && learned.address !== this.agreement.remote?.address
    const signalled = this.agreement.remoteRtcp
    if (!isElsewhere && signalled && this.options.mayReach?.(signalled.address) !== false) return signalled
    return { address: target.address, port: target.port + 1 }
  }

  change(next: RtpAgreement): void {
    if (next.isReceiving !== false && this.agreement.isReceiving === false) this.isSilenceReported = false
    if (next.eventType == null) this.digits.clear()
    this.agreement = next
    const before = this.latch.target()
    this.latch.signal(next.remote)
    const after = this.latch.target()
    if (after !== null && (before === null || !isSame(before, after))) this.consent.moved()
    this.learnedRtcp = null
    if (next.law === this.law) return
    this.law = next.law
    this.buffer = this.createBuffer()
    this.isMarked = true
  }

  sendDigits(text: string, digitOptions?: DigitOptions): void {
    if (this.agreement.eventType == null) throw new RangeError('digits: the peer did not agree to telephone events')
    this.digits.send(text, digitOptions)
  }

  read(into: Buffer): FrameKind {
    return this.buffer.pull(into)
  }

  setSource(next: AudioSource | null): void {
    this.source = next
  }

  stopDigits(): void {
    this.digits.clear()
  }

  isSendingDigits(): boolean {
    return this.digits.isBusy()
  }

  leave(nowMs: number): void {
    this.sendReport(this.reports.goodbye(nowMs, this.sending(), this.peer))
  }

  statistics(): RtpStatistics {
    return {
      sent: { ...this.sent },
      received: this.peer?.reception.totals() ?? { packets: 0, lost: 0, jitterMs: 0 },
      refused: { ...this.refused },
      events: { ...this.events.statistics },
      buffer: { ...this.buffer.statistics },
      remote: this.reports.remote(),
      hasLeft: this.reports.hasLeft(),
      learned: this.latch.learned(),
    }
  }
}
