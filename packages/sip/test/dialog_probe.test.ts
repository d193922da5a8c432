// OPTIONS to a trunk (RFC 3261 §11): what means up, what means down, and how often it is asked.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProbeOptions, ProbeStatus } from '../src/dialog/probe.ts'
import { createProbe } from '../src/dialog/probe.ts'
import type { SipRequest } from '../src/message.ts'
import { respond, valuesOf } from './dialog_support.ts'

function createBench(options: Partial<ProbeOptions> = {}) {
  const sent: { request: SipRequest; atMs: number }[] = []
  const states: ProbeStatus[] = []
  let nowMs = 1_000
  const probe = createProbe(
    {
      target: 'sip:sip.carrier.example',
      from: '<sip:tandem@192.0.2.10>',
      contact: '<sip:192.0.2.10:5060>',
      callId: 'probe-1',
      localTag: 'p1',
      random: bytes => Buffer.alloc(bytes, 128),
      via: () => 'SIP/2.0/UDP 192.0.2.10:5060;branch=z9hG4bKp;rport',
      ...options,
    },
    { send: request => sent.push({ request, atMs: nowMs }), onState: status => states.push(status) },
  )
  /** Lets time pass; `reply` says what comes back to each request, 40 ms later. */
  function run(ms: number, reply: number | 'timeout' | 'transport' | undefined): void {
    const end = nowMs + ms
    for (;;) {
      const due = probe.nextDeadlineMs
      if (due === undefined || due > end) break
      nowMs = due
      const before = sent.length
      probe.tick(nowMs)
      if (sent.length > before) hear(reply)
    }
    nowMs = end
  }
  function hear(reply: number | 'timeout' | 'transport' | undefined, index = sent.length - 1): void {
    if (reply === undefined) return
    if (typeof reply === 'string') {
      probe.failed(reply, nowMs)
      return
    }
    nowMs += 40
    const { message, core } = respond(sent[index]!.request, reply)
    probe.receive(message, core, nowMs)
  }
  return { probe, sent, states, run, hear, start: () => probe.start(nowMs), now: () => nowMs }
}

test('up with the first answer, then asked every 30 seconds or so', () => {
  const bench = createBench()
  bench.start()
  assert.equal(bench.probe.status.state, 'unknown')
  bench.hear(200)
  assert.deepEqual([bench.probe.status.state, bench.probe.status.roundTripMs], ['up', 40])
  bench.run(300_000, 200)
  const waits = bench.sent.slice(1).map(({ atMs }, index) => atMs - bench.sent[index]!.atMs)
  assert.ok(waits.every(wait => wait >= 27_000 && wait <= 33_100))
  assert.equal(bench.states.length, 1)
  assert.deepEqual(valuesOf(bench.sent[1]!.request, 'CSeq'), ['2 OPTIONS'])
  assert.deepEqual(valuesOf(bench.sent[1]!.request, 'To'), ['<sip:sip.carrier.example>'])
})

test('a refusal is a sign of life, an answer that nobody is there is none', () => {
  for (const status of [200, 401, 403, 404, 405, 481, 486, 500, 501]) {
    const bench = createBench()
    bench.start()
    bench.hear(status)
    assert.equal(bench.probe.status.state, 'up', String(status))
  }
  for (const status of [408, 502, 503, 504]) {
    const bench = createBench({ downAfter: 1 })
    bench.start()
    bench.hear(status)
    assert.deepEqual([bench.probe.status.state, bench.probe.status.status], ['down', status])
  }
})

test('down after three failures in sequence, asked again soon; up with the first answer', () => {
  for (const silence of [undefined, 'timeout', 'transport'] as const) {
    const bench = createBench()
    bench.start()
    bench.hear(200)
    bench.run(33_000, silence)
    assert.equal(bench.probe.status.state, 'up', 'one failure is none')
    bench.run(25_000, silence)
    assert.deepEqual([bench.probe.status.state, bench.probe.status.failures >= 3], ['down', true])
    bench.run(33_000, 200)
    assert.equal(bench.probe.status.state, 'up')
    assert.deepEqual(
      bench.states.map(({ state }) => state),
      ['up', 'down', 'up'],
    )
  }
})

test('a late answer counts, and so does a call from the trunk', () => {
  const bench = createBench({ downAfter: 1 })
  bench.start()
  bench.run(5_000, undefined)
  assert.equal(bench.probe.status.state, 'down')
  bench.hear(200, 0)
  assert.equal(bench.probe.status.state, 'up')
  const other = createBench({ downAfter: 1 })
  other.start()
  other.run(5_000, undefined)
  other.probe.seen(other.now())
  assert.equal(other.probe.status.state, 'up')
})

test('stopped it asks nothing and hears nothing', () => {
  const bench = createBench()
  bench.start()
  bench.probe.stop()
  bench.hear(200)
  assert.deepEqual(
    [bench.probe.status.state, bench.probe.nextDeadlineMs, bench.states.length],
    ['unknown', undefined, 0],
  )
})
