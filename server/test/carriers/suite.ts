// What every carrier of messages must do, whatever it speaks on the wire. A carrier's own test calls `carrierSuite` with a
// way to start it against its peer, and the recipients with which that peer can be made to answer in each way.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../../src/kernel/values/ids.ts'
import type { Carrier, InboundMessage, PartResult, Receipt, Submission } from '../../src/modules/messaging/carrier.ts'
import { segmentsOf } from '../../src/modules/messaging/segments.ts'
import { problems } from '../../src/nouns.ts'

export type CarrierUnderTest = {
  carrier: Carrier
  /** Tenant ids the carrier may be given. */
  tenants: readonly [number, number]
  /** Everything it reported, in order. */
  receipts: readonly Receipt[]
  inbound: readonly InboundMessage[]
  /** What the peer does with a message to this number; only `delivered` is a must. */
  recipients: {
    delivered: string
    undelivered?: string
    expired?: string
    refused?: string
    /** Throttled the first time, accepted later. */
    throttled?: string
    /** Accepted, and never spoken of again. */
    silent?: string
    /** Its receipt comes before the answer to the submission. */
    early?: string
    /** Its receipt comes more than once. */
    repeated?: string
    /** Writes back. */
    replies?: string
  }
  /** Milliseconds within which receipts come. */
  withinMs: number
  stop(): Promise<void>
}

export function carrierSuite(name: string, start: () => Promise<CarrierUnderTest>): void {
  describe(`${name} is a carrier`, () => {
    let c: CarrierUnderTest
    let references = 1
    before(async () => {
      c = await start()
    })
    after(() => c?.stop())

    function submission(to: string, more: Partial<Submission> = {}): Submission {
      const body = more.body ?? 'Hello'
      const { encoding, segments } = segmentsOf(body)
      return {
        tenantId: c.tenants[0],
        messageId: newId('msg'),
        attempt: 1,
        from: '+15005550006',
        to,
        body,
        encoding,
        segments,
        parts: Array.from({ length: segments }, (_, index) => index + 1),
        reference: references++,
        expiresAt: '2099-01-01T00:00:00.000Z',
        ...more,
      }
    }

    /** Hands over when there is room, and checks that each submission is answered once, for each of its parts. */
    async function submit(batch: readonly Submission[]): Promise<PartResult[][]> {
      await reported('room', () => c.carrier.room() > 0)
      const results = new Map<number, PartResult[]>()
      await c.carrier.submit(batch, (index, parts) => {
        assert.ok(!results.has(index), 'answered twice')
        results.set(index, [...parts])
      })
      return batch.map((submission, index) => {
        const parts = results.get(index)
        assert.deepEqual(
          parts?.map(({ part }) => part),
          submission.parts,
        )
        return parts as PartResult[]
      })
    }

    async function submitOne(message: Submission): Promise<PartResult | undefined> {
      const [results] = await submit([message])
      return results?.[0]
    }

    function idsOf(results: readonly PartResult[]): string[] {
      return results.map(result => {
        assert.ok(result.outcome === 'accepted', JSON.stringify(result))
        assert.notEqual(result.carrierMessageId, '')
        return result.carrierMessageId
      })
    }

    /** The carrier's id of the first part. */
    async function accepted(message: Submission): Promise<string> {
      const [results] = await submit([message])
      return idsOf(results as PartResult[])[0] as string
    }

    const receiptsOf = (id: string) => c.receipts.filter(receipt => receipt.carrierMessageId === id)

    async function reported(what: string, holds: () => boolean): Promise<void> {
      for (const deadline = performance.now() + c.withinMs; performance.now() < deadline; await sleep(5))
        if (holds()) return
      assert.fail(`${what} was not reported within ${c.withinMs} ms`)
    }

    async function endsAs(to: string, status: Receipt['status']): Promise<Receipt> {
      const message = submission(to)
      const id = await accepted(message)
      await reported('the receipt', () => receiptsOf(id).length > 0)
      const [receipt] = receiptsOf(id)
      assert.equal(receipt?.status, status)
      assert.equal(receipt.tenantId, message.tenantId)
      if (receipt.messageId !== undefined) assert.equal(receipt.messageId, message.messageId)
      if (receipt.code !== undefined) assert.ok(Object.hasOwn(problems, receipt.code))
      if (receipt.at !== undefined) assert.ok(!Number.isNaN(Date.parse(receipt.at)))
      return receipt
    }

    test('answers each submission of a batch, in order, with ids of its own', async () => {
      assert.deepEqual(await submit([]), [])
      const batch = Array.from({ length: 50 }, (_, n) => submission(c.recipients.delivered, { body: `batch ${n}` }))
      const ids = (await submit(batch)).flatMap(idsOf)
      assert.equal(new Set(ids).size, batch.length)
      await reported('every receipt', () => ids.every(id => receiptsOf(id).length > 0))
      for (const [n, id] of ids.entries()) {
        const [receipt] = receiptsOf(id)
        if (receipt?.messageId !== undefined) assert.equal(receipt.messageId, batch[n]!.messageId)
      }
    })

    test('carries every kind of text', async () => {
      const texts = ['€[]{}\\^~|', 'Grüße aus Köln', 'привет', '😀😀', 'line\nline', 'a'.repeat(1_530), 'я'.repeat(670)]
      for (const body of texts) await accepted(submission(c.recipients.delivered, { body }))
    })

    test('hands over every part of a long text, and on request some of them', async () => {
      const whole = submission(c.recipients.delivered, { body: 'long '.repeat(100) })
      const [results] = await submit([whole])
      const ids = idsOf(results as PartResult[])
      assert.equal(new Set(ids).size, whole.segments)
      await reported('a receipt for each part', () => ids.every(id => receiptsOf(id).length > 0))
      const [rest] = await submit([submission(c.recipients.delivered, { body: 'long '.repeat(100), parts: [2, 4] })])
      assert.equal(new Set(idsOf(rest as PartResult[])).size, 2)
    })

    test('reports to a tenant only its own messages', async () => {
      const batch = c.tenants.map(tenantId => submission(c.recipients.delivered, { tenantId }))
      for (const [n, id] of (await submit(batch)).flatMap(idsOf).entries()) {
        await reported('the receipt', () => receiptsOf(id).length > 0)
        assert.deepEqual(new Set(receiptsOf(id).map(receipt => receipt.tenantId)), new Set([c.tenants[n]]))
      }
    })

    test('reports delivery', async () => {
      await endsAs(c.recipients.delivered, 'delivered')
    })

    for (const status of ['undelivered', 'expired'] as const) {
      test(`reports a message that is ${status}, and why`, async t => {
        const to = c.recipients[status]
        if (to === undefined) return t.skip('its peer cannot be made to')
        const receipt = await endsAs(to, status)
        assert.ok(receipt.code !== undefined)
      })
    }

    test('refuses with a code of ours', async t => {
      if (c.recipients.refused === undefined) return t.skip('its peer cannot be made to')
      const result = await submitOne(submission(c.recipients.refused))
      assert.ok(result?.outcome === 'refused' && Object.hasOwn(problems, result.code))
    })

    test('says when it is throttled, and takes the next attempt', async t => {
      if (c.recipients.throttled === undefined) return t.skip('its peer cannot be made to')
      const message = submission(c.recipients.throttled)
      for (let attempt = 1; attempt <= 5; attempt++) {
        const result = await submitOne({ ...message, attempt })
        if (result?.outcome === 'accepted' && attempt > 1) return
        assert.ok(result?.outcome === 'throttled', JSON.stringify(result))
        if (result.retryAfterMs !== undefined) assert.ok(result.retryAfterMs >= 0)
        await sleep(Math.min(result.retryAfterMs ?? 10, 1_000))
      }
      assert.fail('it is throttled for ever')
    })

    test('may stay silent', async t => {
      if (c.recipients.silent === undefined) return t.skip('its peer cannot be made to')
      const id = await accepted(submission(c.recipients.silent))
      await sleep(Math.min(c.withinMs / 2, 500))
      assert.deepEqual(receiptsOf(id), [])
      assert.ok(c.carrier.receiptTimeoutMs > 0)
    })

    test('may send a receipt before it answers, and send it again', async t => {
      const { early, repeated } = c.recipients
      if (early === undefined || repeated === undefined) return t.skip('its peer cannot be made to')
      const id = await accepted(submission(early))
      assert.equal(receiptsOf(id).length, 1)
      const again = await accepted(submission(repeated))
      await reported('the repetition', () => receiptsOf(again).length > 1)
    })

    test('hands inbound messages over, with an id that stays the same', async t => {
      const { replies } = c.recipients
      if (replies === undefined) return t.skip('its peer cannot be made to')
      await accepted(submission(replies, { from: '+15005550042' }))
      await reported('the reply', () => c.inbound.some(message => message.to === '+15005550042'))
      const message = c.inbound.find(message => message.to === '+15005550042')
      assert.equal(message?.from, replies)
      assert.equal(message.tenantId, c.tenants[0])
      assert.ok(message.reference !== '' && message.body !== '')
    })

    test('closes, also twice', async () => {
      await c.carrier.close()
      await c.carrier.close()
    })
  })
}
