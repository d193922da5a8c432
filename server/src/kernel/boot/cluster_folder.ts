// The folder of the embedded database: whether it holds one, of which release, and how a new one is made in it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { appendFile, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Log } from '../observe/log.ts'
import { startFault } from '../values/start_fault.ts'
import { flushFolder } from './durable_files.ts'
import { type PostgresPrograms, programEnvironment } from './postgres_programs.ts'

export function holdsCluster(cluster: string): boolean {
  if (existsSync(join(cluster, 'PG_VERSION'))) return true
  if (!existsSync(cluster) || readdirSync(cluster).length === 0) return false
  throw startFault(
    `The folder ${cluster} holds files but no database: move it away, or set TANDEM_DATA to another folder.`,
  )
}

export function checkRelease(programs: PostgresPrograms, cluster: string): void {
  const found = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  if (found === String(programs.major)) return
  throw startFault(
    `The database in ${cluster} was written by PostgreSQL ${found}, and this Tandem brings PostgreSQL ${programs.major}: ` +
      'make a backup with the Tandem that wrote it and restore it here, or set TANDEM_DATA to a new folder.',
  )
}

/**
 * Character rules of the first database. Order and case come from PostgreSQL's own C.UTF-8: by code point, fast, and the
 * same after every system upgrade (a system's collations change with it and silently break indexes); lists for people
 * name a collation such as "und-x-icu". The C library's character classes must know UTF-8 as well, since pg_trgm and the
 * text search parser ask them; with plain C they drop every letter beyond ASCII. Names of that locale differ by system.
 */
const characterClasses = ['C.UTF-8', 'en_US.UTF-8', 'UTF-8', 'C']

export type ClusterOptions = {
  programs: PostgresPrograms
  dataDir: string
  cluster: string
  log: Pick<Log, 'info'>
  /** Gives it up. */
  signal?: AbortSignal | undefined
}

/**
 * Makes the cluster beside its place and moves it there when it is whole: a start that is killed leaves no half of one.
 * @throws the reason of `signal` when that was aborted: no program runs on then
 */
export async function createCluster({ programs, dataDir, cluster, log, signal }: ClusterOptions): Promise<void> {
  log.info('creating the embedded database')
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith('initdb-')) await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 })
  }
  const workshop = await mkdtemp(join(dataDir, 'initdb-'))
  try {
    const fresh = join(workshop, 'postgres')
    await initialise(programs, fresh, signal)
    await appendFile(
      join(fresh, 'postgresql.conf'),
      "\n# Tandem writes tandem.conf at every start. Lines below this include are yours, and win.\ninclude 'tandem.conf'\n",
    )
    await rename(fresh, cluster)
    await flushFolder(dataDir)
  } finally {
    await rm(workshop, { recursive: true, force: true })
  }
}

async function initialise(programs: PostgresPrograms, fresh: string, signal?: AbortSignal): Promise<void> {
  for (const classes of characterClasses) {
    const [file, args] = programs.command('initdb', [
      `--pgdata=${fresh}`,
      '--username=postgres',
      // The socket's folder is the lock: anyone who may enter it may connect. Nothing else is let in.
      '--auth-local=trust',
      '--auth-host=reject',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      `--lc-ctype=${classes}`,
      '--no-instructions',
    ])
    const failure = await failureOf(file, args, signal)
    signal?.throwIfAborted()
    if (failure === undefined) return
    if (!failure.includes('invalid locale name')) {
      const line = failure.split('\n').find(text => /error|fatal|could not/i.test(text)) ?? failure.split('\n')[0]
      throw startFault(`The embedded database could not be created in ${fresh}: ${line}. Mend that and start again.`)
    }
  }
  throw startFault('This system has no UTF-8 locale (C.UTF-8 or en_US.UTF-8): install one, or set DATABASE_URL.')
}

/** What initdb ends with. It runs programs of its own: they are a group of processes, which ends as a whole with `signal`. */
async function failureOf(file: string, args: readonly string[], signal?: AbortSignal): Promise<string | undefined> {
  signal?.throwIfAborted()
  const child = spawn(file, args, {
    cwd: '/',
    env: programEnvironment,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let lastResort: NodeJS.Timeout | undefined
  const end = () => {
    // Asked first: a PostgreSQL that is killed leaves shared memory of the system behind.
    signalGroup(child.pid, 'SIGTERM')
    lastResort = setTimeout(signalGroup, 2_000, child.pid, 'SIGKILL')
  }
  signal?.addEventListener('abort', end)
  process.once('exit', end)
  try {
    // The output ends with the last process of the group.
    const [words, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
    return code === 0 ? undefined : words.trim() || `initdb ended with ${code}`
  } catch (error) {
    return (error as Error).message
  } finally {
    signal?.removeEventListener('abort', end)
    process.off('exit', end)
    clearTimeout(lastResort)
  }
}

function signalGroup(leader: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (leader !== undefined) process.kill(-leader, signal)
  } catch {
    // It has just ended.
  }
}
