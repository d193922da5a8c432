/**
 * Starts what is measured, each in a process of its own: the bare floor and the real server with fresh data, and
 * speaks to the real one as a client does (log in, make a key) and as the owner of its database does (count rows).
 * Whatever these functions assume about the server stands here and nowhere else in the benches.
 */

import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { freePort } from '../scripts/testing/free_port.ts'
import type { ProcessGroup } from './measure.ts'

const host = '127.0.0.1'
const root = fileURLToPath(new URL('..', import.meta.url))

/** A running server: where it listens, the groups of processes it consists of, and how to end it. */
export type RunningServer = {
  name: string
  host: string
  port: number
  groups: Record<string, ProcessGroup>
  stop(): Promise<void>
}

/** Starts the bare floor on a free port. Rejects when it does not say its port within 10 s. */
export async function startFloor(): Promise<RunningServer> {
  const child = spawn(process.execPath, [join(root, 'bench/floor.ts')], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout!, 'data', { signal: AbortSignal.timeout(10_000) })) as [Buffer]
  const { port, pid } = JSON.parse(line.toString()) as { port: number; pid: number }
  return { name: 'floor', host, port, groups: { server: { root: pid } }, stop: () => endProcess(child) }
}

/** The first Admin of every server that is started here. */
export const admin = { email: 'bench@tandem.localhost', password: 'Correct-Horse-under-load-1' }

export type Tandem = RunningServer & {
  dataDir: string
  /** When the process was started, by `performance.now()`. */
  startedMs: number
  /** From then until GET /readyz answered 200. */
  readyMs: number
  /** What it printed as its address, and when. */
  address: Promise<{ url: string; atMs: number }>
  /** Stops the server and keeps its data folder, for another start on it. */
  stopKeepingData(): Promise<void>
}

/**
 * Starts the real server and waits until it is ready (at most 60 s); rejects with the end of its output when it ends
 * before.
 * @param options.dataDir an earlier data folder; by default a fresh one, which `stop` removes.
 * @param options.program another copy of Node to run it with.
 * @param options.settings further settings (`TANDEM_…`), over those of the benches.
 */
export async function startTandem(
  options: { dataDir?: string; settings?: Record<string, string>; program?: string } = {},
): Promise<Tandem> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'tandem-bench-'))
  const port = await freePort()
  const startedMs = performance.now()
  const child = spawn(options.program ?? process.execPath, [join(root, 'server/src/main.ts'), 'serve'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment(dataDir, port), ...options.settings },
  })
  const output = collectOutput(child)
  const address = addressOf(child)
  try {
    await untilReady(child, port)
  } catch (error) {
    await endTandem(child, dataDir)
    throw new Error(`Tandem did not start (${(error as Error).message}); the end of its output:\n${output()}`)
  }
  const readyMs = performance.now() - startedMs
  const stopKeepingData = () => endTandem(child, dataDir)
  const stop = async () => {
    await stopKeepingData()
    rmSync(dataDir, { recursive: true, force: true })
  }
  const groups = groupsOf(child, dataDir)
  return { name: 'tandem', host, port, groups, dataDir, startedMs, readyMs, address, stop, stopKeepingData }
}

function environment(dataDir: string, port: number): NodeJS.ProcessEnv {
  const { DATABASE_URL: _database, VALKEY_URL: _valkey, ...inherited } = process.env
  return {
    ...inherited,
    PORT: String(port),
    HOST: host,
    TANDEM_DATA: dataDir,
    TANDEM_ADMIN_EMAIL: admin.email,
    TANDEM_ADMIN_PASSWORD: admin.password,
    TANDEM_RATE_LIMIT_IP: '100000000',
    TANDEM_RATE_LIMIT_KEY: '100000000',
    TANDEM_TESTS_PACE: '0',
    TANDEM_LOG_LEVEL: 'warn',
  }
}

/** The server's tree and the database's, distinguished although the server started the database. */
function groupsOf(child: ChildProcess, dataDir: string): Record<string, ProcessGroup> {
  const server = child.pid!
  const database = readPostmaster(dataDir)?.pid
  if (database === undefined) return { server: { root: server } }
  return { server: { root: server, without: [database] }, database: { root: database } }
}

/** Keeps the last 4,000 characters of both streams. */
function collectOutput(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (piece: string) => {
      text = (text + piece).slice(-4000)
    })
  }
  return () => text
}

function addressOf(child: ChildProcess): Promise<{ url: string; atMs: number }> {
  let text = ''
  return new Promise(resolve =>
    child.stdout?.on('data', (piece: string) => {
      text = (text + piece).slice(-4000)
      const url = /Tandem is ready on (\S+)/.exec(text)?.[1]
      if (url !== undefined) resolve({ url, atMs: performance.now() })
    }),
  )
}

async function untilReady(child: ChildProcess, port: number): Promise<void> {
  const deadlineMs = performance.now() + 60_000
  while (performance.now() < deadlineMs) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`exit code ${child.exitCode}`)
    const ready = await fetch(`http://${host}:${port}/readyz`).then(
      async response => (await response.arrayBuffer()) && response.status === 200,
      () => false,
    )
    if (ready) return
    await sleep(10)
  }
  throw new Error('not ready after 60 s')
}

/** Asks a process to end, and after 30 s makes it. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), 30_000)
  await ended
  clearTimeout(force)
}

/** Ends the server; a server that had to be forced leaves its database behind, which is then ended as well. */
async function endTandem(child: ChildProcess, dataDir: string): Promise<void> {
  await endProcess(child)
  const database = readPostmaster(dataDir)
  if (database === null || child.exitCode === 0) return
  try {
    process.kill(database.pid, 'SIGINT')
    while (readPostmaster(dataDir) !== null) await sleep(50)
  } catch {
    // It has ended by itself.
  }
}

/** Asks the server something; its answer, parsed. Rejects when that is not a 2xx. */
export async function request(
  tandem: RunningServer,
  method: string,
  path: string,
  token: string | null,
  body?: object,
) {
  const response = await fetch(`http://${tandem.host}:${tandem.port}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
  return JSON.parse(text) as unknown
}

/** Logs in as the first Admin; the access token. */
export async function logIn(tandem: Tandem): Promise<string> {
  const credentials = { emailOrAdminId: admin.email, password: admin.password }
  const reply = await request(tandem, 'POST', '/v1/api/auth/login', null, credentials)
  return (reply as { accessToken: string }).accessToken
}

/** Makes an API key with all rights of the Admin, in the live or the test tenant; its secret. */
export async function createApiKey(tandem: Tandem, mode: 'live' | 'test'): Promise<string> {
  const token = await logIn(tandem)
  const reply = await request(tandem, 'POST', '/v2/auth/api-keys', token, { name: `bench ${mode}`, mode })
  return (reply as { data: { secret: string } }).data.secret
}

type Postmaster = { pid: number; port: number; socketFolder: string }

/** What a running embedded PostgreSQL says of itself in its pid file; null when none runs. */
function readPostmaster(dataDir: string): Postmaster | null {
  try {
    const [pid, , , port, socketFolder = ''] = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split(
      '\n',
    )
    return { pid: Number(pid), port: Number(port), socketFolder }
  } catch {
    return null
  }
}

/** The embedded database as the DATABASE_URL of another process of Tandem. */
export function databaseUrl(tandem: Tandem): string {
  const postmaster = readPostmaster(tandem.dataDir)
  if (postmaster === null) throw new Error(`no running PostgreSQL in ${tandem.dataDir}`)
  const { socketFolder, port } = postmaster
  return `postgres://postgres@localhost:${port}/tandem?host=${encodeURIComponent(socketFolder)}`
}

/** Connects as the owner, who sees the rows of all tenants, through the socket of the embedded database. */
export async function connectOwner(tandem: Tandem): Promise<pg.Client> {
  const postmaster = readPostmaster(tandem.dataDir)
  if (postmaster === null) throw new Error(`no running PostgreSQL in ${tandem.dataDir}`)
  const { socketFolder, port } = postmaster
  const client = new pg.Client({ host: socketFolder, port, user: 'postgres', database: 'tandem' })
  await client.connect()
  return client
}

/** The id of the live or the test tenant of the only organization. */
export async function tenantId(owner: pg.Client, mode: 'live' | 'test'): Promise<number> {
  const { rows } = await owner.query<{ id: string }>('select id from tenants where mode = $1', [mode])
  return Number(rows[0]!.id)
}

/** How many rows of a tenant are committed in a table. */
export async function countRows(owner: pg.Client, table: 'messages' | 'leads', tenant: number): Promise<number> {
  const { rows } = await owner.query<{ n: string }>(`select count(*) as n from ${table} where tenant_id = $1`, [tenant])
  return Number(rows[0]!.n)
}

/** The version of the database, for the facts of the machine. */
export async function postgresVersion(owner: pg.Client): Promise<string> {
  const { rows } = await owner.query<{ server_version: string }>('show server_version')
  return rows[0]!.server_version
}
