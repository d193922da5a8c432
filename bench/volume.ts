/**
 * What a year of messages costs those that come: bursts from request to signed callback, as in `delivery`, at gateways that hold a million
 * messages of the past year, ten million and, when asked, more; and reading one message, the newest, and those of one recipient. The gateways
 * take turns, since the speed of a shared machine drifts: a ratio is taken between neighbours in the same round. Then a hundred thousand old
 * messages are purged beside a steady load, where most are.
 *
 * `BENCH_MILLIONS=1,10,50` says how many; a million takes about a gigabyte of the temporary folder.
 */
import type { BenchContext, BenchReport } from './bench.ts'
import { startTandemGateway, type TandemGateway } from './delivery.ts'
import { type Arrivals, anyArrivals, arrivalsTable, type Burst, burst, burstTable } from './gateway_runs.ts'
import { warmUp } from './kannel.ts'
import { formatBytes, formatCount, formatMs, formatRatio, markdownTable, median } from './measure.ts'
import type { Pace } from './rounds.ts'
import { sampleMessages, seedMessages } from './seed_messages.ts'
import { postgresVersion, request, tenantId } from './servers.ts'
import { type Written, watchWritten, writtenTable } from './written.ts'

/** Of the smallest number of messages, what any other must reach: of rates, and as the inverse of times and costs. */
const wantedRatio = 0.9
const readsAtOnce = 100
const purgedRows = 100_000
/** As the job that purges by age does it. */
const purgedAtOnce = 1_000
/** What it bears beside other work on the machine; what is more than that, it refuses, and the report counts that. */
const purgeLoadPerSecond = 500

export type Volume = { gateway: TandemGateway; millions: number; tenant: number; nextN: number; diskBytes: number }

/** One round at one gateway; times of reads are medians in microseconds. */
export type VolumeRound = {
  round: number
  millions: number
  burst: Burst
  written: Written
  readsUs: Record<string, number>
}

export type Purge = { seconds: number; rows: number; walBytes: number; without: Arrivals; beside: Arrivals }

const nameOf = (millions: number) => `${millions} million`

/** How many millions of messages each gateway is to hold, the fewest first. */
export function askedMillions(text = process.env['BENCH_MILLIONS'] ?? '1,10'): number[] {
  const asked = text.split(',').map(Number)
  if (asked.some(millions => !(millions > 0))) throw new Error(`BENCH_MILLIONS takes numbers such as 1,10, not ${text}`)
  return asked.toSorted((a, b) => a - b)
}

/** A gateway that has just carried its first messages. */
export async function startVolume(millions: number, context: BenchContext): Promise<Volume> {
  const gateway = await startTandemGateway(1, context.settings)
  try {
    const tenant = await tenantId(gateway.owner, 'live')
    return { gateway, millions, tenant, nextN: await warmUp(gateway, context), diskBytes: 0 }
  } catch (error) {
    await gateway.stop()
    throw error
  }
}

export async function weigh(volume: Volume): Promise<void> {
  const { rows } = await volume.gateway.owner.query<{ bytes: string }>(
    'select pg_database_size(current_database()) as bytes',
  )
  volume.diskBytes = Number(rows[0]!.bytes)
}

/** A burst and reads, behind a checkpoint as every round. */
export async function measureVolume(volume: Volume, pace: Pace, round: number): Promise<VolumeRound> {
  const { gateway, millions } = volume
  const counted = await watchWritten(gateway.owner)
  const { nextN, ...run } = await burst(gateway, pace, volume.nextN)
  volume.nextN = nextN
  const written = await counted(run.accepted)
  return { round, millions, burst: { ...run, gateway: nameOf(millions) }, written, readsUs: await readTimes(volume) }
}

/** Medians of requests one after the other, as a person waits for them. */
async function readTimes({ gateway, tenant }: Volume): Promise<Record<string, number>> {
  const samples = await sampleMessages(gateway.owner, tenant, readsAtOnce)
  const paths: Record<string, (at: number) => string> = {
    'one message': at => `/v2/messages/${samples[at]!.id}`,
    'the newest 20': () => '/v2/messages?limit=20',
    'those of one recipient': at => `/v2/messages?limit=20&to=${encodeURIComponent(samples[at]!.to)}`,
  }
  const times: Record<string, number> = {}
  for (const [what, pathOf] of Object.entries(paths)) {
    const all: number[] = []
    for (let at = 0; at < samples.length; at++) {
      const startedMs = performance.now()
      await request(gateway.server, 'GET', pathOf(at), gateway.key)
      all.push((performance.now() - startedMs) * 1_000)
    }
    times[what] = median(all)
  }
  return times
}

/** A steady load without and with a purge of the oldest messages beside it. */
export async function measurePurge(volume: Volume, pace: Pace): Promise<Purge> {
  const { gateway } = volume
  const order = { perSecond: purgeLoadPerSecond, seconds: Math.max(20, pace.seconds * 2) }
  const load = async (name: string) => {
    const { nextN, ...run } = await anyArrivals(gateway, { ...order, firstN: volume.nextN })
    volume.nextN = nextN
    return { ...run, gateway: name }
  }
  await gateway.owner.query('checkpoint')
  const without = await load('no purge')
  await gateway.owner.query('checkpoint')
  const [purged, beside] = await Promise.all([purgeOldest(volume), load('purge')])
  return { ...purged, without, beside }
}

async function purgeOldest({ gateway: { owner }, tenant, millions }: Volume) {
  const perDay = (millions * 1e6) / 365
  const days = Math.max(0, Math.floor(365 - (purgedRows * 1.1) / perDay))
  const wal = async () => {
    const { rows } = await owner.query<{ bytes: string }>("select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes")
    return Number(rows[0]!.bytes)
  }
  const before = await wal()
  const startedMs = performance.now()
  let rows = 0
  while (rows < Math.min(purgedRows, millions * 1e5)) {
    const step = await owner.query<{ seen: number; gone: number }>(
      `select seen, gone from purge_by_age('messages', 'msg', $1, $2, ${purgedAtOnce})`,
      [tenant, days],
    )
    if (step.rows[0]!.seen === 0) throw new Error(`only ${rows} messages are older than ${days} days`)
    rows += step.rows[0]!.gone
  }
  return { rows, seconds: (performance.now() - startedMs) / 1_000, walBytes: (await wal()) - before }
}

export async function volumeBench(context: BenchContext): Promise<BenchReport> {
  const { pace, log } = context
  const volumes: Volume[] = []
  const rounds: VolumeRound[] = []
  try {
    for (const millions of askedMillions()) {
      const volume = await startVolume(millions, context)
      volumes.push(volume)
      const startedMs = performance.now()
      await seedMessages(volume.gateway.owner, { tenantId: volume.tenant, n: millions * 1e6 })
      await weigh(volume)
      const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0)
      log(`${nameOf(millions)} in ${seconds} s, ${formatBytes(volume.diskBytes)}`)
    }
    for (let round = 1; round <= pace.rounds; round++) {
      // Who comes first is not always the same.
      for (const volume of round % 2 === 0 ? volumes.toReversed() : volumes) {
        const run = await measureVolume(volume, pace, round)
        rounds.push(run)
        log(`round ${round}, ${run.burst.gateway}: ${formatCount(run.burst.endToEndPerSecond)}/s; ${run.burst.checked}`)
      }
    }
    const purge = await measurePurge(volumes.at(-1)!, pace)
    const postgres = await postgresVersion(volumes[0]!.gateway.owner)
    return { markdown: reportOf(rounds, purge), postgres, figures: { rounds, purge } }
  } finally {
    for (const { gateway } of volumes) await gateway.stop()
  }
}

const databaseUs = ({ burst }: VolumeRound) => burst.costs['database'] ?? Number.NaN
const serverUs = ({ burst }: VolumeRound) => burst.costs['server'] ?? Number.NaN

/** What is compared: how it is measured, how it is written, and whether more of it is better. */
const measures: { what: string; of: (round: VolumeRound) => number; text: (value: number) => string; isRate?: true }[] =
  [
    { what: 'end to end/s', of: ({ burst }) => burst.endToEndPerSecond, text: formatCount, isRate: true },
    { what: 'accepts/s', of: ({ burst }) => burst.acceptsPerSecond, text: formatCount, isRate: true },
    { what: 'database µs a message', of: databaseUs, text: value => value.toFixed(0) },
    { what: 'server µs a message', of: serverUs, text: value => value.toFixed(0) },
    { what: 'WAL bytes a message', of: ({ written }) => written.walBytes, text: formatCount },
    ...['one message', 'the newest 20', 'those of one recipient'].map(what => ({
      what: `${what}, p50 ms`,
      of: ({ readsUs }: VolumeRound) => readsUs[what]!,
      text: formatMs,
    })),
  ]

/** Medians, and of each round the ratio to the smallest: of rates, and the inverse of times and costs. */
export function volumeTable(rounds: readonly VolumeRound[]): string {
  const sizes = [...new Set(rounds.map(({ millions }) => millions))]
  const of = (millions: number) => rounds.filter(round => round.millions === millions)
  const rows = measures.flatMap(({ what, of: read, text, isRate }) =>
    sizes.map((millions, place) => {
      const values = of(millions).map(read)
      const base = of(sizes[0]!).map(read)
      const ratios = values.map((value, i) => (isRate ? value / base[i]! : base[i]! / value))
      const ratio = median(ratios)
      return [
        `${what}, ${nameOf(millions)}`,
        text(median(values)),
        values.map(text).join(' '),
        ...(place === 0
          ? ['', '', '']
          : [formatRatio(ratio), ratios.map(formatRatio).join(' '), ratio >= wantedRatio ? 'reached' : 'MISSED']),
      ]
    }),
  )
  const header = ['what', 'median', 'rounds', 'ratio to the smallest', 'of the rounds', `wanted ≥ ${wantedRatio}`]
  return markdownTable(header, rows)
}

export function reportOf(rounds: readonly VolumeRound[], purge: Purge): string {
  const last = [
    ...new Map(rounds.map(({ burst, written }) => [burst.gateway, { gateway: burst.gateway, ...written }])).values(),
  ]
  const line =
    `- ${formatCount(purge.rows)} of the oldest messages purged in ${purge.seconds.toFixed(1)} s beside ` +
    `${formatCount(purgeLoadPerSecond)} messages a second; WAL of both ${formatBytes(purge.walBytes)}`
  return [
    volumeTable(rounds),
    burstTable(rounds.map(({ burst }) => burst)),
    writtenTable(last),
    arrivalsTable([purge.without, purge.beside]),
    line,
  ].join('\n\n')
}
