// How links end, and what is said then of messages that were on their way: links that break, fall silent, are closed or cut.
// test: waits
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFixture, isUp, submission, submitAll, tenantId } from '../../../test/carriers/smpp.ts'
import { eventually } from '../../../test/eventually.ts'
import type { PartResult } from '../../modules/messaging/carrier.ts'

describe('links', () => {
  const { smsc, carrierOn, close } = createFixture()
  afterEach(close)

  test('that break leave what was written unknown, and it is never written again', async () => {
    const side = await smsc({ answer: () => new Promise<never>(() => {}) })
    const { carrier } = carrierOn(side.port, { settings: { windowSize: 2, responseTimeoutSeconds: 20 } })
    await eventually('up', () => isUp(carrier))
    const results = submitAll(carrier, [submission('one'), submission('two'), submission('three'), submission('four')])
    await eventually('two are written', () => side.submitted.length === 2)
    await side.close()
    const outcomes = (await results).map(([result]) => result?.outcome)
    assert.deepEqual(outcomes, ['unknown', 'unknown', 'throttled', 'throttled'])
    assert.equal(carrier.reports()[0]?.counters.unanswered, 2)
  })

  test('that stay silent leave the outcome unknown, and a late answer still counts', async () => {
    const side = await smsc({
      answer: async () => {
        await sleep(1_500)
        return { status: 0, messageId: '0042' } as never
      },
    })
    const { carrier, reported } = carrierOn(side.port)
    await eventually('up', () => isUp(carrier))
    const message = submission('hi')
    const [result] = await submitAll(carrier, [message])
    assert.deepEqual(result, [{ part: 1, outcome: 'unknown' }])
    await eventually('the late answer', () => reported.late.length === 1)
    const { messageId, attempt, segments } = message
    assert.deepEqual(reported.late, [
      { tenantId, messageId, attempt, segments, result: { part: 1, outcome: 'accepted', carrierMessageId: '42' } },
    ])
    assert.equal(side.submitted.length, 1)
  })

  test('dropped at once give the rest back, without an unbind', async () => {
    const heard: string[] = []
    const side = await smsc({
      answer: () => new Promise<never>(() => {}),
      smsc: { onTrace: ({ direction, text }) => void (direction === 'in' && heard.push(text)) },
    })
    const { carrier } = carrierOn(side.port, { settings: { windowSize: 1, responseTimeoutSeconds: 20, binds: 2 } })
    await eventually('up', () => carrier.reports().every(({ state }) => state === 'up'))
    const results = submitAll(carrier, [submission('one'), submission('two'), submission('three'), submission('four')])
    await eventually('two are written', () => side.submitted.length === 2)
    const startMs = performance.now()
    carrier.abort('test')
    assert.equal(carrier.room(), 0)
    const outcomes = ['unknown', 'unknown', 'throttled', 'throttled']
    assert.deepEqual(
      (await results).map(([result]) => result?.outcome),
      outcomes,
    )
    assert.ok(performance.now() - startMs < 1_000)
    await eventually('the peer sees it', () => side.smsc.sessions.length === 0)
    assert.ok(!heard.some(text => text.includes('unbind')), heard.join('; '))
    assert.equal(side.submitted.length, 2)
    await carrier.close()
  })

  test('that are closed wait for answers a while, and then all is known, however deaf the peer is', async () => {
    let answer = (_: { status: number; messageId: string }) => {}
    let asked = 0
    const side = await smsc({
      answer: () =>
        ++asked === 1 ? (new Promise(resolve => (answer = resolve)) as never) : new Promise<never>(() => {}),
    })
    const { carrier, reported } = carrierOn(side.port, { settings: { windowSize: 2, responseTimeoutSeconds: 30 } })
    await eventually('up', () => isUp(carrier))
    const settled: number[] = []
    const results: PartResult[][] = []
    const long = submission('long '.repeat(150))
    const batch = [submission('answered'), submission('silent'), submission('unwritten')]
    const submitting = carrier.submit(batch, (index, parts) => {
      settled.push(index)
      results[index] = [...parts]
    })
    await eventually('two are written', () => side.submitted.length === 2)
    const startMs = performance.now()
    const closing = carrier.close()
    assert.deepEqual(settled, [2], 'what was not written goes back at once')
    assert.deepEqual(await submitAll(carrier, [long]), [
      long.parts.map(part => ({ part, outcome: 'throttled', code: 'carrier_link_down' })),
    ])
    assert.equal(carrier.room(), 0)
    answer({ status: 0, messageId: 'in-time' })
    await submitting
    const seconds = (performance.now() - startMs) / 1_000
    assert.ok(seconds < 6, `${seconds} s`)
    assert.deepEqual(
      results.map(parts => parts[0]?.outcome),
      ['accepted', 'unknown', 'throttled'],
    )
    assert.equal(carrier.close(), closing, 'one end')
    await closing
    assert.equal(carrier.reports()[0]?.state, 'stopped')
    assert.deepEqual(reported.late, [])
    assert.equal(side.submitted.length, 2)
  })
})
