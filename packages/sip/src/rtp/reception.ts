// What arrived of one source, by the algorithms of RFC 3550 appendix A: sequence numbers with their cycles, packets lost,
// the fraction of them since the last report, and the jitter between departures and arrivals.

import { timestampDistance } from './packet.ts'
import type { ReportBlock } from './rtcp.ts'

export type Reception = {
  /**
   * Counts a packet; `timestamp` is null where it does not give the time of sending (events repeat theirs). False for one whose
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
  return new SequenceCount(clockRate)
}

/** Lives as long as one source of packets (RFC 3550 appendix A.1, A.3, A.8). */
class SequenceCount implements Reception {
  private readonly clockRate: number
  private base = -1
  private cycles = 0
  private highest = 0
  private received = 0
  private expectedBefore = 0
  private receivedBefore = 0
  /** Of counts that ended when the sequence numbers went on elsewhere. */
  private earlier = { packets: 0, lost: 0 }
  private expectedNext = -1
  private transit: number | undefined
  private jitter = 0

  constructor(clockRate: number) {
    this.clockRate = clockRate
  }

  private expected() {
    return this.cycles + this.highest - this.base + 1
  }

  private begin(sequence: number): void {
    if (this.base >= 0)
      this.earlier = {
        packets: this.earlier.packets + this.received,
        lost: this.earlier.lost + this.expected() - this.received,
      }
    this.base = sequence
    this.highest = sequence
    this.cycles = 0
    this.received = 0
    this.expectedBefore = 0
    this.receivedBefore = 0
    this.expectedNext = -1
    this.transit = undefined
  }

  /** A.1, without the probation, which is done where sources are chosen. */
  private countSequence(sequence: number): boolean {
    if (this.base < 0) this.begin(sequence)
    const ahead = (sequence - this.highest) & 0xffff
    if (ahead < maxDropout) {
      if (sequence < this.highest) this.cycles += cycle
      this.highest = sequence
    } else if (ahead <= cycle - maxMisorder) {
      if (sequence !== this.expectedNext) {
        this.expectedNext = (sequence + 1) & 0xffff
        return false
      }
      this.begin(sequence)
    }
    this.received += 1
    return true
  }

  /** A.8. */
  private countJitter(timestamp: number, nowMs: number): void {
    const now = timestampDistance(timestamp, Math.round((nowMs * this.clockRate) / 1000))
    const change = this.transit === undefined ? 0 : Math.abs(timestampDistance(this.transit, now))
    this.transit = now
    if (change <= (maxTransitChangeMs * this.clockRate) / 1000) this.jitter += (change - this.jitter) / 16
  }

  push(sequence: number, timestamp: number | null, nowMs: number): boolean {
    if (!this.countSequence(sequence)) return false
    if (timestamp !== null) this.countJitter(timestamp, nowMs)
    return true
  }

  report(): Pick<ReportBlock, 'fractionLost' | 'cumulativeLost' | 'highestSequence' | 'jitter'> {
    // A.3.
    const expectedNow = this.expected()
    const expectedSince = expectedNow - this.expectedBefore
    const lostSince = expectedSince - (this.received - this.receivedBefore)
    this.expectedBefore = expectedNow
    this.receivedBefore = this.received
    return {
      fractionLost:
        expectedSince <= 0 || lostSince <= 0 ? 0 : Math.min(255, Math.floor((lostSince * 256) / expectedSince)),
      cumulativeLost: Math.max(-0x800000, Math.min(0x7fffff, expectedNow - this.received)),
      highestSequence: (this.cycles + this.highest) >>> 0,
      jitter: Math.floor(this.jitter),
    }
  }

  totals(): { packets: number; lost: number; jitterMs: number } {
    return {
      packets: this.earlier.packets + this.received,
      lost: this.earlier.lost + (this.base < 0 ? 0 : this.expected() - this.received),
      jitterMs: (this.jitter * 1000) / this.clockRate,
    }
  }
}
