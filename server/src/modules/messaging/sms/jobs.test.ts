// What carriers and crashes do to messages, step by step on the real database: never two submissions of one message,
// nothing lost, receipts in any order and any number, and two nodes that never meet.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import type { Db } from '../../../kernel/db.ts'
import { newId, timeOfId } from '../../../kernel/ids.ts'
import { type Queue, startQueue } from '../../../kernel/queue.ts'
import type { CarrierMaker, PartResult, Receipt, Submission } from '../carrier.ts'
import { messageQueues } from '../carrier_context.ts'
import { claimMoves, partsOf, receiveReceipts } from './jobs.ts'
import { type MessageEvent, type MessageRow, type messageStatuses, movesOf, nextMessage } from './rules.ts'
import { type ClaimedRow, claimMessages, concludeMessages, insertMessage, maxClaimed, settleRoutes } from './store.ts'

let t: TestApp
let db: Db
before(async () => {
  t = await startTestApp()
  db = t.app.services.db
})
after(() => t?.close())
// Each test begins with nothing waiting.
beforeEach(() => t.ownerSql('truncate message_jobs, message_routes'))

const tenantId = () => t.main.testTenantId
const carrier = 'simulator'

async function send(body = 'Hello', more: object = {}): Promise<string> {
  const answer = await t.call('POST', '/v2/messages/sms', {
    as: t.main.testKey,
    body: { from: '+15005550006', to: '+15005550999', body, ...more },
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.json.messageId
}

async function read(id: string) {
  const { json } = await t.call('GET', `/v2/messages/${id}`, { as: t.main.testKey })
  return { ...json.data, path: json.data.history.map((entry: { status: string }) => entry.status).join(' ') }
}

const allMoves = movesOf(
  ...([
    'accepted',
    'throttled',
    'refused',
    'answer_lost',
    'asked_again',
    'receipt_delivered',
    'receipt_undelivered',
    'receipt_expired',
    'receipt_missing',
  ] as const),
)
const claim = (token: string, leaseMs = 60_000) =>
  claimMessages(db, carrier, { token, limit: maxClaimed, leaseMs, moves: claimMoves })

/** The carrier's id of a part. */
const carrierIdOf = (id: string, part = 1) => (part === 1 ? `c_${id}` : `c_${id}_${part}`)

function resultOf(row: ClaimedRow, part: number, event: MessageEvent): PartResult {
  switch (event) {
    case 'accepted':
      return { part, outcome: 'accepted', carrierMessageId: carrierIdOf(row.id, part) }
    case 'refused':
      return { part, outcome: 'refused', code: 'unknown_subscriber' }
    case 'throttled':
      return { part, outcome: 'throttled' }
    default:
      return { part, outcome: 'unknown' }
  }
}

function conclude(
  token: string,
  rows: ClaimedRow[],
  event: MessageEvent,
  retryMs: number | null = null,
  receiptTimeoutMs = 60_000,
  on = db,
) {
  const conclusions = rows.map(row => ({
    tenantId: row.tenant_id,
    id: row.id,
    attempt: row.attempt,
    event,
    code: null,
    retryMs,
    parts: partsOf(row).map(part => resultOf(row, part, event)),
  }))
  return concludeMessages(on, carrier, conclusions, { tokens: [token], receiptTimeoutMs, moves: allMoves })
}

const receipt = (id: string, more: Partial<Receipt> = {}): Receipt => ({
  tenantId: tenantId(),
  carrierMessageId: `c_${id}`,
  status: 'delivered',
  ...more,
})
const receive = (...receipts: Receipt[]) => receiveReceipts(db, carrier, receipts)
const settle = () => settleRoutes(db, { lateMs: 60_000, moves: allMoves })

/** A carrier that remembers what it was given and answers as it is told. */
type Answer = PartResult extends infer Result ? (Result extends PartResult ? Omit<Result, 'part'> : never) : never

function recorder(answer: (submission: Submission, part: number) => Answer | Promise<Answer>) {
  const submitted: string[] = []
  const maker: CarrierMaker = {
    name: carrier,
    open: () => ({
      receiptTimeoutMs: 60_000,
      room: () => 200,
      async submit(batch, settle) {
        await Promise.all(
          batch.map(async (submission, index) => {
            submitted.push(`${submission.messageId} ${submission.attempt}`)
            const results = submission.parts.map(async part => ({ part, ...(await answer(submission, part)) }))
            settle(index, (await Promise.all(results)) as PartResult[])
          }),
        )
      },
      async close() {},
    }),
  }
  return { maker, submitted }
}

function run(maker: CarrierMaker, nodes: TestApp['app'][] = [t.app]): () => Promise<void> {
  const queues: Queue[] = nodes.flatMap(({ services }) =>
    messageQueues([maker]).map(make =>
      startQueue({ ...make(services), pollMs: 20 }, { log: services.log, newToken: () => newId('lse') }),
    ),
  )
  return async () => void (await Promise.all(queues.map(queue => queue.stop())))
}

async function eventually(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + 5_000; performance.now() < deadline; await sleep(10))
    if (await holds()) return
  assert.fail(`${what} did not come about`)
}

describe('a process that dies', () => {
  test('before claiming: the message waits', async () => {
    const id = await send()
    assert.equal((await claim('one')).length, 1)
    assert.equal((await claim('two')).length, 0, 'nobody else gets it while it is leased')
    assert.equal((await read(id)).status, 'sending')
  })

  test('between claiming and the answer: unconfirmed, and never submitted again', async () => {
    const id = await send()
    assert.equal((await claim('dead', 1)).length, 1)
    await sleep(10)
    const { maker, submitted } = recorder(() => ({ outcome: 'accepted', carrierMessageId: newId('x') }))
    const stop = run(maker)
    await eventually('unconfirmed', async () => (await read(id)).status === 'unconfirmed')
    await sleep(100)
    await stop()
    assert.deepEqual(submitted, [])
    const message = await read(id)
    assert.equal(message.path, 'queued sending unconfirmed')
    assert.equal(message.code, 'submit_unconfirmed')
    assert.deepEqual(await t.sql('select from message_jobs'), [])
  })

  test('but whose answer comes after all: the carrier has it', async () => {
    const id = await send()
    const rows = await claim('slow', 1)
    await sleep(10)
    assert.deepEqual(await claim('other'), [])
    assert.equal((await read(id)).status, 'unconfirmed')
    assert.equal(await conclude('slow', rows, 'accepted'), 1)
    await receive(receipt(id))
    assert.equal((await read(id)).path, 'queued sending unconfirmed sent delivered')
  })

  test('and whose late answer is a refusal or throttling: it stays unconfirmed, and nothing is queued again', async () => {
    const id = await send()
    const rows = await claim('slow', 1)
    await sleep(10)
    await claim('other')
    assert.equal(await conclude('slow', rows, 'throttled', 0), 0)
    assert.equal(await conclude('slow', rows, 'refused'), 0)
    assert.equal((await read(id)).status, 'unconfirmed')
    assert.deepEqual(await t.sql('select from message_jobs'), [])
  })

  test('after submitting, and the carrier repeats our id in the receipt: it is known all the same', async () => {
    const [during, afterwards] = [await send(), await send()]
    await claim('dead', 50)
    await receive(receipt(during, { messageId: during }))
    assert.equal((await read(during)).status, 'sending', 'its answer may still come')
    await sleep(60)
    await claim('other')
    await receive(receipt(afterwards, { messageId: afterwards }))
    assert.equal((await read(afterwards)).path, 'queued sending unconfirmed delivered')
    assert.equal((await read(during)).status, 'unconfirmed')
    await t.ownerSql("update message_routes set due_at = now() - interval '1 second'")
    await settle()
    assert.equal((await read(during)).path, 'queued sending unconfirmed delivered')
    assert.deepEqual(await t.sql('select from message_routes'), [])
  })
})

describe('answers', () => {
  test('a carrier that throws: unknown, not again', async () => {
    const id = await send()
    const { maker, submitted } = recorder(() => Promise.reject(new Error('link lost')))
    t.app.services.log.level = 'silent'
    const stop = run(maker)
    await eventually('unconfirmed', async () => (await read(id)).status === 'unconfirmed')
    await sleep(100)
    await stop()
    t.app.services.log.level = 'error'
    assert.deepEqual(submitted, [`${id} 1`])
  })

  test('throttled: again after the time it asked for, with the next attempt', async () => {
    const ids = await Promise.all([send(), send()])
    const { maker, submitted } = recorder(({ attempt, messageId }) =>
      attempt < 3 ? { outcome: 'throttled', retryAfterMs: 100 } : { outcome: 'accepted', carrierMessageId: messageId },
    )
    const from = performance.now()
    const stop = run(maker)
    for (const id of ids) await eventually('sent', async () => (await read(id)).status === 'sent')
    await stop()
    assert.ok(performance.now() - from >= 200)
    assert.deepEqual(submitted.toSorted(), ids.flatMap(id => [1, 2, 3].map(attempt => `${id} ${attempt}`)).toSorted())
  })

  test('throttled until the validity passed: expired, with the reason', async () => {
    const id = await send('late', { validityPeriod: 1 })
    const { maker } = recorder(() => ({ outcome: 'throttled', retryAfterMs: 100 }))
    const stop = run(maker)
    await eventually('expired', async () => (await read(id)).status === 'expired')
    await stop()
    assert.equal((await read(id)).code, 'carrier_queue_overflow')
  })

  test('two nodes never submit the same message', async () => {
    const ids = await Promise.all(Array.from({ length: 400 }, (_, n) => send(`both ${n}`)))
    const { maker, submitted } = recorder(({ messageId }) => ({ outcome: 'accepted', carrierMessageId: messageId }))
    const stop = run(maker, [t.app, (await t.secondApp()).app])
    await eventually('all', async () => submitted.length >= ids.length)
    await sleep(50)
    await stop()
    assert.deepEqual(submitted.toSorted(), ids.map(id => `${id} 1`).toSorted())
  })
})

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

test('plans made on empty tables still reach every row by its key when the tables have grown', async () => {
  const rowsRead = async (table: string) => {
    const [row] = await t.ownerSql<{ read: string; changed: string }>(
      'select idx_tup_fetch + seq_tup_read as read, n_tup_upd + n_tup_del as changed from pg_stat_user_tables where relname = $1',
      [table],
    )
    return { read: Number(row!.read), changed: Number(row!.changed) }
  }
  await t.ownerSql('truncate messages, message_jobs, message_routes')
  // The plans: made now, where every table is empty, and kept by the connections.
  for (let n = 0; n < 4; n++) await Promise.all([claim(`p${n}`), settle(), receive(receipt('nobody'))])
  const [before, routesBefore] = [await rowsRead('messages'), await rowsRead('message_routes')]
  const count = 4_000
  const row = (id: string): MessageRow => ({
    ...{ tenant_id: tenantId(), id, direction: 'outbound', status: 'queued', code: null, carrier, encoding: 'GSM-7' },
    ...{
      from_address: '+15005550006',
      to_address: '+15005550999',
      body: 'x',
      segments: 1,
      attempts: 0,
      validity_seconds: 600,
    },
    ...{ callback_url: null, tags: null, metadata: null, created_at: new Date(timeOfId(id)).toISOString() },
    ...{ sent_at: null, delivered_at: null, final_at: null, service_id: null, send_at: null, segments_delivered: 0 },
    ...{ price_micros: null, currency: null, partial: false, redacted_at: null },
  })
  await Promise.all(
    Array.from({ length: count }, () => row(newId('msg'))).map(message =>
      insertMessage(db, { row: message, eventData: '{}' }),
    ),
  )
  for (let n = 0, done = 0; done < count; n++) {
    const rows = await claim(`t${n}`)
    await conclude(`t${n}`, rows, 'accepted')
    await receive(...rows.map(message => receipt(message.id)))
    done += rows.length
  }
  // A connection tells its counts a second later, at its next statement.
  await eventually('the statistics', async () => {
    await Promise.all([claim('s1'), claim('s2'), sleep(200)])
    return (await rowsRead('messages')).changed - before.changed >= 3 * count
  })
  const perMessage = ((await rowsRead('messages')).read - before.read) / count
  const perRoute = ((await rowsRead('message_routes')).read - routesBefore.read) / count
  // A dozen times for each, from its claim to its receipt: what matters is that it does not grow with the table.
  assert.ok(perMessage < 16, `${perMessage} rows of messages were read for each`)
  assert.ok(perRoute < 10, `${perRoute} rows of message_routes were read for each`)
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
