// The whole of Tandem as processes of their own over one database, for a crash run: an API, a worker, PostgreSQL; with a
// carrier and a receiver of webhooks around it. Each part can be killed and started again, and keeps proof that it was.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Webhook } from 'standardwebhooks'
import type { CrashPoint } from '../../src/kernel/crash_points.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/kernel/embedded_postgres.ts'
import { guardedFolder, silentLog } from '../cluster.ts'
import { type CarrierSide, startCarrier, startWebhookSink, type WebhookSide } from './far_side.ts'
import type { Random } from './random.ts'

export type Role = 'api' | 'worker'

/** A process of the server, and how often it died by SIGKILL. */
export type Part = {
  /** Undefined while it is not running. */
  address(): string | undefined
  deaths(): number
  kill(): Promise<void>
  /** Starts it; with `dieAt` it kills itself there. */
  start(dieAt?: { point: CrashPoint; passes: number }): Promise<void>
  /** Ends in order. */
  stop(): Promise<void>
  /** Resolves when it has died; rejects when it has not within `limitMs`. */
  died(limitMs: number): Promise<void>
}

export type World = {
  api: Part
  worker: Part
  carrier: CarrierSide
  webhooks: WebhookSide
  liveKey: string
  senders: readonly string[]
  /** Kills PostgreSQL and starts it again; how often that was done. */
  killDatabase(): Promise<void>
  databaseDeaths(): number
  sql<Row>(text: string, values?: unknown[]): Promise<Row[]>
  close(): Promise<void>
}

export type WorldOptions = {
  /** Root of the sources to run: the checkout, or a copy of it with a defect. */
  tree: string
  random: Random
  /** Run once the schema is there: a defect of the database. */
  damage?: string | undefined
}

const adminPassword = 'a long enough password'

export async function startWorld({ tree, random, damage }: WorldOptions): Promise<World> {
  const folder = guardedFolder()
  const startDatabase = () =>
    startEmbeddedPostgres({ dataDir: folder, log: silentLog, settings: { fsync: 'off', max_connections: '100' } })
  let database: EmbeddedPostgres = await startDatabase()
  let databaseDeaths = 0
  const url = `postgres://postgres@localhost/tandem?host=${encodeURIComponent(database.owner.host)}`
  const env = (role: Role) => ({
    PATH: process.env['PATH'],
    PORT: '0',
    DATABASE_URL: url,
    TANDEM_DATA: folder,
    TANDEM_ROLES: role,
    TANDEM_PORTAL: '0',
    TANDEM_ADMIN_PASSWORD: adminPassword,
    TANDEM_EGRESS_ALLOW: '127.0.0.0/8',
    TANDEM_RATE_LIMIT_IP: '1000000',
    TANDEM_RATE_LIMIT_KEY: '1000000',
    TANDEM_LOG_LEVEL: 'error',
    TANDEM_LOG_FORMAT: 'json',
  })
  const api = createPart(tree, () => env('api'))
  const worker = createPart(tree, () => env('worker'))
  const sql = async <Row>(text: string, values: unknown[] = []) => {
    const client = new pg.Client(database.owner)
    await client.connect()
    try {
      return (await client.query(text, values)).rows as Row[]
    } finally {
      await client.end()
    }
  }
  const first = await api.start()
  const liveKey = /Live API key\s+(\S+)/.exec(first)?.[1]
  if (liveKey === undefined) throw new Error(`no key was printed:\n${first}`)
  if (damage !== undefined) await sql(damage)
  await worker.start()

  const carrier = await startCarrier(random)
  let secret = ''
  const webhooks = await startWebhookSink(random, {
    verify: (body, headers) => void new Webhook(secret).verify(body, headers),
  })
  const call = async (path: string, body: object) => {
    const answer = await fetch(`${api.address()}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${liveKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${text}`)
    return JSON.parse(text).data
  }
  await call('/v2/carriers', {
    kind: 'smpp',
    name: 'Far side',
    settings: {
      host: '127.0.0.1',
      port: carrier.port,
      systemId: 'tandem',
      password: 'secret',
      windowSize: 20,
      segmentsPerSecond: 1_000,
      responseTimeoutSeconds: 2,
    },
  })
  const senders = ['+4930555000', '+4930555001'].map((start, index) => `${start}${index}`)
  for (const number of senders) await call('/v2/numbers', { number })
  secret = (await call('/v2/webhooks', { url: webhooks.url, description: 'Crash run', eventTypes: ['message.*'] }))
    .secret

  return {
    api: withoutText(api),
    worker: withoutText(worker),
    carrier,
    webhooks,
    liveKey,
    senders,
    sql,
    databaseDeaths: () => databaseDeaths,
    async killDatabase() {
      process.kill(database.pid, 'SIGKILL')
      databaseDeaths++
      await sleep(200)
      database = await startDatabase()
    },
    async close() {
      await Promise.all([api.kill(), worker.kill()])
      await Promise.all([carrier.close(), webhooks.close()])
      await database.stop()
    },
  }
}

type TellingPart = Omit<Part, 'start'> & { start(dieAt?: { point: CrashPoint; passes: number }): Promise<string> }

function withoutText(part: TellingPart): Part {
  return { ...part, start: async dieAt => void (await part.start(dieAt)) }
}

const startLimitMs = 60_000

function createPart(tree: string, env: () => Record<string, string | undefined>): TellingPart {
  let child: ChildProcess | undefined
  let address: string | undefined
  let deaths = 0
  let ended: Promise<void> = Promise.resolve()

  async function start(dieAt?: { point: CrashPoint; passes: number }): Promise<string> {
    const args = ['--conditions=source', '--import', join(tree, 'server/test/crash/arm.ts')]
    const running = spawn(process.execPath, [...args, join(tree, 'server/src/main.ts'), 'serve'], {
      cwd: tree,
      env: { ...env(), ...(dieAt && { CRASH_AT: `${dieAt.point}:${dieAt.passes}` }) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = running
    let text = ''
    for (const stream of [running.stdout, running.stderr])
      stream.setEncoding('utf8').on('data', chunk => {
        text = (text + chunk).slice(-100_000)
      })
    ended = new Promise(resolve => {
      running.once('exit', (_code, signal) => {
        if (signal === 'SIGKILL') deaths++
        if (child === running) [child, address] = [undefined, undefined]
        resolve()
      })
    })
    const deadline = performance.now() + startLimitMs
    for (;;) {
      const ready = /Tandem is ready on (\S+)/.exec(text)
      if (ready !== null) {
        address = ready[1]
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
    deaths: () => deaths,
    start,
    async kill() {
      child?.kill('SIGKILL')
      await ended
    },
    async stop() {
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
