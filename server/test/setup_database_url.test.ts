// The whole server on an operator's own PostgreSQL, the distribution's and the newest: as superuser and as a plain owner.
// It keeps its promises there, leaves that PostgreSQL alone, and says in one line which right is missing.
// test: programs
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { freePort } from '../../scripts/testing/free_port.ts'
import { externalDatabase, withRole } from '../src/kernel/boot/database_url.ts'
import { type ConnectionOptions, connectClient } from '../src/kernel/data/session.ts'
import {
  compiledStatements,
  noPgBouncer,
  type PeerPostgres,
  startBundledPostgres,
  startPgBouncer,
  startSystemPostgres,
  superuserPassword,
  systemPostgres,
} from './peer_postgres.ts'
import { endServer, freshFolder, soon, spawnServer, startServer } from './server_process.ts'

const loginPassword = 'an owner has one'
const settings = { TANDEM_ADMIN_EMAIL: 'boss@example.com', TANDEM_ADMIN_PASSWORD: 'a long enough password' }

const system = systemPostgres()
const noSystem = system ? false : 'no PostgreSQL 15 or newer below /usr/lib/postgresql'
const peers = [
  {
    name: `the system's PostgreSQL ${system?.major ?? ''}`,
    skip: noSystem,
    start: () => startSystemPostgres(system!.programs),
  },
  { name: 'the PostgreSQL that Tandem brings', skip: false as const, start: startBundledPostgres },
]

async function query<Row>(options: ConnectionOptions, ...texts: string[]): Promise<Row[]> {
  const client = await connectClient(options)
  try {
    let rows: unknown[] = []
    for (const text of texts) rows = (await client.query(text)).rows
    return rows as Row[]
  } finally {
    await client.end()
  }
}

/** A start that must fail: one line that matches and holds no password, exit code 1. */
async function refuses(t: TestContext, url: string, line: RegExp): Promise<void> {
  const { code, stderr, stdout } = await spawnServer(t, { env: { DATABASE_URL: url, ...settings } }).ended
  assert.match(stderr, /^tandem: [^\n]+\n$/, `not one line:\n${stderr}\n${stdout}`)
  assert.match(stderr, line)
  assert.ok(![loginPassword, superuserPassword, 'hunter2'].some(secret => `${stdout}${stderr}`.includes(secret)))
  assert.equal(code, 1)
}

for (const { name, skip, start } of peers) {
  let starting: Promise<PeerPostgres> | undefined
  const peer = () => {
    starting ??= start()
    return starting
  }
  after(async () => (await starting)?.stop())

  /** A login and a database that it owns; nothing else is its own. */
  async function makeOwner(login: string, rights: string, database = login): Promise<string> {
    const { superuser, url } = await peer()
    await query(
      superuser,
      `create role ${login} login ${rights} password '${loginPassword}'`,
      `create database ${database} owner ${login}`,
    )
    return url(login, loginPassword, database)
  }

  const owners = [
    { kind: 'a plain owner with CREATEROLE', login: 'plain', rights: 'nosuperuser createrole' },
    { kind: 'a superuser', login: 'mighty', rights: 'superuser' },
  ]
  for (const { kind, login, rights } of owners) {
    test(`${name}, as ${kind}: everything works, and stopping leaves it running`, { skip }, async t => {
      const { superuser, isRunning } = await peer()
      const url = await makeOwner(login, rights)
      await keepsItsPromises(t, url)
      assert.ok(isRunning())
      if (name.includes('system')) assert.deepEqual(await compiledStatements(superuser, login), [])
      const sessions = async () =>
        (await query(superuser, `select from pg_stat_activity where datname = '${login}'`)).length === 0
      assert.ok(await soon(sessions), 'no session is left')
    })
  }

  test(`${name}: a second owner learns which roles it must be given, and works with them`, { skip }, async t => {
    const { superuser } = await peer()
    // Roles belong to the whole server: these were made by the owner of another database.
    await query(superuser, ...['tandem_app', 'tandem_engine', 'tandem_jobs', 'tandem_backup'].map(makeRoleUnlessThere))
    const url = await makeOwner('second', 'nosuperuser nocreaterole')
    await refuses(
      t,
      url,
      /role tandem_app exists already, .* second .* Let a superuser run: grant tandem_app, .* to second;/,
    )
    await query(superuser, 'grant tandem_app, tandem_engine, tandem_jobs, tandem_backup to second')
    await keepsItsPromises(t, url)
  })

  test(`${name}: a role that does not own the database is refused with the reason`, { skip }, async t => {
    const { superuser, url } = await peer()
    await makeOwner('landlord', 'nosuperuser createrole')
    await query(superuser, `create role tenant login createrole password '${loginPassword}'`)
    const line =
      /^tandem: The database role tenant may not create tables in database landlord .*alter database "landlord" owner to "tenant"/
    await refuses(t, url('tenant', loginPassword, 'landlord'), line)
  })

  test(`${name}: what is wrong with DATABASE_URL is one line`, { skip }, async t => {
    const { url } = await peer()
    const unknown = url('postgres', superuserPassword, 'nowhere')
    await refuses(t, unknown, /^tandem: The database of DATABASE_URL .* does not exist\. Create it \(createdb/)
  })
}

const makeRoleUnlessThere = (role: string) =>
  `do $$ begin if not exists (select from pg_roles where rolname = '${role}') then create role ${role} login noinherit; end if; end $$`

/** Two servers on one database and one data folder: login, isolation, schedules; the second finds what the first made. */
async function keepsItsPromises(t: TestContext, url: string): Promise<void> {
  const dataDir = join(freshFolder(), 'data')
  const env = { DATABASE_URL: url, TANDEM_DATA: dataDir, ...settings }
  const first = await startServer(t, { env })
  const [, testKey] = /Test API key +(\S+)/.exec(first.stdout())!
  const second = await startServer(t, { env })
  assert.ok(!/tdm_|Password/.test(second.stdout()), second.stdout())
  assert.deepEqual(
    readdirSync(dataDir),
    ['instance.key'],
    'the data folder is not locked, and holds the root key alone',
  )

  for (const { address } of [first, second]) {
    const login = await fetch(`${address}/v1/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ emailOrAdminId: 'boss@example.com', password: settings.TANDEM_ADMIN_PASSWORD }),
    })
    assert.equal(login.status, 200, await login.text())
    const users = await fetch(`${address}/v1/api/users`, { headers: { authorization: `Bearer ${testKey}` } })
    assert.equal(users.status, 200, await users.text())
    assert.equal((await fetch(`${address}/readyz`)).status, 200)
  }

  await deliversText(first.address, testKey!)
  const { owner, app } = await externalDatabase(url)
  await holdsRowLevelSecurity(owner, app)
  const schedules = await query<{ name: string }>(
    withRole(owner, 'tandem_jobs'),
    'select name from tandem_jobs.schedule',
  )
  assert.ok(
    schedules.some(({ name }) => name === 'purge_expired'),
    JSON.stringify(schedules),
  )

  for (const server of [first, second]) {
    const { code, stdout, stderr } = await endServer(server)
    assert.deepEqual([code, stderr], [0, ''])
    assert.ok(!/"level":"(warn|error|fatal)"/.test(stdout), stdout)
  }
}

/** A text goes all its way, through every kind of session the server has. */
async function deliversText(address: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ from: '+15005550006', to: '+15005550100', body: 'Is anybody there?' })
  const sent = await fetch(`${address}/v2/messages/sms`, { method: 'POST', headers, body })
  const { messageId } = (await sent.json()) as { messageId: string }
  assert.equal(sent.status, 200, messageId)
  const statusOf = async () => {
    const answer = await fetch(`${address}/v2/messages/${messageId}`, { headers })
    return ((await answer.json()) as { data: { status: string } }).data.status
  }
  assert.ok(await soon(async () => (await statusOf()) === 'delivered'), 'the text is not delivered within ten seconds')
}

/** Row-level security holds for the role of the server, whatever the login behind it may do. */
async function holdsRowLevelSecurity(owner: ConnectionOptions, app: ConnectionOptions): Promise<void> {
  type Row = { role: string; bypasses: boolean; n: number }
  const [role] = await query<Row>(
    app,
    'select current_user::text as role, rolsuper or rolbypassrls as bypasses from pg_roles where rolname = current_user',
  )
  assert.deepEqual(role, { role: 'tandem_app', bypasses: false })
  const count = async (organizationId: string) =>
    (
      await query<Row>(
        app,
        `select set_config('app.organization_id', '${organizationId}', false)`,
        'select count(*)::int as n from users',
      )
    )[0]!.n
  const [{ id }] = (await query<{ id: string }>(withRole(owner, 'tandem_engine'), 'select id from organizations')) as [
    { id: string },
  ]
  assert.equal(await count(id), 1)
  assert.equal(await count(String(Number(id) + 1)), 0)
  // A pooler's session may have had one in a transaction before: then it is empty.
  await assert.rejects(query(app, 'select from users'), /app\.organization_id|invalid input syntax for type bigint: ""/)
  const [{ open }] = (await query<{ open: string[] }>(
    owner,
    `select coalesce(array_agg(relname::text), '{}') as open from pg_class
     where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and not (relrowsecurity and relforcerowsecurity)
       and exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'tenant_id' and not attisdropped)`,
  )) as [{ open: string[] }]
  assert.deepEqual(open, [], 'tables of tenants without forced row-level security')
}

for (const mode of ['session', 'transaction'] as const) {
  const skip = noSystem || noPgBouncer
  test(`PgBouncer with pool_mode=${mode} ${mode === 'session' ? 'works' : 'is refused with the reason'}`, {
    skip,
  }, async t => {
    const peer = await startSystemPostgres(system!.programs)
    t.after(peer.stop)
    await query(
      peer.superuser,
      `create role pooled login createrole password '${loginPassword}'`,
      'create database pooled owner pooled',
    )
    const pooler = await startPgBouncer(peer.superuser.port!, { mode, login: 'pooled', password: loginPassword })
    t.after(pooler.stop)
    const url = `postgres://pooled:${encodeURIComponent(loginPassword)}@127.0.0.1:${pooler.port}/pooled`
    if (mode === 'session') await keepsItsPromises(t, url)
    else await refuses(t, url, /^tandem: .* is a pooler that shares connections .* Set pool_mode=session/)
  })
}

test('a wrong password, host or port in DATABASE_URL is one line', { skip: noSystem }, async t => {
  const { superuser, url, stop } = await startSystemPostgres(system!.programs)
  t.after(stop)
  await refuses(
    t,
    url('postgres', 'hunter2', 'postgres'),
    /^tandem: .* refused the password of user postgres\. Correct/,
  )
  const closed = `postgres://postgres:hunter2@127.0.0.1:${await freePort()}/postgres`
  await refuses(
    t,
    closed,
    /^tandem: .* does not answer: nothing listens there\. Start PostgreSQL, or correct host and port/,
  )
  const nowhere = `postgres://postgres:hunter2@no-such-host.invalid:${superuser.port}/postgres`
  await refuses(t, nowhere, /^tandem: .* cannot be found: no host is called no-such-host\.invalid\. Correct the host/)
})
