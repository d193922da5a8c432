// What crashes and carriers' answers do to messages, step by step on the real database: never two submissions of one message,
// nothing lost, and two nodes that never meet.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../../test/eventually.ts'
import type { TestApp } from '../../../../test/harness.ts'
import { carrier, startEvents } from '../../../../test/message_events.ts'
import { type Db, isConnectionProblem } from '../../../kernel/data/db.ts'
import { unavailable } from '../../../kernel/data/db_errors.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { type Queue, startQueue } from '../../../kernel/jobs/queue.ts'
import { newId, timeOfId } from '../../../kernel/values/ids.ts'
import type { CarrierMaker, PartResult, Submission } from '../carrier.ts'
import { messageQueues } from '../carrier_context.ts'
import { insertMessage } from './intake_store.ts'
import { createRecorder } from './recorder.ts'
import type { MessageRow } from './rules.ts'

const { t, db, tenantId, send, read, claim, conclude, receipt, receive, settle } = await startEvents()

/** A carrier that remembers what it was given and answers as instructed. */
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
            settle(index, (await Promise.all(results)) as PartResult[], `form ${submission.attempt}`)
          }),
        )
      },
      async close() {},
    }),
  }
  return { maker, submitted }
}

function run(maker: CarrierMaker, nodes: Pick<TestApp['app'], 'services'>[] = [t.app]): () => Promise<void> {
  const queues: Queue[] = nodes.flatMap(({ services }) =>
    messageQueues([maker]).map(make =>
      startQueue({ ...make(services), pollMs: 20 }, { log: services.log, newToken: () => newId('lse') }),
    ),
  )
  return async () => void (await Promise.all(queues.map(queue => queue.stop())))
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

describe('a connection that breaks', () => {
  /** What statements reject with whose connection breaks before their answer; `of` says which, and whether they were run all the same. */
  function breaking(of: (name: string) => 'before' | 'after' | undefined): Services {
    const work: Db['work'] = async (name, text, values) => {
      const at = of(name)
      if (at !== 'before') {
        const rows = await db.work(name, text, values)
        if (at === undefined) return rows as never
      }
      throw unavailable(new Error('the connection broke'))
    }
    return { ...t.app.services, db: { ...db, work } }
  }

  test('behind a claim leaves nothing in doubt: what was begun waits again, and goes out', async () => {
    const ids = await Promise.all([send(), send('x'.repeat(200))])
    const { maker, submitted } = recorder(({ messageId }, part) => ({
      outcome: 'accepted',
      carrierMessageId: `${messageId}/${part}`,
    }))
    let claims = 0
    const services = breaking(name => (name === 'claim_messages' && ++claims === 1 ? 'after' : undefined))
    t.app.services.log.level = 'silent'
    const stop = run(maker, [{ services }])
    for (const id of ids) await eventually('sent', async () => (await read(id)).status === 'sent')
    await stop()
    t.app.services.log.level = 'error'
    for (const id of ids) assert.equal((await read(id)).path, 'queued sending queued sending sent')
    assert.deepEqual(submitted.toSorted(), ids.map(id => `${id} 2`).toSorted())
    assert.deepEqual(await t.sql('select from message_jobs'), [])
  })

  test('behind the last claim of a process leaves nothing in doubt either', async () => {
    const id = await send()
    const { maker, submitted } = recorder(() => ({ outcome: 'unknown' }))
    const services = breaking(name => (name === 'claim_messages' ? 'after' : undefined))
    t.app.services.log.level = 'silent'
    const stop = run(maker, [{ services }])
    await eventually('claimed', async () => (await read(id)).status === 'sending')
    await stop()
    t.app.services.log.level = 'error'
    assert.deepEqual(submitted, [])
    assert.match((await read(id)).path, /^queued( sending queued)+$/)
    assert.equal((await claim('next')).length, 1)
  })

  test('behind an answer is waited for: the answer is written when the database is back', async () => {
    const id = await send()
    const rows = await claim('token')
    let tries = 0
    const services = breaking(name => (name === 'write_answers' && ++tries <= 8 ? 'before' : undefined))
    t.app.services.log.level = 'silent'
    const options = { services, routes: undefined, leaseMs: 60_000, againMs: 1 }
    const record = createRecorder(carrier, { receiptTimeoutMs: 60_000 }, options)
    const parts: PartResult[] = [{ part: 1, outcome: 'accepted', carrierMessageId: 'c' }]
    const conclusions = rows.map(row => ({
      ...{
        tenantId,
        id: row.id,
        attempt: 1,
        segments: 1,
        event: 'accepted' as const,
        code: null,
        retryMs: null,
        parts,
      },
    }))
    const writing = record({ conclusions, token: 'token', isLast: true })
    await writing
    t.app.services.log.level = 'error'
    assert.equal(tries, 9)
    assert.equal((await read(id)).path, 'queued sending sent')
    const ended = createRecorder(carrier, { receiptTimeoutMs: 60_000 }, { ...options, leaseMs: 0 })
    tries = 0
    await assert.rejects(ended({ conclusions, token: 'token', isLast: true }), isConnectionProblem)
    assert.equal(tries, 1, 'behind its lease others have settled it')
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

  test('throttled in part: the rest goes in the form of what was taken, what nothing was taken of in any', async () => {
    const [torn, whole] = [await send('a'.repeat(300)), await send('b'.repeat(300))]
    const formsOf = new Map<string, (string | undefined)[]>([torn, whole].map(id => [id, []]))
    const { maker } = recorder(({ messageId, attempt, form }, part) => {
      if (part === 2) formsOf.get(messageId)!.push(form)
      const isTaken = attempt === 3 || (messageId === torn && part === 1)
      return isTaken
        ? { outcome: 'accepted', carrierMessageId: `${messageId}/${part}` }
        : { outcome: 'throttled', retryAfterMs: 0 }
    })
    const stop = run(maker)
    for (const id of [torn, whole]) await eventually('sent', async () => (await read(id)).status === 'sent')
    await stop()
    assert.deepEqual(formsOf.get(torn), [undefined, 'form 1', 'form 1'])
    assert.deepEqual(formsOf.get(whole), [undefined, undefined, undefined])
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
    ...{ tenant_id: tenantId, id, direction: 'outbound', status: 'queued', code: null, carrier, encoding: 'GSM-7' },
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
    Array.from({ length: count }, () => row(newId('msg'))).map(message => insertMessage(db, { row: message })),
  )
  for (let n = 0, done = 0; done < count; n++) {
    const rows = await claim(`t${n}`)
    await conclude(`t${n}`, rows, 'accepted')
    await receive(...rows.map(message => receipt(message.id)))
    done += rows.length
  }
  // A connection reports its counts a second later, at its next statement.
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
