// A connection that breaks ends the transaction on it, and nothing else; and no tenant takes all connections.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { freshDatabase } from '../../../test/cluster.ts'
import { eventually } from '../../../test/eventually.ts'
import { openDb, withSession } from './db.ts'
import { connectClient } from './session.ts'

test('a connection that breaks between two queries of a transaction fails the transaction, and not the process', async t => {
  const database = await freshDatabase()
  const db = openDb({ app: withSession(database.app), poolSize: 2, onError: () => {} })
  const owner = new pg.Client(database.owner)
  await owner.connect()
  t.after(async () => {
    await Promise.all([db.close(), owner.end()])
    await database.drop()
  })
  const countOf = async (pid: number) =>
    (await owner.query('select 1 from pg_stat_activity where pid = $1', [pid])).rows.length
  let isBehind = false

  // An error that nobody hears fails this test: the runner sees to that.
  await assert.rejects(
    db.outside(async tx => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      const { pid } = rows[0]!
      await owner.query('select pg_terminate_backend($1)', [pid])
      for (let looks = 0; looks < 500 && (await countOf(pid)) > 0; looks++) await sleep(10)
      // What the database sent it has arrived by then.
      await sleep(50)
      isBehind = true
      await sql`select 1`.execute(tx)
    }),
    { code: 'unavailable' },
  )
  assert.ok(isBehind, 'the transaction failed before its connection broke')
  const { rows } = await db.outside(tx => sql<{ one: number }>`select 1 as one`.execute(tx))
  assert.equal(rows[0]?.one, 1)
})

test('a client of its own that loses its connection between two queries fails the next one, and not the process', async t => {
  const database = await freshDatabase()
  const [client, other] = [await connectClient(database.owner), await connectClient(database.owner)]
  t.after(async () => {
    await Promise.all([client.end().catch(() => {}), other.end()])
    await database.drop()
  })
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const ended = new Promise(resolve => client.once('end', resolve))
  await other.query('select pg_terminate_backend($1)', [rows[0]!.pid])
  await ended
  await assert.rejects(client.query('select 1'), /terminat|closed|not queryable/)
})

test('when all connections are in use, requests wait their turn for longer than a second, and tenants take turns', async t => {
  const database = await freshDatabase()
  const db = openDb({ app: database.app, poolSize: 1, onError: () => {} })
  t.after(async () => {
    await db.close()
    await database.drop()
  })
  const order: string[] = []
  const one = { tenantId: 1, organizationId: 1 }
  const work = (name: string, seconds = 0) => {
    const scope = name.startsWith('read') ? { tenantId: 3, organizationId: 2 } : one
    return db.inTenant(scope, async tx => {
      await sql`select pg_sleep(${seconds})`.execute(tx)
      order.push(name)
    })
  }
  const writes = [work('write 0', 1.5), ...Array.from({ length: 400 }, (_, n) => work(`write ${n + 1}`))]
  await Promise.all([...writes, work('read')])
  assert.equal(order.length, 402)
  assert.ok(order.indexOf('read') <= 2, `the read came as number ${order.indexOf('read')}`)
})

const live = { tenantId: 1, organizationId: 1, mode: 'live' } as const
const testTwin = { tenantId: 2, organizationId: 1, mode: 'test' } as const

async function emptyDatabase(t: TestContext) {
  const database = await freshDatabase()
  const db = openDb({ app: withSession(database.app), poolSize: 10, onError: () => {} })
  t.after(async () => {
    await db.close()
    await database.drop()
  })
  return db
}

test('transactions of a test tenant that do not end leave connections to live ones', async t => {
  const db = await emptyDatabase(t)
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  let begun = 0
  const held = Array.from({ length: 20 }, () =>
    db.inTenant(testTwin, async () => {
      begun++
      await gate
    }),
  )
  try {
    // On a busy machine the live one may be through before the first of them.
    await eventually('a transaction of the test tenant', () => begun > 0)
    await db.inTenant(live, tx => sql`select 1`.execute(tx))
    assert.ok(begun > 0 && begun <= 3, `${begun} transactions of the test tenant hold connections`)
  } finally {
    open()
    await Promise.all(held)
  }
  assert.equal(begun, 20)
})

test('statements of a test tenant do not stand before those of live ones', async t => {
  const db = await emptyDatabase(t)
  let over = 0
  const slow = Array.from({ length: 100 }, () =>
    db.call('slow', 'select pg_sleep(0.02)', [], testTwin).then(() => over++),
  )
  await db.call('quick', 'select 1', [], live)
  assert.ok(over < 50, `${over} statements of the test tenant were served first`)
  await Promise.all(slow)
})

test('statements of tests share one connection: however many they are, those of live modes stand behind none of them', async t => {
  const database = await freshDatabase()
  const db = openDb({ app: database.app, poolSize: 1, hotConnections: 3, onError: () => {} })
  t.after(async () => {
    await db.close()
    await database.drop()
  })
  const call = (mode: 'live' | 'test', seconds: number) =>
    db.call<{ pid: number }>('trial', 'select pg_backend_pid() as pid from (select pg_sleep($1)) s', [seconds], {
      tenantId: mode === 'test' ? 2 : 1,
      mode,
    })
  const tests = Array.from({ length: 6 }, () => call('test', 0.2))
  const lives = await Promise.all(Array.from({ length: 8 }, () => call('live', 0.01)))
  const [testPids, livePids] = [(await Promise.all(tests)).flat(), lives.flat()].map(
    rows => new Set(rows.map(row => row.pid)),
  ) as [Set<number>, Set<number>]
  assert.equal(testPids.size, 1)
  assert.ok(testPids.isDisjointFrom(livePids), 'a live statement stood behind tests')
})

test('statements that come one after the other share one connection; those that come together open more', async t => {
  const database = await freshDatabase()
  const db = openDb({ app: database.app, poolSize: 1, hotConnections: 3, onError: () => {} })
  t.after(async () => {
    await db.close()
    await database.drop()
  })
  const pids = new Set<number>()
  const call = async (seconds: number) => {
    const text = 'select pg_backend_pid() as pid from (select pg_sleep($1)) s'
    const [row] = await db.call<{ pid: number }>('trial', text, [seconds])
    pids.add(row?.pid ?? 0)
  }
  for (let n = 0; n < 6; n++) await call(0)
  assert.equal(pids.size, 1, 'an idle server keeps none that it does not need')
  await Promise.all(Array.from({ length: 6 }, () => call(0.05)))
  assert.equal(pids.size, 3)
})
