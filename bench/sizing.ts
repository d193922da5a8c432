/**
 * What memory, processors and connections of the database an organization takes, by its size: people at work in lists, searches and
 * records, each with a live stream open, over few and many records. The table stands in docs/deployment.md.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { BenchContext, BenchReport } from './bench.ts'
import { cpuSecondsOf, formatBytes, formatCount, markdownTable, processesOf, readMemory } from './measure.ts'
import { shareOf, startPeople } from './people.ts'
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
  const work = await startPeople(tandem, key, people)
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
    await sleep(seconds * 1_000)
    if (work.failures.length > 0) throw new Error(`${work.failures.length} failed; the first: ${work.failures[0]}`)
    const memoryOf = (name: string) => readMemory(processesOf(tandem.groups[name]!))?.pssBytes ?? 0
    const cores = ((cpuSecondsOf(tandem.groups) ?? 0) - cpu) / ((performance.now() - beganMs) / 1_000)
    const { rows } = await owner.query<{ size: string }>('select pg_database_size(current_database()) as size')
    const memory = { serverBytes: memoryOf('server'), databaseBytes: memoryOf('database') }
    const { timesMs } = work
    const speed = { requests: timesMs.length, p50Ms: shareOf(timesMs, 0.5), p95Ms: shareOf(timesMs, 0.95) }
    return { people, records, ...memory, diskBytes: Number(rows[0]!.size), connections, cores, ...speed }
  } finally {
    clearInterval(watching)
    await work.stop()
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
