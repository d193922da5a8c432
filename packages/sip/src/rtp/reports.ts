// The reports of one session (RFC 3550 §6): when they are due, what they say of what we sent and got, and what those of the
// peer say about our packets. Times come in ms and go out as NTP's.
import type { Reception } from './reception.ts'
import type { ReportBlock, RtcpPacket, SenderInfo } from './rtcp.ts'
import { cnameItem, writeRtcp } from './rtcp.ts'

/** What the peer reported last of the packets we sent. */
export type RemoteReport = {
  /** Since the beginning; negative where packets came twice. */
  packetsLost: number
  /** Of the packets between its last two reports, 0 to 1. */
  fractionLost: number
  jitterMs: number
  /** Null until it answers a report of ours. */
  roundTripMs: number | null
}

export type Reports = {
  isDue(nowMs: number): boolean
  /** The compound to send when one is due; the next is due some time after. */
  next(nowMs: number, sending: Sending, receiving: Receiving | null): Buffer
  /** The last compound: a report and a goodbye (§6.6). */
  goodbye(nowMs: number, sending: Sending, receiving: Receiving | null): Buffer
  push(packets: readonly RtcpPacket[], nowMs: number): void
  remote(): RemoteReport | null
  /** Whether the peer said goodbye. */
  hasLeft(): boolean
}

/** What was sent until now; `timestamp` is the one of media that go out now. */
export type Sending = { ssrc: number; packets: number; octets: number; timestamp: number }
export type Receiving = { ssrc: number; reception: Reception }

export type ReportsOptions = {
  /** The name that both streams of a call share (§6.5.1). */
  cname: string
  /** A beginning on the clock of the session, and the same instant in ms since 1970. */
  nowMs: number
  wallMs: number
  /** 0 to below 1. */
  random: () => number
  clockRate?: number
  /** Between reports, on average; default 5,000, the least of §6.2. */
  intervalMs?: number
}

/** Seconds from 1900, where NTP begins, to 1970. */
const ntpOffset = 2_208_988_800

/** NTP time of an instant, in seconds and 2^32ths of them (RFC 3550 §4). */
export function ntpTime(wallMs: number): { ntpSeconds: number; ntpFraction: number } {
  const seconds = Math.floor(wallMs / 1000)
  const fraction = Math.floor(((wallMs - seconds * 1000) / 1000) * 2 ** 32)
  return { ntpSeconds: (seconds + ntpOffset) % 2 ** 32, ntpFraction: fraction }
}

/** The middle 32 bits of an NTP time, which reports refer to: 65,536ths of a second. */
export function compactNtp({ ntpSeconds, ntpFraction }: Pick<SenderInfo, 'ntpSeconds' | 'ntpFraction'>): number {
  return (ntpSeconds % 65_536) * 65_536 + Math.floor(ntpFraction / 65_536)
}

const ntpUnitsPerMs = 65.536

export function createReports(options: ReportsOptions): Reports {
  const { cname, nowMs: startMs, wallMs, random, clockRate = 8000, intervalMs = 5000 } = options
  let dueMs = startMs + interval() / 2
  let packetsBefore = 0
  let lastSenderReport = 0
  let lastSenderReportMs = 0
  let remote: RemoteReport | null = null
  let hasLeft = false
  let ourSsrc: number | undefined

  const timeOf = (nowMs: number) => ntpTime(wallMs + nowMs - startMs)

  /** Spread over half to one and a half of the mean, so that parties do not fall into step (§6.3.1). */
  function interval(): number {
    return intervalMs * (0.5 + random())
  }

  function blockOf({ ssrc, reception }: Receiving, nowMs: number): ReportBlock {
    const delay = lastSenderReport === 0 ? 0 : Math.round((nowMs - lastSenderReportMs) * ntpUnitsPerMs)
    return { ssrc, ...reception.report(), lastSenderReport, delaySinceLastSenderReport: delay % 2 ** 32 }
  }

  function compound(nowMs: number, sending: Sending, receiving: Receiving | null): RtcpPacket[] {
    const { ssrc, packets, octets, timestamp } = sending
    ourSsrc = ssrc
    const blocks = receiving === null ? [] : [blockOf(receiving, nowMs)]
    const hasSent = packets > packetsBefore
    packetsBefore = packets
    const sender = { ...timeOf(nowMs), rtpTimestamp: timestamp, packets, octets }
    const report: RtcpPacket = hasSent
      ? { type: 'sender_report', ssrc, sender, blocks }
      : { type: 'receiver_report', ssrc, blocks }
    const items = [{ type: cnameItem, value: cname }]
    return [report, { type: 'source_description', chunks: [{ ssrc, items }] }]
  }

  function next(nowMs: number, sending: Sending, receiving: Receiving | null): Buffer {
    dueMs = nowMs + interval()
    return writeRtcp(compound(nowMs, sending, receiving))
  }

  function push(packets: readonly RtcpPacket[], nowMs: number): void {
    for (const packet of packets) {
      if (packet.type === 'goodbye') hasLeft = true
      if (packet.type === 'sender_report') {
        lastSenderReport = compactNtp(packet.sender)
        lastSenderReportMs = nowMs
      }
      if (packet.type !== 'sender_report' && packet.type !== 'receiver_report') continue
      hasLeft = false
      const block = packet.blocks.find(({ ssrc }) => ssrc === ourSsrc)
      if (block !== undefined) remote = remoteReport(block, nowMs)
    }
  }

  function remoteReport(block: ReportBlock, nowMs: number): RemoteReport {
    return {
      packetsLost: block.cumulativeLost,
      fractionLost: block.fractionLost / 256,
      jitterMs: (block.jitter * 1000) / clockRate,
      roundTripMs: block.lastSenderReport === 0 ? (remote?.roundTripMs ?? null) : roundTrip(block, nowMs),
    }
  }

  /** §6.4.1: now less when our report left less how long the peer kept it. A peer's rounding must not make it negative. */
  function roundTrip({ lastSenderReport: left, delaySinceLastSenderReport: kept }: ReportBlock, nowMs: number): number {
    const units = (compactNtp(timeOf(nowMs)) - left - kept) | 0
    return Math.max(0, units / ntpUnitsPerMs)
  }

  return {
    isDue: nowMs => nowMs >= dueMs,
    next,
    goodbye: (nowMs, sending, receiving) =>
      writeRtcp([...compound(nowMs, sending, receiving), { type: 'goodbye', ssrcs: [sending.ssrc], reason: null }]),
    push,
    remote: () => remote,
    hasLeft: () => hasLeft,
  }
}
