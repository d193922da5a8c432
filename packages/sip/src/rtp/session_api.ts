// What an audio stream is opened with, which events it emits, and what it can be asked to do.
import type { DigitOptions, EventChange } from './dtmf.ts'
import type { G711Law } from './g711.ts'
import type { FrameKind, JitterStatistics } from './jitter.ts'
import type { Endpoint, LatchPolicy, MayReach } from './latch.ts'
import type { RemoteReport } from './reports.ts'
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
  /** Sending: default true, false where the peer or we hold. Receiving: whether silence is to be reported. */
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
  /** The next 20 ms of the peer, in the session's law; to be called once for each 20 ms, by anyone who listens. */
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
