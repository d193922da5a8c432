// A database that no longer answers, and does not close its connections either: what waits fails, and what follows goes on elsewhere.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { sql } from 'kysely'
import { freshDatabase } from '../../../test/cluster.ts'
import { openDb } from './db.ts'

test('statements on a connection that fell silent fail, and the next ones are done on fresh connections', async t => {
  const database = await freshDatabase()
  const { host = '127.0.0.1', port = 5432 } = database.app
  const sockets = new Set<Socket>()
  let isSilent = false
  const proxy = createServer(near => {
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    // One that was opened before the silence stays silent.
    let isLost = false
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {}).on('close', () => to.destroy())
      from.on('data', bytes => {
        isLost ||= isSilent
        if (!isLost) to.write(bytes)
      })
    }
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const app = { ...database.app, host: '127.0.0.1', port: (proxy.address() as AddressInfo).port, ssl: false }
  const db = openDb({ app, poolSize: 1, hotConnections: 1, onError: () => {}, silentMs: 300 })
  t.after(async () => {
    await db.close()
    for (const socket of sockets) socket.destroy()
    proxy.close()
    await database.drop()
  })
  const one = () => db.call<{ one: number }>('one', 'select 1 as one', [])
  const two = () => db.outside(async tx => (await sql<{ two: number }>`select 2 as two`.execute(tx)).rows)
  await Promise.all([one(), two()])
  isSilent = true
  const [first, second] = await Promise.allSettled([one(), two()])
  for (const result of [first, second])
    assert.equal(result.status === 'rejected' && (result.reason as { code: string }).code, 'unavailable')
  isSilent = false
  assert.deepEqual([await one(), await two()], [[{ one: 1 }], [{ two: 2 }]])
  // Nobody is to answer where nothing is asked.
  const slow = db.call('slow', 'select pg_sleep(0.2)', [])
  await new Promise(resolve => setTimeout(resolve, 500))
  await slow
  assert.deepEqual(await one(), [{ one: 1 }])
})
