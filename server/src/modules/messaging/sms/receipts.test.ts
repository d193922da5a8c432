// Receipts of messages, step by step on the real database: in any order with the answers, any number of times, of messages of nobody;
// and whatever is said in whatever order, a message moves as the table says.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { carrier, startEvents } from '../../../../test/message_events.ts'
import type { Db } from '../../../kernel/data/db.ts'
import type { Receipt } from '../carrier.ts'
import { receiveReceipts } from './jobs.ts'
import { type MessageEvent, type messageStatuses, nextMessage } from './rules.ts'

const { t, send, read, claim, conclude, receipt, receive, settle } = await startEvents()

describe('receipts', () => {
  async function sent(): Promise<string> {
    const id = await send()
    await conclude('t', await claim('t'), 'accepted')
    return id
  }

  test('before the answer is stored: parked, then joined', async () => {
    const id = await send()
    const rows = await claim('t')
    await receive(receipt(id, { status: 'undelivered', code: 'unknown_subscriber' }))
    assert.equal((await read(id)).status, 'sending')
    await conclude('t', rows, 'accepted')
    const message = await read(id)
    assert.equal(message.path, 'queued sending sent undelivered')
    assert.equal(message.code, 'unknown_subscriber')
  })

  /** The same functions in one open transaction of another connection. */
  const elsewhere = {
    work: (_name: string, text: string, values: unknown[]) => t.ownerSql(text, values),
  } as unknown as Db

  test('while the answer is being stored: it waits for that and joins', async () => {
    const id = await send()
    const rows = await claim('t')
    await t.ownerSql('begin')
    await conclude('t', rows, 'accepted', null, 60_000, elsewhere)
    const receiving = receive(receipt(id))
    assert.equal(await Promise.race([receiving.then(() => 'stored'), sleep(100, 'waiting')]), 'waiting')
    await t.ownerSql('commit')
    await receiving
    assert.equal((await read(id)).path, 'queued sending sent delivered')
  })

  test('still being stored when the answer comes: the answer waits for it and joins', async () => {
    const id = await send()
    const rows = await claim('t')
    await t.ownerSql('begin')
    await receiveReceipts(elsewhere, carrier, [receipt(id)])
    const concluding = conclude('t', rows, 'accepted')
    assert.equal(await Promise.race([concluding, sleep(100, 'waiting')]), 'waiting')
    await t.ownerSql('commit')
    await concluding
    assert.equal((await read(id)).path, 'queued sending sent delivered')
  })

  test('at the same moment as the answer, over and over: never lost, never twice', async () => {
    for (let round = 0; round < 20; round++) {
      const id = await send()
      const rows = await claim('t')
      await Promise.all([conclude('t', rows, 'accepted'), receive(receipt(id)), receive(receipt(id))])
      assert.equal((await read(id)).path, 'queued sending sent delivered')
    }
  })

  test('repeated, in one batch and later: one event', async () => {
    const id = await sent()
    await receive(receipt(id), receipt(id))
    await Promise.all([receive(receipt(id)), receive(receipt(id))])
    assert.equal((await read(id)).path, 'queued sending sent delivered')
  })

  test('after the end: nothing goes back', async () => {
    const id = await sent()
    await receive(receipt(id, { status: 'undelivered' }))
    await receive(receipt(id))
    await receive(receipt(id, { status: 'expired' }))
    assert.equal((await read(id)).path, 'queued sending sent undelivered')
  })

  test('none in time: unconfirmed; a late one still counts', async () => {
    const id = await send()
    await conclude('t', await claim('t'), 'accepted', null, 1)
    await sleep(10)
    assert.equal(await settle(), 1)
    assert.equal((await read(id)).status, 'unconfirmed')
    assert.equal(await settle(), 0)
    await receive(receipt(id))
    assert.equal((await read(id)).path, 'queued sending sent unconfirmed delivered')
  })

  test('of a message that has ended, nothing is kept', async () => {
    const id = await send()
    await conclude('t', await claim('t'), 'accepted', null, 1)
    await receive(receipt(id))
    await sleep(10)
    await settle()
    assert.deepEqual(await t.sql('select from message_routes'), [])
  })

  test("of another tenant's message or of none: nothing moves", async () => {
    const id = await sent()
    await receive(receipt(id, { tenantId: t.other.testTenantId }), receipt('nobody'))
    assert.equal((await read(id)).status, 'sent')
    await t.ownerSql("update message_routes set due_at = now() - interval '1 second' where receipt is not null")
    await settle()
    assert.equal((await t.sql('select from message_routes')).length, 1, 'what was parked in vain is gone')
  })

  test('the time of delivery is the carrier’s, between sending and now', async () => {
    for (const at of ['2020-01-01T00:00:00Z', '2099-01-01T00:00:00Z']) {
      const id = await sent()
      await receive(receipt(id, { at }))
      const message = await read(id)
      assert.ok(message.deliveredAt >= message.sentAt && message.deliveredAt <= message.finalAt)
    }
  })
})

test('whatever carriers and receipts say in whatever order, a message moves as the table says', async () => {
  const events = ['accepted', 'refused', 'throttled', 'answer_lost'] as const
  const receipts = ['delivered', 'undelivered', 'expired'] as const
  const word = fc.oneof(fc.constantFrom(...events), fc.constantFrom(...receipts))
  await fc.assert(
    fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 6 }), async words => {
      await t.ownerSql('truncate message_jobs, message_routes')
      const id = await send()
      const rows = await claim('t')
      let status: (typeof messageStatuses)[number] = 'sending'
      let known = false
      let parked: MessageEvent | undefined
      for (const said of words) {
        if ((events as readonly string[]).includes(said)) {
          const event = said as MessageEvent
          await conclude('t', rows, event, 0)
          status = nextMessage(status, event) ?? status
          if (event === 'accepted') {
            known = true
            if (parked !== undefined) status = nextMessage(status, parked) ?? status
          }
        } else {
          const event = `receipt_${said}` as MessageEvent
          await receive(receipt(id, { status: said as Receipt['status'] }))
          if (known) status = nextMessage(status, event) ?? status
          else parked ??= event
        }
      }
      assert.equal((await read(id)).status, status, words.join(' '))
    }),
    { numRuns: 60 },
  )
})
