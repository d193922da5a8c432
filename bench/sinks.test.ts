/**
 * Guards the sinks of the gateway benches: what they count is what proves that no message was lost or doubled, so a
 * message that comes twice must show, and a carrier's side that no peer understands would measure nothing.
 */
import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createEsme, type Delivery, type FieldsOf, parseReceipt } from '@tandem/smpp'
import { momentsOf, openLoad } from './open_load.ts'
import { startHttpSink, startSmscSink } from './sinks.ts'

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + 10_000
  while (!(await holds())) {
    if (performance.now() > deadlineMs) throw new Error('did not happen within 10 s')
    await sleep(10)
  }
}

const submitFields = (n: number): FieldsOf<'submit_sm'> => ({
  sourceAddr: '4930',
  destAddrTon: 1,
  destAddrNpi: 1,
  destinationAddr: `49151${n}`,
  registeredDelivery: 1,
  shortMessage: Buffer.from(`Your code is ${String(n).padStart(8, '0')}`),
})

test('the carrier answers each message, counts it by its number, and sends a receipt that names it', async t => {
  const sink = await startSmscSink({ receiptDelayMs: 20 })
  t.after(() => sink.stop())
  const receipts: Delivery[] = []
  const esme = createEsme({
    host: sink.host,
    port: sink.port,
    systemId: 'bench',
    password: 'bench',
    onDeliver: pdu => {
      receipts.push(pdu)
      return 0
    },
  })
  t.after(() => esme.close())
  await esme.bound()
  const answers = await Promise.all([7, 8, 8].map(n => esme.submit(submitFields(n))))
  await until(() => receipts.length === 3)

  const reported = receipts.map(receipt => parseReceipt(receipt))
  assert.deepEqual(
    reported.map(receipt => receipt?.messageId),
    answers.map(answer => answer.messageId),
  )
  assert.ok(reported.every(receipt => receipt?.state === 'delivered' && receipt.isFinal))
  assert.deepEqual(
    receipts.map(({ sourceAddr, destinationAddr }) => [sourceAddr, destinationAddr]),
    ['491517', '491518', '491518'].map(to => [to, '4930']),
  )
  const { total, distinct, timesUs } = await sink.counts({ firstN: 7, count: 3 })
  assert.deepEqual({ total, distinct }, { total: 3, distinct: 2 })
  assert.deepEqual(
    [...timesUs!].map(time => time > 0),
    [true, true, false],
  )
  await sink.reset()
  assert.equal((await sink.counts()).total, 0)
})

test('the receiver of callbacks counts reports and webhooks, and finds a wrong signature', async t => {
  const sink = await startHttpSink()
  t.after(() => sink.stop())
  const key = randomBytes(32)
  await sink.useSecret(`whsec_${key.toString('base64')}`)
  const address = `http://${sink.host}:${sink.port}`
  await fetch(`${address}/dlr?n=00000001`)
  const body = JSON.stringify({ type: 'message.delivered', data: { body: 'Your code is 00000002' } })
  const signature = (id: string) => `v1,${createHmac('sha256', key).update(`${id}.1.${body}`).digest('base64')}`
  const post = (id: string, signedAs: string) => {
    const headers = { 'webhook-id': id, 'webhook-timestamp': '1', 'webhook-signature': signature(signedAs) }
    return fetch(address, { method: 'POST', headers, body })
  }
  assert.equal((await post('evt_a', 'evt_a')).status, 200)
  assert.deepEqual((await sink.counts()).others, { signed: 1 })
  // One in 64 is looked at: the first, and this one.
  for (let n = 0; n < 64; n++) await post('evt_b', 'evt_a')
  const { total, distinct, others } = await sink.counts()
  assert.deepEqual({ total, distinct, others }, { total: 66, distinct: 2, others: { signed: 1, unsigned: 1 } })
})

test('open arrivals come when they are due, and each is distinguished by its answer', async t => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.statusCode = request.url === '/00000003' ? 503 : 202
      setTimeout(() => response.end(), 5)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.closeAllConnections() ?? server.close())
  const { port } = server.address() as AddressInfo
  const template = { method: 'POST', path: '/{{n:8}}', body: '{}' }
  const result = await openLoad({ host: '127.0.0.1', port, template, perSecond: 200, seconds: 1, firstN: 1 })

  assert.equal(result.sent, momentsOf(200, 1).length)
  assert.ok(result.sent > 150 && result.sent < 250, String(result.sent))
  assert.deepEqual([result.succeeded, result.unexpected, result.unknown], [result.sent - 1, 1, 0])
  assert.equal(result.acceptedUs[2], 0)
  // The server takes some milliseconds for each; its timer may be early by one.
  assert.ok(result.acceptedUs.every((at, i) => i === 2 || at >= result.dueUs[i]! + 3_000))
})
