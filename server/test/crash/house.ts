// Tandem as processes of their own over one database, for crash runs: each part can be killed and started again, and keeps proof that
// it was; so can PostgreSQL.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/kernel/boot/embedded_postgres.ts'
import type { CrashPoint } from '../../src/kernel/values/crash_points.ts'
import { guardedFolder, silentLog } from '../cluster.ts'

/** In ms since 1970. */
export type Span = { fromMs: number; toMs: number }

export type Role = 'api' | 'worker' | 'voice'

/** A process of the server, and how often it died by SIGKILL. */
export type Part = {
  /** Undefined while it is not running. */
  address(): string | undefined
  deaths(): number
  /** When it died, in ms since 1970. */
  diedAt(): readonly number[]
  /** Named places where it died, in their order: it has written that down itself. */
  diedAtPoints(): readonly CrashPoint[]
  /** When it was not there, for whatever reason: from its end until the next one was ready. */
  away(): readonly Span[]
  /** When it ended although nobody wanted that, with its last words. */
  endedItself(): readonly { atMs: number; words: string }[]
  /** What it logged as errors, each with how often: for who wonders about a broken promise. */
  errors(): ReadonlyMap<string, number>
  kill(): Promise<void>
  /** Lets it stand still for so long, as a machine that is at its limit does. */
  pause(ms: number): Promise<void>
  /** Starts it; with `dieAt` it kills itself there. */
  start(dieAt?: { point: CrashPoint; passes: number }): Promise<void>
  /** Ends in order. */
  stop(): Promise<void>
  /** Resolves when it has died; rejects when it has not within `limitMs`. */
  died(limitMs: number): Promise<void>
}

export type House<Name extends Role> = {
  parts: Record<Name, Part>
  liveKey: string
  /** Asks the API for something with the key of live mode; answers what is in `data`. */
  call(method: string, path: string, body?: object): Promise<Record<string, string>>
  /** Kills PostgreSQL and starts it again; when that was done. */
  killDatabase(): Promise<void>
  databaseDeaths(): readonly Span[]
  sql<Row>(text: string, values?: unknown[]): Promise<Row[]>
  close(): Promise<void>
}

export type HouseOptions<Name extends Role> = {
  /** Root of the sources to run: the checkout, or a copy of it with a defect. */
  tree: string
  /** In the order they are started; the first is the API. */
  roles: readonly Name[]
  env?: Record<string, string>
  /** Run once the schema is there: a defect of the database. */
  damage?: string | undefined
}

const checkout = join(import.meta.dirname, '../../..')
const adminPassword = 'a long enough password'

/** A database that was made a moment ago may be slow to answer on a busy machine; nothing was done yet. */
async function startedAtLast(api: { start(): Promise<string> }, tries = 5): Promise<string> {
  try {
    return await api.start()
  } catch (error) {
    if (tries === 1 || !/did not answer within/.test(String(error))) throw error
    return startedAtLast(api, tries - 1)
  }
}

export async function startHouse<Name extends Role>(options: HouseOptions<Name>): Promise<House<Name>> {
  const { tree, roles, env = {}, damage } = options
  const folder = guardedFolder()
  const settings = { fsync: 'off', max_connections: '100' }
  const database: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir: folder, log: silentLog, settings })
  const databaseDeaths: Span[] = []
  const url = `postgres://postgres@localhost/tandem?host=${encodeURIComponent(database.owner.host)}`
  const envOf = (role: Role) => ({
    PATH: process.env['PATH'],
    // A copy of the sources keeps its own, which ends with it.
    NODE_COMPILE_CACHE: tree === checkout ? process.env['NODE_COMPILE_CACHE'] : join(tree, 'compiled'),
    PORT: '0',
    DATABASE_URL: url,
    TANDEM_DATA: folder,
    TANDEM_ROLES: role,
    TANDEM_PORTAL: '0',
    TANDEM_ADMIN_PASSWORD: adminPassword,
    TANDEM_EGRESS_ALLOW: '127.0.0.0/8',
    TANDEM_RATE_LIMIT_IP: '1000000',
    TANDEM_RATE_LIMIT_KEY: '1000000',
    TANDEM_TESTS_PACE: '0',
    TANDEM_LOG_LEVEL: 'error',
    TANDEM_SHOW_SECRETS: '1',
    TANDEM_LOG_FORMAT: 'json',
    ...env,
  })
  const running = roles.map(
    role => [role, createPart(tree, () => envOf(role), join(folder, `died_at_${role}`))] as const,
  )
  const sql = async <Row>(text: string, values: unknown[] = []) => {
    const client = new pg.Client(database.owner)
    // The query says it too.
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(text, values)).rows as Row[]
    } finally {
      await client.end()
    }
  }
  const [[, api], ...others] = running as [(typeof running)[number], ...typeof running]
  const first = await startedAtLast(api)
  const liveKey = /Live API key\s+(\S+)/.exec(first)?.[1]
  if (liveKey === undefined) throw new Error(`no key was printed:\n${first}`)
  if (damage !== undefined) await sql(damage)
  for (const [, part] of others) await part.start()

  return {
    parts: Object.fromEntries(running.map(([role, part]) => [role, withoutText(part)])) as Record<Name, Part>,
    liveKey,
    sql,
    async call(method, path, body) {
      const answer = await fetch(`${api.address()}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${liveKey}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
      return text === '' ? {} : JSON.parse(text).data
    },
    databaseDeaths: () => databaseDeaths,
    async killDatabase() {
      const fromMs = Date.now()
      const { pid } = database
      process.kill(pid, 'SIGKILL')
      // It is started again by what started it.
      for (let looks = 0; looks < 1_200 && database.pid === pid; looks++) await sleep(50)
      if (database.pid === pid) throw new Error('the database was not started again')
      databaseDeaths.push({ fromMs, toMs: Date.now() })
    },
    async close() {
      await Promise.all(running.map(([, part]) => part.kill()))
      await database.stop()
    },
  }
}

/** What a line of the log says, where it is whole. */
function errorIn(line: string): string | undefined {
  if (!line.startsWith('{"level":') || !line.endsWith('}')) return undefined
  try {
    const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string } }
    return err?.message === undefined ? msg : `${msg}: ${err.message}`
  } catch {
    return undefined
  }
}

/** The place that a process has written down, for the next one to write its own. */
function takeNote(note: string): CrashPoint | undefined {
  try {
    const point = readFileSync(note, 'utf8') as CrashPoint
    rmSync(note)
    return point
  } catch {
    return undefined
  }
}

type ReportedPart = Omit<Part, 'start'> & { start(dieAt?: { point: CrashPoint; passes: number }): Promise<string> }

function withoutText(part: ReportedPart): Part {
  return { ...part, start: async dieAt => void (await part.start(dieAt)) }
}

const startLimitMs = 60_000

/** @param note a file in which it writes down at which place it dies */
function createPart(tree: string, env: () => Record<string, string | undefined>, note: string): ReportedPart {
  let child: ChildProcess | undefined
  let address: string | undefined
  const deaths: number[] = []
  const points: CrashPoint[] = []
  const away: Span[] = []
  const errors = new Map<string, number>()
  const endedItself: { atMs: number; words: string }[] = []
  let isStopping = false
  let ended: Promise<void> = Promise.resolve()

  async function start(dieAt?: { point: CrashPoint; passes: number }): Promise<string> {
    const args = ['--conditions=source', '--import', join(tree, 'server/test/crash/arm.ts')]
    const running = spawn(process.execPath, [...args, join(tree, 'server/src/main.ts'), 'serve'], {
      cwd: tree,
      env: { ...env(), ...(dieAt && { CRASH_AT: `${dieAt.point}:${dieAt.passes}`, CRASH_NOTE: note }) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = running
    isStopping = false
    let text = ''
    for (const stream of [running.stdout, running.stderr])
      stream.setEncoding('utf8').on('data', chunk => {
        text = (text + chunk).slice(-100_000)
        for (const line of String(chunk).split('\n')) {
          const message = errorIn(line)
          if (message !== undefined) errors.set(message, (errors.get(message) ?? 0) + 1)
        }
      })
    ended = new Promise(resolve => {
      running.once('exit', (_code, signal) => {
        const point = takeNote(note)
        if (point !== undefined) points.push(point)
        if (signal === 'SIGKILL') deaths.push(Date.now())
        // One that does not become ready is reported by who starts it.
        else if (!isStopping && address !== undefined) endedItself.push({ atMs: Date.now(), words: text.slice(-600) })
        if (child === running) [child, address] = [undefined, undefined]
        // One that died before it was ready was away all the while.
        if (away.at(-1)?.toMs !== Number.POSITIVE_INFINITY)
          away.push({ fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY })
        resolve()
      })
    })
    const deadline = performance.now() + startLimitMs
    for (;;) {
      const ready = /Tandem is ready on (\S+)/.exec(text)
      if (ready !== null) {
        address = ready[1]
        const last = away.at(-1)
        if (last?.toMs === Number.POSITIVE_INFINITY) last.toMs = Date.now()
        return text
      }
      // Armed, it may die before it is ready.
      if (running.signalCode === 'SIGKILL' && dieAt !== undefined) return text
      if (running.exitCode !== null || performance.now() > deadline)
        throw new Error(`the server did not start:\n${text}`)
      await sleep(20)
    }
  }

  return {
    address: () => address,
    deaths: () => deaths.length,
    diedAt: () => deaths,
    diedAtPoints: () => points,
    away: () => away,
    errors: () => errors,
    endedItself: () => endedItself,
    start,
    async kill() {
      child?.kill('SIGKILL')
      await ended
    },
    async pause(ms) {
      child?.kill('SIGSTOP')
      try {
        await sleep(ms)
      } finally {
        child?.kill('SIGCONT')
      }
    },
    async stop() {
      isStopping = true
      child?.kill('SIGTERM')
      await ended
    },
    async died(limitMs) {
      const late = new AbortController()
      const tooLate = sleep(limitMs, 'late', { signal: late.signal }).catch(() => 'ended')
      const first = await Promise.race([ended.then(() => 'ended'), tooLate])
      late.abort()
      if (first === 'late') throw new Error(`the process has not died within ${limitMs} ms`)
    },
  }
}
