// PostgreSQL servers that are not Tandem's own, as an operator has them: the release of the Linux distribution over TCP
// with passwords, and the release Tandem brings over a socket. Tests make owners and databases in them, and put PgBouncer before.
import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../../scripts/testing/free_port.ts'
import { startEmbeddedPostgres } from '../src/kernel/boot/embedded_postgres.ts'
import type { ConnectionOptions } from '../src/kernel/data/db.ts'
import { silentLog } from './cluster.ts'
import { freshFolder, soon } from './server_process.ts'

export type PeerPostgres = {
  /** What differs between peers in a DATABASE_URL. */
  url(login: string, password: string, database: string): string
  superuser: ConnectionOptions
  isRunning(): boolean
  /** Of the postmaster, where it is known. */
  pid?: number
  stop(): Promise<void>
}

export const superuserPassword = 'p@ss/w:rd#1'

/** The newest release of the distribution that Tandem can use: its number and the folder of its programs. */
export function systemPostgres(): { major: number; programs: string } | undefined {
  const releases = globSync('/usr/lib/postgresql/*/bin/postgres').map(file => ({
    major: Number(file.split('/')[4]),
    programs: join(file, '..'),
  }))
  return releases.filter(({ major }) => major >= 15).sort((a, b) => b.major - a.major)[0]
}

/** What tests change of a PostgreSQL as it comes: as it is, sessions compile what looks expensive; here everything does, and it is counted. */
const testSettings = { fsync: 'off', jit_above_cost: '0', shared_preload_libraries: 'pg_stat_statements' }

/** Starts the distribution's PostgreSQL in a temporary folder, as an ordinary user: 127.0.0.1, with passwords only. */
export async function startSystemPostgres(
  programs: string,
  more: Record<string, string> = testSettings,
): Promise<PeerPostgres> {
  const folder = freshFolder()
  const account = ordinaryAccount()
  const [data, passwordFile] = [join(folder, 'postgres'), join(folder, 'password')]
  mkdirSync(data, { mode: 0o700 })
  writeFileSync(passwordFile, superuserPassword, { mode: 0o600 })
  for (const path of account ? [folder, data, passwordFile] : []) chownSync(path, account!.uid, account!.gid)
  const options = { ...account, cwd: '/', env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' } }
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '--no-sync']
  const made = spawnSync(join(programs, 'initdb'), initdb, { ...options, encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)

  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(port),
    max_connections: '200',
    ...more,
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(join(programs, 'postgres'), ['-D', data, ...args], {
    ...options,
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  const ended = new Promise(resolve => child.once('close', resolve))
  const pidFile = join(data, 'postmaster.pid')
  const isReady = () => existsSync(pidFile) && readFileSync(pidFile, 'utf8').split('\n')[7]?.trim() === 'ready'
  if (!(await soon(isReady))) throw new Error(`PostgreSQL of ${programs} did not start`)
  return {
    url: (login, password, database) =>
      `postgres://${login}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`,
    superuser: { host: '127.0.0.1', port, user: 'postgres', password: superuserPassword, database: 'postgres' },
    isRunning: () => child.exitCode === null && child.signalCode === null,
    pid: child.pid!,
    async stop() {
      child.kill('SIGINT')
      await ended
    },
  }
}

/** Statements that PostgreSQL compiled, in a database of `startSystemPostgres`; but those by which a session says that it wants none. */
export async function compiledStatements(superuser: ConnectionOptions, database: string): Promise<string[]> {
  const client = new pg.Client(superuser)
  await client.connect()
  try {
    await client.query('create extension if not exists pg_stat_statements')
    const { rows } = await client.query<{ query: string }>(
      `select query from pg_stat_statements join pg_database on pg_database.oid = dbid
       where datname = $1 and jit_functions > 0 and query not like 'select set_config(%'`,
      [database],
    )
    return rows.map(row => row.query)
  } finally {
    await client.end()
  }
}

export type Pooler = { port: number; stop(): Promise<void> }

/** Why PgBouncer cannot be run here, if so. */
export const noPgBouncer = existsSync('/usr/sbin/pgbouncer') ? false : 'no /usr/sbin/pgbouncer (package pgbouncer)'

/** Starts Debian's PgBouncer before a PostgreSQL on 127.0.0.1; startup options are dropped without a word, as many set it up. */
export async function startPgBouncer(
  postgresPort: number,
  { mode, login, password }: { mode: 'session' | 'transaction'; login: string; password: string },
): Promise<Pooler> {
  const [folder, port, account] = [freshFolder(), await freePort(), ordinaryAccount()]
  const [users, config] = [join(folder, 'users.txt'), join(folder, 'pgbouncer.ini')]
  writeFileSync(users, `"${login}" "${password}"\n`)
  writeFileSync(
    config,
    `[databases]
* = host=127.0.0.1 port=${postgresPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 100
ignore_startup_parameters = options
`,
  )
  for (const path of account ? [folder, users, config] : []) chownSync(path, account!.uid, account!.gid)
  const child = spawn('/usr/sbin/pgbouncer', ['-q', config], { ...account, cwd: '/', stdio: 'ignore', detached: true })
  const ended = new Promise(resolve => child.once('close', resolve))
  if (!(await soon(() => isListening(port)))) throw new Error('PgBouncer did not start')
  return {
    port,
    async stop() {
      child.kill('SIGINT')
      await ended
    },
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}

/** Starts the release Tandem brings, as if it were somebody's own: nothing of Tandem is in it. */
export async function startBundledPostgres(): Promise<PeerPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir: freshFolder(), log: silentLog, settings: { fsync: 'off' } })
  const superuser = { ...postgres.owner, database: 'postgres' }
  const admin = new pg.Client(superuser)
  await admin.connect()
  await admin.query('drop database tandem')
  await admin.query('drop role tandem_app')
  await admin.end()
  let ended = false
  postgres.onExit(() => {
    ended = true
  })
  return {
    url: (login, _password, database) =>
      `postgres://${login}@localhost/${database}?host=${encodeURIComponent(postgres.owner.host)}`,
    superuser,
    isRunning: () => !ended,
    stop: postgres.stop,
  }
}

/** PostgreSQL refuses to run as root. */
function ordinaryAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid!() !== 0) return undefined
  const entry = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map(line => line.split(':'))
    .find(([name]) => name === 'postgres')
  return entry ? { uid: Number(entry[2]), gid: Number(entry[3]) } : { uid: 65_534, gid: 65_534 }
}
