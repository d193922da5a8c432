// The embedded database: real PostgreSQL programs from npm, run as a child process with its data in `<data folder>/postgres`
// and reached through a socket in a folder that only this user may enter, never over the network.
//
// A server that was killed leaves its PostgreSQL running. The next start stops that one and starts its own rather than
// adopting it: then there is one state to reason about (our child, our settings, our release), and the price is a
// checkpoint. The caller holds the data folder's lock (data_folder.ts), so nobody else is at work in it.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { chmod, lstat, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectionOptions } from '../data/db.ts'
import { connectClient } from '../data/session.ts'
import type { Log } from '../observe/log.ts'
import { startFault } from '../values/start_fault.ts'
import { checkRelease, createCluster, holdsCluster } from './cluster_folder.ts'
import { keepServer, type Server } from './keep_server.ts'
import {
  findPostgresPrograms,
  type Launch,
  type PostgresPrograms,
  programEnvironment,
  settleOwner,
} from './postgres_programs.ts'

/** Where an embedded PostgreSQL listens: a socket folder and, for `pg`, the port number in the socket's name. */
export type SocketAddress = { host: string; port: number }

export type EmbeddedPostgres = {
  /** Superuser `postgres`, database `tandem`: for migrations. */
  owner: ConnectionOptions & SocketAddress
  /** Role `tandem_app`, the same database: it owns nothing and bypasses nothing. */
  app: ConnectionOptions & SocketAddress
  readonly pid: number
  /** Calls back when PostgreSQL ended without `stop()` and cannot be started again; `why` is the last word of its log. */
  onExit(callback: (why: string) => void): void
  /** Fast shutdown: open transactions are rolled back, everything committed is on disk. At most about 30 s. */
  stop(): Promise<void>
}

export type EmbeddedPostgresOptions = {
  /** Absolute path of a folder that this process has locked. */
  dataDir: string
  log: Pick<Log, 'info' | 'warn'>
  /** PostgreSQL settings that go before ours (tests switch fsync off). */
  settings?: Readonly<Record<string, string>>
  /** Restricts how a root runs PostgreSQL (tests). */
  launch?: Launch
  /** Gives a start up: nothing of it runs on when it rejects. */
  signal?: AbortSignal
}

const port = 5432

/** Durable, small when idle, and at home on two cores. `ALTER SYSTEM` or lines in postgresql.conf go before these. */
const serverSettings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '60',
  shared_buffers: '96MB',
  wal_buffers: '8MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  effective_cache_size: '1GB',
  random_page_cost: '1.1',
  jit: 'off',
  fsync: 'on',
  synchronous_commit: 'on',
  wal_level: 'replica',
  max_wal_size: '2GB',
  // Files of the log are used again instead of made again.
  min_wal_size: '512MB',
  checkpoint_timeout: '15min',
  io_workers: '2',
  max_worker_processes: '4',
  max_parallel_workers: '2',
  // Nothing is replicated: a process less.
  max_logical_replication_workers: '0',
  // Queue tables turn over within seconds: look often, and start on a twentieth of dead rows rather than a fifth.
  autovacuum_naptime: '10s',
  autovacuum_max_workers: '2',
  autovacuum_vacuum_cost_limit: '1000',
  autovacuum_vacuum_scale_factor: '0.05',
  autovacuum_analyze_scale_factor: '0.05',
  // A client that is gone takes its running query with it.
  client_connection_check_interval: '5s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Errors go to the server, which logs them without the rows they quote; this log keeps the database's own affairs.
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  track_io_timing: 'off',
}

/**
 * Starts PostgreSQL in `dataDir`, after creating its database where there is none, and answers once it takes queries.
 * @throws StartFault with one line for everything an operator can mend.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, signal } = options
  const dataDir = realpathSync(options.dataDir)
  const cluster = join(dataDir, 'postgres')
  const programs = await findPostgresPrograms(dataDir, options.launch)
  await endOrphan(cluster, log)
  if (!holdsCluster(cluster)) await createCluster({ programs, dataDir, cluster, log, signal })
  checkRelease(programs, cluster)
  await settleOwner(cluster, programs.uid)
  const host = await makeSocketFolder(dataDir, programs.uid)
  await writeFile(join(cluster, 'tandem.conf'), renderSettings({ ...serverSettings, ...options.settings }))

  signal?.throwIfAborted()
  const server = await keepServer(() => runServer({ programs, dataDir, cluster, host, log }), { log })
  const connection = { host, port, database: 'tandem', ssl: false }
  try {
    signal?.throwIfAborted()
    await prepareDatabase({ ...connection, user: 'postgres', database: 'postgres' })
  } catch (error) {
    await server.stop()
    throw error
  }
  return Object.assign(server, {
    owner: { ...connection, user: 'postgres' },
    app: { ...connection, user: 'tandem_app' },
  })
}

/**
 * Folder of the socket, open to this user only. A socket's whole path may have 103 bytes (macOS; Linux takes 107), so a
 * data folder that lies deep gets one in the system's folder for temporary files, under a name made from its path.
 */
async function makeSocketFolder(dataDir: string, uid: number): Promise<string> {
  const inside = join(dataDir, 'run')
  const name = `tandem-${uid}-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`
  const fits = (folder: string) => Buffer.byteLength(`${folder}/.s.PGSQL.${port}`) <= 103 && /^[\w./@+-]+$/.test(folder)
  const folder = [inside, join(tmpdir(), name)].find(fits) ?? join('/tmp', name)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const entry = await lstat(folder)
  // Below a folder that everybody may write to, somebody else may have been here before us.
  if (!entry.isDirectory() || (folder !== inside && entry.uid !== uid && entry.uid !== process.getuid!())) {
    throw startFault(
      `The folder ${folder} for the database's socket belongs to another user: remove it, or set TMPDIR.`,
    )
  }
  await settleOwner(folder, uid)
  await chmod(folder, 0o700)
  return folder
}

function renderSettings(settings: Record<string, string>): string {
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name} = '${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`,
  )
  return `# Written by Tandem at every start; put your own settings below the include in postgresql.conf.\n${lines.join('\n')}\n`
}

type ServerPlace = {
  programs: PostgresPrograms
  dataDir: string
  cluster: string
  host: string
  log: EmbeddedPostgresOptions['log']
}

/** Starts the server process; when the processes of a killed one still hold its memory, waits for them to go. */
async function runServer(place: ServerPlace, patience = 120): Promise<Server> {
  const logFile = join(place.dataDir, 'postgres.log')
  await turnOver(logFile)
  const logStart = existsSync(logFile) ? (await stat(logFile)).size : 0
  const child = spawnServer(place, logFile)
  const ended = new Promise<void>(settle => {
    child.once('exit', () => settle())
    child.once('error', () => settle())
  })
  const hasEnded = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null
  for (let polls = 1; !isReady(place.cluster, child.pid); polls++) {
    if (hasEnded()) {
      const words = lastWords(logFile, logStart)
      if (patience === 0 || !words.includes('pre-existing shared memory block')) {
        throw startFault(`PostgreSQL did not start: ${words}. Its log is ${logFile}.`)
      }
      if (patience % 20 === 0) place.log.info('waiting for the last queries of a PostgreSQL that was killed')
      await sleep(250)
      return runServer(place, patience - 1)
    }
    if (polls % 500 === 0) place.log.info('PostgreSQL is still recovering from an unclean stop')
    await Promise.race([sleep(10), ended])
  }

  const callbacks: ((why: string) => void)[] = []
  let stopping: Promise<void> | undefined
  child.once('exit', () => {
    if (!stopping) for (const callback of callbacks) callback(lastWords(logFile, logStart))
  })
  // The server's own sockets and timers keep it alive; a test that forgets to stop must still be able to end.
  child.unref()
  return {
    pid: child.pid!,
    onExit: callback => void callbacks.push(callback),
    stop() {
      child.ref()
      stopping ??= endProcess(child.pid!, () => !hasEnded())
      return stopping
    },
  }
}

function spawnServer({ programs, cluster, host }: ServerPlace, logFile: string): ChildProcess {
  const [file, args] = programs.command('postgres', ['-D', cluster, '-k', host, '-p', String(port)])
  const output = openSync(logFile, 'a', 0o600)
  try {
    // A session of its own, so that Ctrl-C reaches only the server, which drains before it stops the database.
    const child = spawn(file, args, {
      cwd: '/',
      env: programEnvironment,
      detached: true,
      stdio: ['ignore', output, output],
    })
    endWithUs(child)
    return child
  } finally {
    closeSync(output)
  }
}

/** However this process exits (short of being killed), PostgreSQL gets the signal to shut down, and does so by itself. */
function endWithUs(child: ChildProcess): void {
  const stop = () => void child.kill('SIGINT')
  process.once('exit', stop)
  child.once('exit', () => process.off('exit', stop))
}

/** PostgreSQL writes `ready` in the eighth line of its pid file (as pg_ctl relies on). */
function isReady(cluster: string, pid: number | undefined): boolean {
  const lines = readPidFile(cluster)
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
}

function readPidFile(cluster: string): string[] {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return []
  }
}

/** The reason in the log for an end: its last fatal line, else its last line. */
function lastWords(logFile: string, start: number): string {
  const lines = readFileSync(logFile).subarray(start).toString().trim().split('\n')
  const fatal = lines.findLast(line => /(FATAL|PANIC):/.test(line))
  return (fatal?.replace(/^.*?(FATAL|PANIC):\s*/, '') ?? lines.at(-1)) || 'it ended without a word'
}

const logLimitBytes = 10_000_000

/** Keeps one older log of at most the limit, so that the log of a long life cannot fill the disk. */
async function turnOver(logFile: string): Promise<void> {
  if (existsSync(logFile) && (await stat(logFile)).size > logLimitBytes) await rename(logFile, `${logFile}.1`)
}

/** Ends the PostgreSQL that a killed server left behind, and a pid file that names a process of somebody else by now. */
async function endOrphan(cluster: string, log: EmbeddedPostgresOptions['log']): Promise<void> {
  const pid = Number(readPidFile(cluster)[0])
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return
  if (runsCluster(pid, cluster)) {
    log.warn({ pid }, 'stopping the PostgreSQL that an earlier server left running')
    await endProcess(pid, () => isAlive(pid) && runsCluster(pid, cluster))
  } else {
    // PostgreSQL takes any living process of that number for its predecessor and would refuse to start.
    await rm(join(cluster, 'postmaster.pid'), { force: true })
  }
}

/** Whether a process of that number runs, no matter whose it is. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether a living process is the PostgreSQL of this very folder: it works in it, or names it in its command line. */
function runsCluster(pid: number, cluster: string): boolean {
  if (process.platform !== 'linux') {
    try {
      return execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).includes(cluster)
    } catch {
      return false
    }
  }
  try {
    if (readlinkSync(`/proc/${pid}/cwd`) === cluster) return true
  } catch {
    // Closed to us when it runs under another account; the command line is open.
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(cluster)
  } catch {
    return false
  }
}

/** PostgreSQL's fast shutdown, then its immediate one, then the system's. */
async function endProcess(pid: number, isRunning: () => boolean): Promise<void> {
  const steps = [
    { signal: 'SIGINT', waitMs: 20_000 },
    { signal: 'SIGQUIT', waitMs: 5_000 },
    { signal: 'SIGKILL', waitMs: 5_000 },
  ] as const
  for (const { signal, waitMs } of steps) {
    if (!isRunning()) return
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return
      throw startFault(
        `The PostgreSQL with process number ${pid} belongs to another user: stop it as that user.`,
        error,
      )
    }
    for (let waitedMs = 0; waitedMs < waitMs && isRunning(); waitedMs += 10) await sleep(10)
  }
}

/** Creates the database and the role of the server where they are missing, and takes rights back that the role must not have. */
async function prepareDatabase(connection: ConnectionOptions): Promise<void> {
  const client = await connectClient(connection)
  try {
    const { rows } = await client.query<{ database: boolean; role: boolean; harmless: boolean }>(`
      select exists (select from pg_database where datname = 'tandem') as database,
             exists (select from pg_roles where rolname = 'tandem_app') as role,
             exists (select from pg_roles where rolname = 'tandem_app' and rolcanlogin
                       and not (rolsuper or rolbypassrls or rolcreatedb or rolcreaterole or rolreplication)) as harmless`)
    const { database, role, harmless } = rows[0]!
    const attributes = 'login nosuperuser nobypassrls nocreatedb nocreaterole noreplication noinherit'
    if (!harmless) await client.query(`${role ? 'alter' : 'create'} role tandem_app ${attributes}`)
    if (!database) await client.query('create database tandem')
  } finally {
    await client.end()
  }
}
