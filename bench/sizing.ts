/**
 * What memory, processors and connections of the database an organization takes, by its size: people at work in lists, searches and
 * records, each with a live stream open, over few and many records. The table stands in docs/deployment.md.
 */
import { once } from 'node:events'
import { type ClientRequest, request as httpRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { BenchContext, BenchReport } from './bench.ts'
import { cpuSecondsOf, formatBytes, formatCount, markdownTable, processesOf, readMemory } from './measure.ts'
import { seedInvoices } from './seed_invoices.ts'
import { seedNouns } from './seed_nouns.ts'
import { connectOwner, createApiKey, postgresVersion, startTandem, type Tandem, tenantId } from './servers.ts'

type Size = { people: number; records: number }
type Figures = Size & {
  serverBytes: number
  databaseBytes: number
  diskBytes: number
  connections: number
  cores: number
  requests: number
  p50Ms: number
  p95Ms: number
}

const sizes: readonly Size[] = [
  { people: 0, records: 0 },
  { people: 10, records: 10_000 },
  { people: 50, records: 100_000 },
  { people: 200, records: 400_000 },
]
/** Each does something every so often: much for a person. */
const everyMs = 2_000
const words = ['bake', 'miru', 'nosa', 'tevi', 'kelo']

/** What people do: of ten times six lists and searches, two records, two changes. */
function pathOf(n: number): { path: string; body?: object } {
  const word = words[n % words.length]
  const all: { path: string; body?: object }[] = [
    { path: `/v1/api/leads?limit=50&q=${word}` },
    { path: `/v1/api/companies?limit=50&q=${word}` },
    { path: '/v1/api/leads?limit=50&status=New' },
    { path: '/v1/api/finance/invoices?status=Overdue&page=1&limit=20' },
    { path: '/v1/api/finance/invoices?page=1&limit=20' },
    { path: '/v1/api/companies?limit=50' },
    { path: '/v2/conversations?limit=50' },
    { path: '/v1/api/tasks?limit=50' },
    { path: '/v1/api/leads', body: { name: `Sizing ${n}`, email: `sizing${n}@bench.example` } },
    { path: '/v1/api/tasks', body: { title: `Call number ${n}` } },
  ]
  return all[n % all.length]!
}

function openStream({ host, port }: Tandem, key: string): ClientRequest {
  const out = httpRequest({ host, port, path: '/v2/stream', headers: { authorization: `Bearer ${key}` } })
  out.on('response', response => response.resume())
  out.on('error', () => {})
  out.end()
  return out
}

type Work = { times: number[]; count: number }

/** One person: asks, waits, asks. @throws Error for an answer that is no success */
async function person({ host, port }: Tandem, key: string, number: number, work: Work, untilMs: number): Promise<void> {
  await sleep((number * 137) % everyMs)
  while (performance.now() < untilMs) {
    const n = work.count++
    const { path, body } = pathOf(n)
    const beganMs = performance.now()
    const response = await fetch(`http://${host}:${port}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
    const tookMs = performance.now() - beganMs
    work.times.push(tookMs)
    await sleep(Math.max(0, everyMs - tookMs))
  }
}

async function connectionsOf(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ n: number }>(
    "select count(*)::int as n from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
  )
  return rows[0]!.n
}

async function measure(
  tandem: Tandem,
  owner: pg.Client,
  key: string,
  { people, records }: Size,
  seconds: number,
): Promise<Figures> {
  const streams = Array.from({ length: people }, () => openStream(tandem, key))
  await Promise.all(streams.map(stream => once(stream, 'response')))
  const work: Work = { times: [], count: 0 }
  const beganMs = performance.now()
  const cpu = cpuSecondsOf(tandem.groups) ?? 0
  let connections = 0
  const watching = setInterval(() => {
    connectionsOf(owner).then(
      open => {
        connections = Math.max(connections, open)
      },
      // Asked again in a moment, or over.
      () => {},
    )
  }, 500)
  try {
    const untilMs = beganMs + seconds * 1_000
    await Promise.all([sleep(seconds * 1_000), ...streams.map((_, n) => person(tandem, key, n, work, untilMs))])
    const memoryOf = (name: string) => readMemory(processesOf(tandem.groups[name]!))?.pssBytes ?? 0
    const cores = ((cpuSecondsOf(tandem.groups) ?? 0) - cpu) / ((performance.now() - beganMs) / 1_000)
    const { rows } = await owner.query<{ size: string }>('select pg_database_size(current_database()) as size')
    const sorted = work.times.toSorted((a, b) => a - b)
    const share = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0
    const memory = { serverBytes: memoryOf('server'), databaseBytes: memoryOf('database') }
    const speed = { requests: sorted.length, p50Ms: share(0.5), p95Ms: share(0.95) }
    return { people, records, ...memory, diskBytes: Number(rows[0]!.size), connections, cores, ...speed }
  } finally {
    clearInterval(watching)
    for (const stream of streams) stream.destroy()
  }
}

export async function sizingBench({ pace, settings, log }: BenchContext): Promise<BenchReport> {
  const found: Figures[] = []
  let postgres: string | null = null
  for (const size of sizes) {
    const tandem = await startTandem({
      settings: { TANDEM_PORTAL: '0', TANDEM_RATE_LIMIT_USER: '100000000', ...settings },
    })
    const owner = await connectOwner(tandem)
    try {
      postgres = await postgresVersion(owner)
      const live = await tenantId(owner, 'live')
      if (size.records > 0) {
        await seedNouns(owner, live, size.records)
        await seedInvoices(owner, live, size.records)
      }
      const key = await createApiKey(tandem, 'live')
      found.push(await measure(tandem, owner, key, size, pace.seconds))
      log(`${size.people} people over ${size.records} records of each kind: measured`)
    } finally {
      await owner.end()
      await tandem.stop()
    }
  }
  return { markdown: tableOf(found), postgres, figures: { sizes: found } }
}

function tableOf(found: readonly Figures[]): string {
  const rows = found.map(one => [
    one.people === 0 ? 'nobody' : `${one.people} people`,
    formatCount(one.records),
    formatBytes(one.serverBytes),
    formatBytes(one.databaseBytes),
    formatBytes(one.diskBytes),
    String(one.connections),
    one.cores.toFixed(2),
    one.requests === 0 ? '–' : `${one.p50Ms.toFixed(0)} / ${one.p95Ms.toFixed(0)} ms`,
  ])
  const header = [
    'at work',
    'leads, companies, invoices each',
    'server',
    'database',
    'on disk',
    'connections',
    'cores',
    'p50 / p95',
  ]
  return markdownTable(header, rows)
}
