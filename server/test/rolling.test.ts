// An upgrade of two nodes, one after the other, while clients go on: a newer version takes the place of one node, adds to the database,
// and then takes the place of the other. Clients turn to the other node where one takes no connection. Nothing that was answered is lost or
// doubled, nobody sees an error, and the way back is to start the version before.
// test: programs
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { cpSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../scripts/testing/free_port.ts'
import { connectClient } from '../src/kernel/data/session.ts'
import { freshDatabase } from './cluster.ts'
import { testRootKey } from './root_key.ts'
import { endServer, freshFolder, type ReadyServer, startServer } from './server_process.ts'

const checkout = join(import.meta.dirname, '../..')
const emailOfAdmin = 'boss@example.com'
const password = 'a long enough password'

/** The next version: this one, with two migrations more. Its `main.ts`. */
function nextVersion(): string {
  const root = join(freshFolder(), 'next')
  for (const part of ['server/src', 'server/migrations', 'server/package.json', 'package.json'])
    cpSync(join(checkout, part), join(root, part), { recursive: true })
  symlinkSync(join(checkout, 'node_modules'), join(root, 'node_modules'))
  const newest = readdirSync(join(root, 'server/migrations')).length
  const put = (number: number, name: string, sql: string) =>
    writeFileSync(join(root, `server/migrations/${String(number).padStart(4, '0')}_${name}.sql`), sql)
  put(
    newest + 1,
    'next_column',
    'alter table leads add column next_note text; create table next_things (id int primary key);',
  )
  put(
    newest + 2,
    'next_index',
    '-- migrate: outside a transaction\ncreate index concurrently if not exists leads_next_note on leads (tenant_id, next_note);',
  )
  return join(root, 'server/src/main.ts')
}

type Answer = { status: number; text: string }

/** A request over a connection of its own. Rejects with the error of the connection. */
function send(port: number, path: string, headers: Record<string, string>, body: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body)
    const all = { ...headers, 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }
    const out = request({ host: '127.0.0.1', port, path, method: 'POST', headers: all, agent: false }, response => {
      let answer = ''
      response.setEncoding('utf8').on('data', chunk => {
        answer += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode!, text: answer }))
      response.on('error', reject)
    })
    out.on('error', reject).end(text)
  })
}

type Traffic = {
  /** E-mail addresses of leads, and ids of messages, that were answered. */
  leads: string[]
  messages: string[]
  /** Everything else than the answers that were wanted. */
  faults: string[]
  /** How often a node took no connection, and how often one was reset before the answer. */
  refused: number
  reset: number
}

/** Clients that never stop asking, until `isOver`. Each request has an Idempotency-Key, and is sent again with it where a node was away. */
async function ask(
  ports: readonly number[],
  as: { token: string; testKey: string },
  isOver: () => boolean,
): Promise<Traffic> {
  const traffic: Traffic = { leads: [], messages: [], faults: [], refused: 0, reset: 0 }
  async function once(
    path: string,
    bearer: string,
    body: object,
    wanted: number,
    first: number,
  ): Promise<string | undefined> {
    const headers = { authorization: `Bearer ${bearer}`, 'idempotency-key': randomUUID() }
    for (let tries = 0; tries < 200; tries++) {
      try {
        const { status, text } = await send(ports[(first + tries) % ports.length]!, path, headers, body)
        if (status === wanted) return text
        traffic.faults.push(`${path} ${status} ${text}`)
        return undefined
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        if (code === 'ECONNREFUSED') traffic.refused++
        else if (code === 'ECONNRESET') traffic.reset++
        else traffic.faults.push(`${path} ${code ?? message}`)
        if (tries % ports.length === ports.length - 1) await sleep(50)
      }
    }
    traffic.faults.push(`${path}: no node took it`)
    return undefined
  }
  async function client(number: number): Promise<void> {
    for (let count = 0; !isOver(); count++) {
      const email = `rolling-${number}-${count}@example.com`
      const lead = await once('/v1/api/leads', as.token, { name: 'Ada', email }, 201, count)
      if (lead !== undefined) traffic.leads.push(email)
      const message = { from: '+15005550006', to: '+15005550100', body: email }
      const sent = await once('/v2/messages/sms', as.testKey, message, 200, count + 1)
      if (sent !== undefined) traffic.messages.push((JSON.parse(sent) as { messageId: string }).messageId)
      await sleep(40)
    }
  }
  await Promise.all([1, 2, 3].map(client))
  return traffic
}

async function setUp(t: TestContext) {
  const database = await freshDatabase()
  t.after(database.drop)
  const ports = [await freePort(), await freePort()] as const
  const folders = [freshFolder(), freshFolder()] as const
  const main = nextVersion()
  const start = (node: 0 | 1, version: 'before' | 'next'): Promise<ReadyServer> =>
    startServer(t, {
      env: {
        DATABASE_URL: database.url,
        TANDEM_DATA: folders[node],
        TANDEM_ROOT_KEY: testRootKey,
        PORT: String(ports[node]),
        TANDEM_ADMIN_EMAIL: emailOfAdmin,
        TANDEM_ADMIN_PASSWORD: password,
        TANDEM_RATE_LIMIT_USER: '1000000',
        TANDEM_RATE_LIMIT_KEY: '1000000',
        TANDEM_TESTS_PACE: '0',
      },
      ...(version === 'next' ? { program: [process.execPath, main, 'start'] as [string, ...string[]] } : {}),
    })
  return { database, ports, start }
}

test('two nodes are upgraded one after the other without losing, doubling or refusing a request', async t => {
  const { database, ports, start } = await setUp(t)
  let first = await start(0, 'before')
  const testKey = /Test API key +(\S+)/.exec(first.stdout())![1]!
  let second = await start(1, 'before')
  const login = await send(ports[0], '/v1/api/auth/login', {}, { emailOrAdminId: emailOfAdmin, password })
  const { accessToken: token } = JSON.parse(login.text) as { accessToken: string }

  let isOver = false
  const asking = ask(ports, { token, testKey }, () => isOver)
  await sleep(1_000)
  assert.equal((await endServer(first, 'SIGTERM')).code, 0)
  first = await start(0, 'next')
  assert.match(first.stdout(), /"migration":"\d+_next_index"/, 'the first one of the next version migrates')
  await sleep(1_000)
  // What dies of the version before comes back beside the next one.
  await endServer(second, 'SIGKILL')
  second = await start(1, 'before')
  assert.match(second.stdout(), /a newer version has added to this database/)
  await sleep(1_000)
  assert.equal((await endServer(second, 'SIGTERM')).code, 0)
  second = await start(1, 'next')
  await sleep(1_000)
  // The way back.
  assert.equal((await endServer(first, 'SIGTERM')).code, 0)
  first = await start(0, 'before')
  await sleep(1_000)
  isOver = true
  const { leads, messages, faults, refused, reset } = await asking
  t.diagnostic(`${leads.length} leads, ${messages.length} messages; ${refused} times refused, ${reset} times reset`)
  assert.deepEqual(faults, [])
  assert.ok(refused > 0, 'clients met a node that was away')

  const owner = await connectClient(database.owner)
  t.after(() => owner.end())
  const { rows } = await owner.query<{ email: string }>(
    `select email from leads where email like 'rolling-%' order by 1`,
  )
  assert.deepEqual(
    rows.map(({ email }) => email),
    leads.toSorted(),
  )
  const { rows: kept } = await owner.query<{ id: string }>('select id from messages order by id collate "C"')
  assert.deepEqual(
    kept.map(({ id }) => id),
    messages.toSorted(),
  )
  for (const server of [first, second]) assert.equal((await endServer(server, 'SIGTERM')).code, 0)
})
