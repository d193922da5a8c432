// The last statements of a transaction leave with its commit, and decide over it; and what is asked in one turn leaves in one write.
import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { freshDatabase } from '../../../test/cluster.ts'
import { openDb, sqlState, withCommit, withSession } from './db.ts'
import { gather } from './tx.ts'

async function emptyDatabase(t: TestContext) {
  const database = await freshDatabase()
  const db = openDb({ app: withSession(database.app), poolSize: 1, onError: () => {} })
  t.after(async () => {
    await db.close()
    await database.drop()
  })
  return db
}

test('statements that leave with the commit are carried out before it, and answer', async t => {
  const db = await emptyDatabase(t)
  const { first, last } = await db.outside(async tx => {
    const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(tx)
    return {
      first: rows[0],
      last: withCommit(sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(tx)),
    }
  })
  const [row] = (await last).rows
  assert.deepEqual(row, first)
  const { rows } = await db.outside(tx =>
    sql<{ status: string }>`select pg_xact_status(${row?.id}::xid8) as status`.execute(tx),
  )
  assert.equal(rows[0]?.status, 'committed')
})

test('one that fails fails the transaction, with its error, whatever follows it', async t => {
  const db = await emptyDatabase(t)
  const failing = (tx: Parameters<Parameters<typeof db.outside>[0]>[0]) =>
    withCommit(Promise.all([sql`select 1 / 0`.execute(tx), sql`select 1`.execute(tx)]))
  const isWhy = (error: unknown) => sqlState(error) === '22012'
  await assert.rejects(
    db.outside(async tx => void failing(tx)),
    isWhy,
  )
  const afterwards = db.outside(async tx => {
    failing(tx)
    await sql`select 2`.execute(tx)
  })
  await assert.rejects(afterwards, isWhy)
  // The connection is of use.
  await db.outside(tx => sql`select 1`.execute(tx))
})

test('what comes after the commit is refused: it would be in no transaction', async t => {
  const db = await emptyDatabase(t)
  const late = await db.outside(async tx => ({ ask: () => sql`select 1`.execute(tx) }))
  await assert.rejects(late.ask(), /after the commit/)
})

test('what is asked in one turn of the event loop leaves in one write, and so does what a tick waits for', async () => {
  const writes: string[] = []
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      writes.push(String(chunk))
      done()
    },
    writev(chunks, done) {
      writes.push(chunks.map(({ chunk }) => String(chunk)).join(''))
      done()
    },
  })
  const client = { connection: { stream } } as unknown as pg.Client
  const ask = (text: string) => {
    gather(client)
    stream.write(text)
  }
  ask('a')
  await Promise.resolve()
  ask('b')
  await new Promise<void>(resolve => process.nextTick(resolve))
  ask('c')
  await sleep(1)
  ask('d')
  await sleep(1)
  assert.deepEqual(writes, ['abc', 'd'])
})
