// What arrived of one source, by the algorithms of RFC 3550 appendix A: sequence numbers with their cycles, packets lost,
// the fraction of them since the last report, and the jitter between departures and arrivals.

import { timestampDistance } from './packet.ts'
import type { ReportBlock } from './rtcp.ts'

export type Reception = {
  /**
   * Counts a packet; `timestamp` is null where it does not tell the time of sending (events repeat theirs). False for one whose
   * sequence number is far from all others; two of these in order begin a new count.
   */
  push(sequence: number, timestamp: number | null, nowMs: number): boolean
  /** Figures for a report block; the next fraction counts from here. */
  report(): Pick<ReportBlock, 'fractionLost' | 'cumulativeLost' | 'highestSequence' | 'jitter'>
  /** Since the first packet; `lost` is below zero where packets came twice. */
  totals(): { packets: number; lost: number; jitterMs: number }
}

// RFC 3550 A.1: further ahead or behind than this is not loss or disorder but another count.
const maxDropout = 3000
const maxMisorder = 100
/** A change of transit beyond this is a jump of timestamps, not jitter. */
const maxTransitChangeMs = 5000
const cycle = 65_536

export function createReception({ clockRate = 8000 } = {}): Reception {
  let base = -1
  let cycles = 0
  let highest = 0
  let received = 0
  let expectedBefore = 0
  let receivedBefore = 0
  /** Of counts that ended when the sequence numbers went on elsewhere. */
  let earlier = { packets: 0, lost: 0 }
  let expectedNext = -1
  let transit: number | undefined
  let jitter = 0

  const expected = () => cycles + highest - base + 1

  function begin(sequence: number): void {
    if (base >= 0) earlier = { packets: earlier.packets + received, lost: earlier.lost + expected() - received }
    base = sequence
    highest = sequence
    cycles = 0
    received = 0
    expectedBefore = 0
    receivedBefore = 0
    expectedNext = -1
    transit = undefined
  }

  /** A.1, without the probation, which is done where sources are chosen. */
  function countSequence(sequence: number): boolean {
    if (base < 0) begin(sequence)
    const ahead = (sequence - highest) & 0xffff
    if (ahead < maxDropout) {
      if (sequence < highest) cycles += cycle
      highest = sequence
    } else if (ahead <= cycle - maxMisorder) {
      if (sequence !== expectedNext) {
        expectedNext = (sequence + 1) & 0xffff
        return false
      }
      begin(sequence)
    }
    received += 1
    return true
  }

  /** A.8. */
  function countJitter(timestamp: number, nowMs: number): void {
    const now = timestampDistance(timestamp, Math.round((nowMs * clockRate) / 1000))
    const change = transit === undefined ? 0 : Math.abs(timestampDistance(transit, now))
    transit = now
    if (change <= (maxTransitChangeMs * clockRate) / 1000) jitter += (change - jitter) / 16
  }

  return {
    push(sequence, timestamp, nowMs) {
      if (!countSequence(sequence)) return false
      if (timestamp !== null) countJitter(timestamp, nowMs)
      return true
    },
    report() {
      // A.3.
      const expectedNow = expected()
      const expectedSince = expectedNow - expectedBefore
      const lostSince = expectedSince - (received - receivedBefore)
      expectedBefore = expectedNow
      receivedBefore = received
      return {
        fractionLost:
          expectedSince <= 0 || lostSince <= 0 ? 0 : Math.min(255, Math.floor((lostSince * 256) / expectedSince)),
        cumulativeLost: Math.max(-0x800000, Math.min(0x7fffff, expectedNow - received)),
        highestSequence: (cycles + highest) >>> 0,
        jitter: Math.floor(jitter),
      }
    },
    totals: () => ({
      packets: earlier.packets + received,
      lost: earlier.lost + (base < 0 ? 0 : expected() - received),
      jitterMs: (jitter * 1000) / clockRate,
    }),
  }
}
