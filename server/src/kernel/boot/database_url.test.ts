// Guards: a DATABASE_URL that cannot be used is one clear line without its password, and one that can is used with the right role.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { guardedFolder, silentLog } from '../../../test/cluster.ts'
import { isStartFault } from '../values/start_fault.ts'
import { externalDatabase } from './database_url.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded_postgres.ts'

const password = 'p@ss/w:rd#1'
let dataDir: string
let postgres: EmbeddedPostgres

// Stands in for an operator's PostgreSQL: with a password, a login of its own and a database of its own.
before(async () => {
  dataDir = guardedFolder()
  postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
  const admin = new pg.Client(postgres.owner)
  await admin.connect()
  await admin.query(`create role boss login createrole password '${password}'`)
  await admin.query('create database crm owner boss')
  await admin.query('grant tandem_app to boss')
  const hba = join(dataDir, 'postgres', 'pg_hba.conf')
  writeFileSync(hba, `local all boss scram-sha-256\nlocal all stranger reject\n${readFileSync(hba, 'utf8')}`)
  await admin.query('select pg_reload_conf()')
  await admin.end()
})

after(async () => {
  await postgres.stop()
})

function url({ user = 'boss', secret = password, database = 'crm', more = '' } = {}): string {
  const login = secret === '' ? user : `${user}:${encodeURIComponent(secret)}`
  return `postgres://${login}@localhost/${database}?host=${encodeURIComponent(join(dataDir, 'run'))}${more}`
}

test('owner is the login of the URL; app is the same login in the role that owns nothing', async () => {
  const { owner, app } = await externalDatabase(url({ more: '&options=-c%20work_mem%3D7MB' }))
  for (const [options, role] of [
    [owner, 'boss'],
    [app, 'tandem_app'],
  ] as const) {
    const client = new pg.Client(options)
    await client.connect()
    const sql =
      "select session_user::text as session, current_user::text as role, current_setting('work_mem') as memory"
    assert.deepEqual((await client.query(sql)).rows, [{ session: 'boss', role, memory: '7MB' }])
    await client.end()
  }
})

/** Expects one line that matches and holds no password. */
async function refuse(address: string, pattern: RegExp): Promise<void> {
  await assert.rejects(externalDatabase(address), error => {
    assert.ok(isStartFault(error), String((error as Error).stack))
    assert.ok(!error.message.includes('\n'))
    assert.match(error.message, pattern)
    assert.ok(!/p@ss|p%40ss|hunter2/.test(`${error.message}${error.stack}${JSON.stringify(error)}`), error.message)
    return true
  })
}

test('a wrong password', () =>
  refuse(
    url({ secret: 'hunter2' }),
    /^The database of DATABASE_URL \(boss@the socket .*, database crm\) refused the password of user boss\./,
  ))
test('a missing password', () => refuse(url({ secret: '' }), /asks for a password, and DATABASE_URL has none/))
test('a user who is not let in', () => refuse(url({ user: 'stranger' }), /does not let user stranger in/))
test('a missing database', () =>
  refuse(url({ database: 'nowhere' }), /does not exist\. Create it \(createdb -O boss nowhere\)/))
test('a missing socket', () =>
  refuse('postgres://boss:hunter2@localhost/crm?host=/nowhere', /nothing listens there\. Start PostgreSQL/))
test('an unknown host', () =>
  refuse('postgres://boss:hunter2@no-such-host.invalid/crm', /no host is called no-such-host\.invalid/))
test('a port nothing listens on', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  await refuse(
    `postgres://boss:hunter2@127.0.0.1:${port}/crm`,
    /127\.0\.0\.1:\d+, database crm\) does not answer: nothing listens there/,
  )
})
test('a server that takes connections and never answers', async t => {
  const server = createServer(socket => void t.after(() => socket.destroy())).listen(0, '127.0.0.1')
  t.after(() => void server.close())
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await refuse(`postgres://boss:hunter2@127.0.0.1:${port}/crm`, /did not answer within 5 s/)
})
test('a server without TLS where the URL demands it', () =>
  refuse(url({ more: '&sslmode=verify-full' }), /speaks no TLS.*sslmode=disable/))
test('a missing certificate file', () =>
  refuse(url({ more: '&sslrootcert=/nowhere/ca.pem' }), /its file \/nowhere\/ca\.pem cannot be read \(ENOENT\)/))
test('an address that is none', () => refuse('postgres://boss:hunter2@[::1/crm', /is not a valid address.*written %40/))
