// Who the peer is, and what is said about it: learning its real address once and keeping it against others, and the figures
// of RFC 3550 for loss, jitter and round trips.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLatch } from '../src/rtp/latch.ts'
import { createReception } from '../src/rtp/reception.ts'
import { compactNtp, createReports, ntpTime } from '../src/rtp/reports.ts'
import type { ReportBlock } from '../src/rtp/rtcp.ts'
import { readRtcp } from '../src/rtp/rtcp.ts'

const signalled = { address: '192.0.2.1', port: 4000 }
const nat = { address: '198.51.100.7', port: 31_337 }
const attacker = { address: '203.0.113.66', port: 9 }
const packet = (sequence: number, ssrc = 1) => ({ ssrc, sequence })

test('the signalled endpoint is the peer from its first packet on; nobody else gets in then', () => {
  const latch = createLatch({ signalled })
  assert.deepEqual([latch.target(), latch.learned()], [signalled, null])
  assert.ok(latch.accept(signalled, packet(1)))
  assert.ok(!latch.mayBe(attacker))
  for (let i = 0; i < 100; i++) assert.ok(!latch.accept(attacker, packet(i)))
  assert.deepEqual([latch.target(), latch.learned()], [signalled, signalled])
})

test('behind NAT the real source is learned from three packets in order, once', () => {
  const latch = createLatch({ signalled })
  assert.deepEqual(
    [65_534, 65_535, 0, 1].map(sequence => latch.accept(nat, packet(sequence))),
    [false, false, true, true],
  )
  assert.deepEqual(latch.target(), nat)
  for (let i = 0; i < 100; i++) assert.ok(!latch.accept(attacker, packet(i)))
  assert.ok(!latch.accept({ ...nat, port: nat.port + 1 }, packet(2)))
  assert.deepEqual(latch.target(), nat)
})

test('an attacker who scatters packets among those of the peer does not get in first', () => {
  const latch = createLatch({ signalled })
  for (let i = 0; i < 50; i++) {
    // Guesses: each from a random place of the sequence, or of another SSRC.
    assert.ok(!latch.accept(attacker, packet((i * 7919) & 0xffff, i % 3)))
  }
  assert.ok(!latch.accept(nat, packet(10)))
  assert.ok(!latch.accept(attacker, packet(11)))
  assert.ok(!latch.accept(nat, packet(11)))
  assert.ok(latch.accept(nat, packet(12)))
  assert.deepEqual(latch.learned(), nat)
})

test('an attacker who was first is driven out by the signalled endpoint, though not by one forged packet', () => {
  const latch = createLatch({ signalled })
  for (let i = 0; i < 3; i++) latch.accept(attacker, packet(i))
  assert.deepEqual(latch.target(), attacker)
  assert.ok(!latch.accept(signalled, packet(70, 2)))
  assert.ok(latch.accept(attacker, packet(3)))
  assert.ok(!latch.accept(signalled, packet(71, 2)))
  assert.ok(latch.accept(signalled, packet(72, 2)))
  assert.deepEqual(latch.target(), signalled)
  assert.ok(!latch.accept(attacker, packet(4)))
})

test('policies: other ports of the same address only, or nobody else', () => {
  const sameAddress = createLatch({ signalled, policy: 'same_address' })
  const otherPort = { ...signalled, port: 4002 }
  assert.ok(!sameAddress.mayBe(nat) && sameAddress.mayBe(otherPort))
  assert.deepEqual(
    [1, 2, 3].map(sequence => sameAddress.accept(otherPort, packet(sequence))),
    [false, false, true],
  )
  const strict = createLatch({ signalled, policy: 'strict' })
  for (let i = 0; i < 10; i++) assert.ok(!strict.accept(otherPort, packet(i)))
  assert.ok(strict.accept(signalled, packet(0)))
  for (const policy of ['same_address', 'strict'] as const)
    assert.ok(!createLatch({ signalled: null, policy }).mayBe(nat))
})

test('a re-INVITE with another address starts again, one with the same does not', () => {
  const latch = createLatch({ signalled })
  for (let i = 0; i < 3; i++) latch.accept(nat, packet(i))
  latch.signal({ ...signalled })
  assert.deepEqual(latch.target(), nat)
  const moved = { address: '192.0.2.9', port: 5000 }
  latch.signal(moved)
  assert.deepEqual([latch.target(), latch.learned()], [moved, null])
  assert.ok(!latch.accept(nat, packet(3)))
  assert.ok(latch.accept(moved, packet(900)))
  latch.signal(null)
  assert.equal(latch.target(), null)
})

test('RFC 3550 A.1, A.3: loss, disorder, doubles, wrap and the fraction since the last report', () => {
  const reception = createReception()
  const push = (...sequences: number[]) => sequences.map(sequence => reception.push(sequence, null, 0))
  push(65_533, 65_534, 0, 65_535, 1, 1, 4)
  const { jitter, ...figures } = reception.report()
  assert.equal(jitter, 0)
  // 8 expected, 7 counted with the double: one lost by the standard's arithmetic.
  assert.deepEqual(figures, { fractionLost: 32, cumulativeLost: 1, highestSequence: 65_540 })
  push(5, 6, 9, 10)
  assert.deepEqual(reception.report(), { fractionLost: 85, cumulativeLost: 3, highestSequence: 65_546, jitter: 0 })
  push(7, 8, 10, 10)
  assert.equal(reception.report().fractionLost, 0)
  assert.deepEqual(reception.totals(), { packets: 15, lost: -1, jitterMs: 0 })
})

test('RFC 3550 A.1: a far sequence number alone is stray, two in order are a new count', () => {
  const reception = createReception()
  for (let i = 0; i < 10; i++) reception.push(i, null, 0)
  assert.ok(!reception.push(30_000, null, 0))
  assert.ok(reception.push(10, null, 0))
  assert.ok(!reception.push(40_000, null, 0))
  assert.ok(reception.push(40_001, null, 0))
  assert.deepEqual(reception.totals(), { packets: 12, lost: 0, jitterMs: 0 })
  assert.equal(reception.report().highestSequence, 40_001)
})

test('RFC 3550 A.8: jitter', () => {
  const reception = createReception()
  const arrivals = [0, 20, 45, 60, 80]
  arrivals.forEach((atMs, i) => {
    reception.push(i, i * 160, atMs)
  })
  // Transits in units: 0, 0, 40, 0, 0.
  let jitter = 0
  for (const change of [0, 40, 40, 0]) jitter += (change - jitter) / 16
  assert.ok(Math.abs(reception.totals().jitterMs - jitter / 8) < 1e-9)
  assert.equal(reception.report().jitter, Math.floor(jitter))
  // A jump of timestamps is none.
  reception.push(5, 4_000_000_000, 100)
  assert.ok(Math.abs(reception.totals().jitterMs - jitter / 8) < 1e-9)
})

test('RFC 3550 §4: NTP time', () => {
  assert.deepEqual(ntpTime(0), { ntpSeconds: 2_208_988_800, ntpFraction: 0 })
  assert.deepEqual(ntpTime(1500), { ntpSeconds: 2_208_988_801, ntpFraction: 0x80000000 })
  // The figures of §6.4.1.
  assert.equal(compactNtp({ ntpSeconds: 0xb44db705, ntpFraction: 0x20000000 }), 0xb7052000)
})

const wallMs = Date.UTC(2026, 10, 21)
const options = { cname: 'tandem', nowMs: 0, wallMs, random: () => 0.5, intervalMs: 1000 }
const idle = { ssrc: 1, packets: 0, octets: 0, timestamp: 0 }

test('reports: a sender report after sending, else a receiver report, each with the name, at their times', () => {
  const reports = createReports(options)
  assert.ok(!reports.isDue(499) && reports.isDue(500))
  const first = readRtcp(reports.next(500, idle, null))
  assert.deepEqual(first, [
    { type: 'receiver_report', ssrc: 1, blocks: [] },
    { type: 'source_description', chunks: [{ ssrc: 1, items: [{ type: 1, value: 'tandem' }] }] },
  ])
  assert.ok(!reports.isDue(1499) && reports.isDue(1500))
  const reception = createReception()
  for (const i of [0, 1, 3]) reception.push(i, i * 160, i * 20)
  const sending = { ssrc: 1, packets: 50, octets: 8000, timestamp: 8000 }
  const [report] = readRtcp(reports.next(1500, sending, { ssrc: 2, reception })) as object[]
  assert.deepEqual(report, {
    type: 'sender_report',
    ssrc: 1,
    sender: { ...ntpTime(wallMs + 1500), rtpTimestamp: 8000, packets: 50, octets: 8000 },
    blocks: [
      {
        ssrc: 2,
        fractionLost: 64,
        cumulativeLost: 1,
        highestSequence: 3,
        jitter: 0,
        lastSenderReport: 0,
        delaySinceLastSenderReport: 0,
      },
    ],
  })
  const last = readRtcp(reports.goodbye(1600, sending, null)) as { type: string }[]
  assert.deepEqual(
    last.map(({ type }) => type),
    ['receiver_report', 'source_description', 'goodbye'],
  )
})

test('round trip and loss are learned from the blocks about us', () => {
  const [ours, theirs] = [createReports(options), createReports({ ...options, random: () => 0.9 })]
  const sending = { ssrc: 1, packets: 10, octets: 1600, timestamp: 0 }
  const sent = readRtcp(ours.next(1000, sending, null)) as never
  theirs.push(sent, 1030)
  const reception = createReception()
  for (const i of [0, 1, 2, 5]) reception.push(i, i * 160, i * 20 + (i === 2 ? 8 : 0))
  const answer = theirs.next(1530, { ...idle, ssrc: 2 }, { ssrc: 1, reception })
  ours.push(readRtcp(answer) as never, 1570)
  assert.equal(ours.remote()?.packetsLost, 2)
  assert.equal(ours.remote()?.fractionLost, 85 / 256)
  assert.ok(Math.abs(ours.remote()!.roundTripMs! - 70) < 0.1)
  assert.ok(ours.remote()!.jitterMs > 0 && !ours.hasLeft())
  const block = { ssrc: 99, fractionLost: 255 } as ReportBlock
  ours.push([{ type: 'receiver_report', ssrc: 2, blocks: [block] }], 1600)
  assert.equal(ours.remote()?.packetsLost, 2, 'a block about somebody else says nothing')
  ours.push(readRtcp(theirs.goodbye(1700, { ...idle, ssrc: 2 }, null)) as never, 1700)
  assert.ok(ours.hasLeft())
})
