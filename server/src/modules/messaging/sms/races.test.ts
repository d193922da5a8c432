// Two processes at the same message at the same moment, each time in the worst order: what a carrier said is not lost to it,
// and nobody waits for whom they hold up.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { longText, recipient, sender, startSteps, taken, throttled } from '../../../../test/messages.ts'
import type { DbSession } from '../../../kernel/data/db.ts'
import { claimMoves, receiveReceipts } from './jobs.ts'

const { t, s } = await startSteps()
// Of two processes one is another node: on the connections of one, the second work may stand behind the first.
const otherNode = await t.secondApp()
const otherDb = otherNode.app.services.db

async function sendMany(count: number, body = 'x'): Promise<string[]> {
  const messages = Array.from({ length: count }, () => ({ from: sender, to: recipient, body }))
  const { json } = await t.call('POST', '/v2/messages/sms/batch', { as: s.as, body: { messages } })
  return json.data.messages.map((item: { messageId: string }) => item.messageId).toSorted()
}

/** Sessions of this database that wait for a lock are so many. */
async function waiting(count: number): Promise<void> {
  for (const deadline = performance.now() + 20_000; performance.now() < deadline; await sleep(10)) {
    // Within a transaction, sessions would be those of its first look.
    await t.ownerSql('select pg_stat_clear_snapshot()')
    const [row] = await t.ownerSql<{ n: number }>(
      `select count(distinct pid)::int as n from pg_locks l join pg_stat_activity a using (pid)
       where a.datname = current_database() and not l.granted`,
    )
    if (row!.n >= count) return
  }
  assert.fail(`no ${count} sessions wait`)
}

/** What `first` does is not committed before `second` waits for it. */
async function meanwhile(
  first: (session: DbSession) => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<void> {
  const session = await s.db.session()
  try {
    await session.query('begin', [])
    await first(session)
    const done = second()
    await waiting(1)
    await session.query('commit', [])
    await done
  } finally {
    await session.close()
  }
}

/** While `sql` holds rows, all of these begin and wait, one after the other. */
async function held(sql: string, values: unknown[], ...works: (() => Promise<unknown>)[]): Promise<void> {
  const done: Promise<unknown>[] = []
  await t.ownerSql('begin')
  try {
    await t.ownerSql(sql, values)
    for (const work of works) {
      done.push(work())
      await waiting(done.length)
    }
  } finally {
    // Also when one fails: the tests behind this one have nothing to do with it.
    await t.ownerSql('rollback')
    await Promise.allSettled(done)
  }
  await Promise.all(done)
}

const column = (n: 0 | 1 | 2) => claimMoves.map(move => move[n] as string)
const claimIn = (session: DbSession, token: string, limit: number) =>
  session.query<{ id: string }>(`select * from claim_messages('simulator', $1, $2, 60, $3, $4, $5, $6)`, [
    token,
    limit,
    null,
    column(0),
    column(1),
    column(2),
  ])

async function handOver(count: number): Promise<string[]> {
  const ids = await sendMany(count)
  await s.conclude('t', await s.claim('t'), row => taken(`c_${row.id}`))
  return ids
}

test('a receipt at the moment its time runs out is not lost', async () => {
  const [id] = (await handOver(1)) as [string]
  await s.ripen('message_routes')
  const moves = [['receipt_missing'], ['sent'], ['unconfirmed']]
  await meanwhile(
    session => session.query('select settle_message_routes(200, 60, $1, $2, $3, $4)', [['evt_settled'], ...moves]),
    () => s.receive(`c_${id}`),
  )
  assert.equal((await s.read(id)).path, 'queued sending sent unconfirmed delivered')
})

test('an answer at the moment its lease is found lost is not lost', async () => {
  const ids = await sendMany(2)
  const rows = await s.claim('dead', { leaseMs: -1 })
  const [first, second] = rows
  await meanwhile(
    session => claimIn(session, 'finder', 10),
    () => s.conclude(null, [first!], row => taken(`c_${row.id}`), { leases: ['dead'] }),
  )
  assert.deepEqual(
    (await Promise.all(ids.map(id => s.read(id)))).map(message => message.path),
    [first!.id, second!.id].toSorted().map(id => `queued sending unconfirmed${id === first!.id ? ' sent' : ''}`),
  )
})

test('repeated receipts in another order wait for each other', async () => {
  const ids = await handOver(40)
  const receipts = ids.map(id => ({ tenantId: s.tenantId, carrierMessageId: `c_${id}`, status: 'delivered' as const }))
  await held(
    'select from messages where id = $1 for update',
    [ids[20]],
    () => receiveReceipts(s.db, 'simulator', receipts),
    () => receiveReceipts(otherDb, 'simulator', receipts.toReversed()),
  )
})

test('receipts and the end of their time wait for each other', async () => {
  const ids = await handOver(2)
  await t.ownerSql("update message_routes set due_at = now() - interval '1 second' where message_id = $1", [ids[0]])
  const receipts = ids.map(id => ({ tenantId: s.tenantId, carrierMessageId: `c_${id}`, status: 'delivered' as const }))
  await held(
    'select from messages where id = $1 for update',
    [ids[1]],
    () => receiveReceipts(s.db, 'simulator', receipts),
    () => s.settle(otherDb),
  )
  assert.equal((await s.read(ids[0]!)).status, 'delivered')
})

test('a message that is taken back while it is claimed leaves the claim to the others', async () => {
  const [scheduled, other] = [await s.send({ sendAt: new Date(Date.now() + 3_600_000).toISOString() }), await s.send()]
  await t.ownerSql('delete from message_jobs where message_ids = array[$1]', [other])
  await t.ownerSql("update message_jobs set message_ids = array[$1, $2], due_at = now() - interval '1 second'", [
    scheduled,
    other,
  ])
  // The part that is split off would have this name.
  await t.ownerSql('begin')
  await t.ownerSql(
    `insert into message_jobs (tenant_id, id, carrier, due_at, message_ids) values ($1, $2, 'none', now(), '{}')`,
    [s.tenantId, `one${scheduled}`],
  )
  const claim = s.claim('one', { limit: 1 })
  await waiting(1)
  assert.equal((await t.call('POST', `/v2/messages/${scheduled}/cancel`, { as: s.as })).status, 200)
  await t.ownerSql('rollback')
  assert.deepEqual(await claim, [])
  assert.deepEqual(
    (await s.claim('two')).map(row => row.id),
    [other],
  )
})

test('a message that is claimed while its person is erased stays until it has ended', async () => {
  const id = await s.send({ sendAt: new Date(Date.now() + 600_000).toISOString() })
  await s.ripen('message_jobs')
  const erase = () =>
    t.sql<{ gone: number }>(`select erase_found($1, 'prv_1', 'messages', array[$2::text]) as gone`, [s.tenantId, id])
  let gone: { gone: number }[] = []
  await meanwhile(
    session => claimIn(session, 't', 10),
    async () => {
      gone = await erase()
    },
  )
  assert.deepEqual(gone, [{ gone: 0 }])
  assert.equal((await s.read(id)).status, 'sending')
  await t.ownerSql("update messages set status = 'failed' where id = $1", [id])
  assert.deepEqual(await erase(), [{ gone: 1 }])
})

test('a lost lease of which all waits again holds nobody up', async () => {
  const ids = [await s.send(), await s.send()]
  const rows = await s.claim('dies')
  await s.conclude(
    null,
    rows.filter(row => row.id === ids[0]),
    () => throttled,
    { leases: ['dies'] },
  )
  await t.ownerSql("update message_jobs set due_at = now() - interval '1 minute' where lease_token = 'dies'")
  const seen: string[] = []
  for (let n = 0; n < 4; n++) seen.push(...(await s.claim(`c${n}`, { limit: 1 })).map(row => row.id))
  assert.deepEqual(seen, [ids[0]])
  assert.equal((await s.jobs()).length, 1)
})

test('a claim locks the jobs it needs and no others', async () => {
  for (let n = 0; n < 4; n++) await sendMany(64)
  const [one, two] = [await s.db.session(), await s.db.session()]
  await one.query('begin', [])
  assert.equal((await claimIn(one, 'one', 60)).length, 60)
  assert.equal((await claimIn(two, 'two', 60)).length, 60)
  await Promise.all([one.close(), two.close()])
})

test('a lost lease of which nothing was begun is not more than the room', async () => {
  await sendMany(20, longText(10))
  for (let n = 0; n < 3; n++) await sendMany(64)
  await t.ownerSql(`update message_jobs set lease_token = 'dead' where cardinality(message_ids) = 64`)
  assert.equal((await s.claim('t', { limit: 200 })).length, 20)
})

test('a batch whose key others use too holds up nobody else', async () => {
  const headers = { 'idempotency-key': 'one-key' }
  const long = { from: sender, to: recipient, body: longText(2) }
  const postElsewhere = () =>
    t.call('POST', '/v2/messages/sms', {
      as: t.other.testKey,
      body: { from: sender, to: recipient, body: "I am in nobody's way" },
    })
  // Both credentials are known then, and what follows reaches the same group commit.
  assert.deepEqual([(await s.post(long)).status, (await postElsewhere()).status], [200, 200])
  await t.ownerSql('begin')
  let others: ReturnType<typeof t.call>[]
  let same: ReturnType<typeof t.call>
  let batch: ReturnType<typeof t.call>
  try {
    // Its claim is written, and its transaction waits for this row.
    await t.ownerSql('select from message_references for update')
    batch = t.call('POST', '/v2/messages/sms/batch', { as: s.as, headers, body: { messages: [long] } })
    await waiting(1)
    same = s.post({}, headers)
    others = Array.from({ length: 10 }, postElsewhere)
    const statuses = Promise.all(others).then(answers => answers.map(({ status }) => status))
    const first = await Promise.race([statuses, same.then(() => 'same'), sleep(3_000)])
    assert.deepEqual(first, Array(10).fill(200), 'a text of another organization waits')
  } finally {
    await t.ownerSql('commit')
  }
  assert.equal((await batch).status, 200)
  assert.equal((await same).json.error.code, 'idempotency_mismatch')
})

describe('batches of several chunks', () => {
  const [first, second] = ['+15005550010', '+15005550020']
  const places = Array.from({ length: 400 }, (_, n) => n)
  const to = (n: number) => `+1500555${1_000 + n}`
  const batch = (messages: object[], node: Pick<typeof t, 'call'> = t) =>
    node.call('POST', '/v2/messages/sms/batch', { as: s.as, body: { messages } })

  /** Answers of requests, each begun when the last one waits for a lock; the first rows they wait for are held until all of them do. */
  async function heldUp(recipients: readonly string[], requests: readonly (() => ReturnType<typeof t.call>)[]) {
    await t.ownerSql('insert into message_references select $1, unnest($2::text[]), 0', [s.tenantId, recipients])
    await t.ownerSql('begin')
    const answers: ReturnType<typeof t.call>[] = []
    try {
      await t.ownerSql('select from message_references for update')
      for (const request of requests) {
        answers.push(request())
        await waiting(answers.length)
      }
      // Who waits so long has looked for a dead-lock already: it would be found by a batch, which is not run again.
      await sleep(1_300)
    } finally {
      await t.ownerSql('commit')
    }
    return (await Promise.all(answers)).map(({ status }) => status)
  }

  test('with the same senders in opposite orders wait for each other, and for a single text', async () => {
    await s.addNumber(first, { segments_per_second: 500 })
    await s.addNumber(second, { segments_per_second: 500 })
    const messages = (own: string, from: (n: number) => string) =>
      places.map(n => ({ from: from(n), to: n === 0 ? own : to(n), body: n < 2 ? longText(2) : 'x' }))
    const [one, two] = ['+15005559001', '+15005559002']
    const statuses = await heldUp(
      [one, two],
      [
        () => batch(messages(one, n => (n < 200 ? first : second))),
        () =>
          batch(
            messages(two, n => (n < 200 ? second : first)),
            otherNode,
          ),
        () => s.post({ from: second, to: to(1), body: longText(2) }),
      ],
    )
    assert.deepEqual(statuses, [200, 200, 200])
  })

  test('with the same recipients of a service in opposite orders wait for each other', async () => {
    const serviceId = await s.addService()
    await s.addNumber(sender, { service_id: serviceId })
    const messages = (own: string, order: readonly number[]) =>
      order.map((n, place) => ({
        serviceId,
        to: to(n),
        body: 'x',
        ...(place === 300 && { to: own, body: longText(2) }),
      }))
    const [one, two] = ['+15005559001', '+15005559002']
    await s.optOut(serviceId, to(7))
    const statuses = await heldUp(
      [one, two],
      [() => batch(messages(one, places)), () => batch(messages(two, places.toReversed()), otherNode)],
    )
    assert.deepEqual(statuses, [200, 200])
    const known = (recipient: string) =>
      t.sql('select from service_senders($1, $2, $3, array[$4::text]) where known', [
        s.tenantId,
        serviceId,
        recipient,
        sender,
      ])
    assert.deepEqual([(await known(to(6))).length, (await known(to(7))).length], [1, 0])
  })
})
