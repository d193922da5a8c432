// Guards: the embedded PostgreSQL starts as root and as anybody, keeps its data, and leaves no orphan however its server ends.
// test: programs
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { guardedFolder, silentLog } from '../../../test/cluster.ts'
import { processesIn } from '../../../test/server_process.ts'
import type { ConnectionOptions } from '../data/db.ts'
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './embedded_postgres.ts'
import type { Launch } from './postgres_programs.ts'

const isRoot = process.getuid!() === 0
const withoutProc = process.platform === 'linux' ? false : 'reads /proc'
const withoutRoot = isRoot ? false : 'needs root'
const withoutNamespace =
  !isRoot || spawnSync('unshare', ['--user', 'true']).status === 0
    ? false
    : 'root, and this system refuses user namespaces'
const base = guardedFolder()

let folders = 0
function newFolder(...deeper: string[]): string {
  const folder = join(base, String(++folders), ...deeper)
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Starts PostgreSQL for one test; it is stopped at the end of the test, if not before. */
async function start(
  context: TestContext,
  dataDir: string,
  more: Partial<EmbeddedPostgresOptions> = {},
): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, ...more })
  context.after(() => postgres.stop())
  return postgres
}

async function query(options: ConnectionOptions, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(options)
  // A server that dies says so also after the query has ended.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return process.platform !== 'linux' && spawnSync('ps', ['-p', String(pid)]).status === 0
  }
}

/** Memory of a process and its children in kB, shared pages counted once (proportional set size, proc(5)). */
function memoryKb(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  return [pid, ...children].map(id => sizeKb(id)).reduce((sum, size) => sum + size, 0)
}

function sizeKb(pid: number | string): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))![1])
  } catch (error) {
    // A process that has just ended, such as the one that served our connection.
    if (['ESRCH', 'ENOENT'].includes((error as NodeJS.ErrnoException).code!)) return 0
    throw error
  }
}

test('the first start makes the database, a second makes nothing and finds everything again', async t => {
  const dataDir = newFolder()
  const first = await start(t, dataDir)
  await query(first.owner, 'create table kept (id int); insert into kept values (42)')
  await first.stop()
  assert.ok(!isRunning(first.pid))
  const madeMs = () => statSync(join(dataDir, 'postgres', 'PG_VERSION')).mtimeMs
  const firstMadeMs = madeMs()
  const second = await start(t, dataDir)
  assert.equal(madeMs(), firstMadeMs)
  assert.deepEqual(await query(second.owner, 'select id from kept'), [{ id: 42 }])
})

test('an idle database takes little memory', { skip: withoutProc || withoutNamespace }, async t => {
  const { pid } = await start(t, newFolder(), { launch: isRoot ? 'namespace' : 'plain' })
  const idleKb = memoryKb(pid)
  t.diagnostic(`memory when idle: ${Math.round(idleKb / 1024)} MB`)
  // Server and database together stay below 300 MB; this is before any page of its cache is used.
  assert.ok(idleKb < 60_000, `${idleKb} kB`)
})

test('the server is durable, private, in UTC, and its role owns and bypasses nothing', async t => {
  const { owner, app } = await start(t, newFolder())
  const names = [
    'fsync',
    'synchronous_commit',
    'full_page_writes',
    'listen_addresses',
    'TimeZone',
    'jit',
    'server_encoding',
  ]
  const settings = await query(
    owner,
    `select ${names.map(name => `current_setting('${name}') as "${name}"`).join(', ')}`,
  )
  assert.deepEqual(Object.values(settings[0]!), ['on', 'on', 'on', '', 'UTC', 'off', 'UTF8'])
  assert.equal(statSync(owner.host).mode & 0o777, 0o700)
  assert.deepEqual(
    await query(
      app,
      'select current_user::text as name, rolsuper or rolbypassrls or rolcreatedb or rolcreaterole as mighty from pg_roles where rolname = current_user',
    ),
    [{ name: 'tandem_app', mighty: false }],
  )
  await assert.rejects(query(app, 'create table intruder (id int)'), { code: '42501' })
})

test('letters beyond ASCII sort by code point and are letters to search', async t => {
  const { owner } = await start(t, newFolder())
  await query(owner, 'create extension pg_trgm')
  const [row] = await query(
    owner,
    `select lower('ÉMILE ИВАН') as lower, similarity('Иван Петров', 'Иван') > 0.3 as similar,
            (select string_agg(name, ' ' order by name) from unnest(array['é', 'z', 'A', 'a']) as name) as sorted`,
  )
  assert.deepEqual(row, { lower: 'émile иван', similar: true, sorted: 'A a z é' })
})

const launches: Launch[] = isRoot ? ['namespace', 'account'] : ['plain']
for (const launch of launches) {
  const skip = withoutProc || (launch === 'namespace' && withoutNamespace)
  test(`it runs by way of "${launch}", also below a folder that is closed to others`, { skip }, async t => {
    const closed = newFolder()
    chmodSync(closed, 0o700)
    const dataDir = join(closed, 'data')
    mkdirSync(dataDir)
    const postgres = await start(t, dataDir, { launch })
    assert.deepEqual(await query(postgres.app, 'select 1 as one'), [{ one: 1 }])
    const effective = /^Uid:\s+\d+\s+(\d+)/m.exec(readFileSync(`/proc/${postgres.pid}/status`, 'utf8'))?.[1]
    assert.equal(effective === '0', launch === 'namespace')
    const capabilities = /^CapEff:\s+(\w+)/m.exec(readFileSync(`/proc/${postgres.pid}/status`, 'utf8'))?.[1]
    // Bit 1 is CAP_DAC_OVERRIDE (capabilities(7)); of root's other rights none is left.
    assert.equal(Number.parseInt(capabilities!, 16), launch === 'account' ? 2 : 0)
  })
}

test('a root that has to change its way keeps its data', { skip: withoutRoot || withoutNamespace }, async t => {
  const dataDir = newFolder()
  for (const [index, launch] of (['namespace', 'account', 'namespace'] as const).entries()) {
    const postgres = await start(t, dataDir, { launch })
    await query(postgres.owner, `create table way_${index} (id int)`)
    await postgres.stop()
  }
  const { owner } = await start(t, dataDir)
  assert.deepEqual(await query(owner, "select count(*)::int as n from pg_tables where tablename like 'way%'"), [
    { n: 3 },
  ])
})

test('a folder that is closed to root without its rights is reached by the other account', {
  skip: withoutRoot,
}, async t => {
  const dataDir = newFolder()
  chmodSync(dataDir, 0o700)
  chownSync(dataDir, 12_345, 12_345)
  const postgres = await start(t, dataDir)
  assert.deepEqual(await query(postgres.app, 'select 1 as one'), [{ one: 1 }])
  assert.notEqual(statSync(join(dataDir, 'postgres')).uid, 0)
})

test('a data folder too deep for a socket, or with odd letters, works as well', async t => {
  const { owner } = await start(t, newFolder('d'.repeat(100), 'o\'dd, "nàme'))
  assert.ok(owner.host.length < 90)
  assert.deepEqual(await query(owner, 'select 1 as one'), [{ one: 1 }])
  rmSync(owner.host, { recursive: true })
})

const folderModule = JSON.stringify(new URL('./data_folder.ts', import.meta.url).href)
const postgresModule = JSON.stringify(new URL('./embedded_postgres.ts', import.meta.url).href)
const serverScript = `
  const { lockDataFolder } = await import(${folderModule})
  const { startEmbeddedPostgres } = await import(${postgresModule})
  const log = { info() {}, warn(fields, text) { console.log(text) } }
  try {
    const { path } = lockDataFolder(process.argv[1])
    const postgres = await startEmbeddedPostgres({ dataDir: path, log })
    console.log('pid ' + postgres.pid)
  } catch (error) { console.log(error.lines?.join('|') ?? error.stack); process.exit(1) }
  setInterval(() => {}, 1000)`

/** A stand-in for the server: locks, starts PostgreSQL, prints its pid and stays. */
async function startServer(context: TestContext, dataDir: string): Promise<{ server: ChildProcess; line: string }> {
  const server = spawn(process.execPath, ['--input-type=module', '-e', serverScript, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  context.after(() => server.kill('SIGKILL'))
  const [data] = (await once(server.stdout!, 'data')) as [Buffer]
  return { server, line: data.toString().trim() }
}

test('the PostgreSQL of a killed server is stopped cleanly and its data goes on', async t => {
  const dataDir = newFolder()
  const { server, line } = await startServer(t, dataDir)
  const orphan = Number(line.replace('pid ', ''))
  const host = join(dataDir, 'run')
  await query({ host, user: 'postgres', database: 'tandem' }, 'create table kept (id int); insert into kept values (7)')
  server.kill('SIGKILL')
  await once(server, 'exit')
  assert.ok(isRunning(orphan), 'PostgreSQL survives its server')

  const warnings: string[] = []
  const log = {
    info() {},
    warn: (_fields: object, text: string) => warnings.push(text),
  } as unknown as EmbeddedPostgresOptions['log']
  const next = await start(t, dataDir, { log })
  assert.deepEqual(warnings, ['stopping the PostgreSQL that an earlier server left running'])
  assert.ok(!isRunning(orphan))
  assert.notEqual(next.pid, orphan)
  assert.deepEqual(await query(next.owner, 'select id from kept'), [{ id: 7 }])
  assert.ok(!readFileSync(join(dataDir, 'postgres.log'), 'utf8').includes('not properly shut down'))
})

test('a start that is given up while the database is made ends at once, with all that it ran', async () => {
  const dataDir = newFolder()
  const givingUp = new AbortController()
  const programs: number[] = []
  const inFolder = () => (readdirSync(dataDir).some(name => name.startsWith('initdb-')) ? processesIn(dataDir) : [])
  const starting = startEmbeddedPostgres({ dataDir, log: silentLog, signal: givingUp.signal })
  const rejected = assert.rejects(starting, /enough/)
  // The PostgreSQL that initdb runs.
  while (programs.length === 0) {
    await sleep(1)
    programs.splice(0, programs.length, ...inFolder())
  }
  givingUp.abort(new Error('enough'))
  await rejected
  assert.deepEqual(processesIn(dataDir), [])
  assert.deepEqual(readdirSync(dataDir), [])
})

test('a second server on the same folder is refused and disturbs nothing', async t => {
  const dataDir = newFolder()
  const { line } = await startServer(t, dataDir)
  const pid = Number(line.replace('pid ', ''))
  const second = await startServer(t, dataDir)
  assert.match(second.line, /^Another Tandem \(process \d+\) already uses the data folder /)
  await once(second.server, 'exit')
  assert.ok(isRunning(pid))
  process.kill(pid, 'SIGINT')
  while (isRunning(pid)) await sleep(20)
})

test('Ctrl-C does not reach PostgreSQL: it leads a session of its own', { skip: withoutProc }, async t => {
  const { pid } = await start(t, newFolder())
  // Behind the name in brackets: state, parent, process group, session (proc(5)).
  const [, , group, session] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  assert.deepEqual([Number(group), Number(session)], [pid, pid])
})

test('a pid file of a dead process, or of a process that is none of ours, stops no start', async t => {
  const dataDir = newFolder()
  await (await start(t, dataDir)).stop()
  const dead = spawnSync('true').pid
  const stranger = spawn('sleep', ['60'], { stdio: 'ignore' })
  t.after(() => stranger.kill())
  for (const pid of [dead, process.pid, stranger.pid]) {
    const lines = [pid, join(dataDir, 'postgres'), 1_700_000_000, 5432, join(dataDir, 'run'), '', '', 'ready']
    writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), `${lines.join('\n')}\n`)
    const postgres = await start(t, dataDir)
    assert.deepEqual(await query(postgres.owner, 'select 1 as one'), [{ one: 1 }])
    await postgres.stop()
  }
})

test('when PostgreSQL dies by itself it is started again, with every commit', async t => {
  const dataDir = newFolder()
  const postgres = await start(t, dataDir)
  await query(postgres.owner, 'create table kept as select generate_series(1, 1000) as id')
  // A backend that computes does not notice at once; the start has to wait for it.
  const busy = query(
    postgres.owner,
    'set statement_timeout = 1500; select count(*) from generate_series(1, 1e9)',
  ).catch(() => {})
  await sleep(100)
  const { pid } = postgres
  process.kill(pid, 'SIGKILL')
  await busy
  for (let looks = 0; looks < 600 && postgres.pid === pid; looks++) await sleep(50)
  assert.deepEqual(await query(postgres.owner, 'select count(*)::int as n from kept'), [{ n: 1000 }])
  await postgres.stop()
  assert.ok(!isRunning(postgres.pid))
})

test('stop() ends sessions with open transactions and may be called twice; it is no unexpected exit', async t => {
  const postgres = await start(t, newFolder())
  let reported = false
  postgres.onExit(() => {
    reported = true
  })
  const client = new pg.Client(postgres.owner)
  client.on('error', () => {})
  await client.connect()
  await client.query('begin; create table never (id int)')
  const begun = performance.now()
  await Promise.all([postgres.stop(), postgres.stop()])
  assert.ok(performance.now() - begun < 10_000)
  assert.ok(!isRunning(postgres.pid))
  assert.equal(reported, false)
})

test('a half-made database of a killed first start is not taken for one', async t => {
  const dataDir = newFolder()
  mkdirSync(join(dataDir, 'initdb-abc', 'postgres'), { recursive: true })
  writeFileSync(join(dataDir, 'initdb-abc', 'postgres', 'PG_VERSION'), '18\n')
  const { owner } = await start(t, dataDir)
  assert.deepEqual(await query(owner, 'select 1 as one'), [{ one: 1 }])
  assert.deepEqual(
    readdirSync(dataDir).filter(name => name.startsWith('initdb-')),
    [],
  )
})

test('folders it cannot use are refused in one line that says what to do', async () => {
  const older = newFolder()
  mkdirSync(join(older, 'postgres'))
  writeFileSync(join(older, 'postgres', 'PG_VERSION'), '16\n')
  const refuse = (dataDir: string) => startEmbeddedPostgres({ dataDir, log: silentLog })
  await assert.rejects(refuse(older), {
    name: 'StartFault',
    message: /written by PostgreSQL 16, and this Tandem brings PostgreSQL 18: make a backup/,
  })
  const strange = newFolder()
  mkdirSync(join(strange, 'postgres', 'holiday'), { recursive: true })
  await assert.rejects(refuse(strange), { name: 'StartFault', message: /holds files but no database: move it away/ })
  const broken = newFolder()
  await (await startEmbeddedPostgres({ dataDir: broken, log: silentLog })).stop()
  rmSync(join(broken, 'postgres', 'global', 'pg_control'))
  await assert.rejects(refuse(broken), {
    name: 'StartFault',
    message: /^PostgreSQL did not start: .*pg_control.* Its log is .*postgres\.log\.$/s,
  })
  assert.ok(existsSync(join(broken, 'postgres.log')))
})
