/**
 * What a server costs that nobody asks for anything: processor time of its Node processes and its PostgreSQL, in percent of one core, over a
 * minute each.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startSystemPostgres, superuserPassword, systemPostgres } from '../server/test/peer_postgres.ts'
import type { BenchContext, BenchReport } from './bench.ts'
import { cpuSecondsOf, markdownTable, median } from './measure.ts'
import { connectOwner, postgresVersion, startTandem, type Tandem } from './servers.ts'

/** Behind the start, the build of the portal and what these left to be collected. */
const settleSeconds = 45
const measuredSeconds = 60
const wantedPercent = 2

type Round = { server: number; database: number }

export async function idleBench({ pace, settings, log }: BenchContext): Promise<BenchReport> {
  const tables: string[] = []
  const rounds: Record<string, Round[]> = {}
  let postgres: string | null = null
  const measureOne = async (name: string, tandem: Tandem, version: string | null) => {
    await tandem.address
    await sleep(settleSeconds * 1_000)
    const found: Round[] = []
    rounds[name] = found
    for (let n = 1; n <= pace.rounds; n++) {
      const round = await measure(tandem)
      found.push(round)
      log(`${name}, round ${n}: server ${percent(round.server)}, database ${percent(round.database)}`)
    }
    tables.push(`${name} (PostgreSQL ${version})\n\n${tableOf(found)}`)
  }
  const embedded = await startTandem({ settings })
  try {
    const owner = await connectOwner(embedded)
    postgres = await postgresVersion(owner)
    await owner.end()
    await measureOne('Embedded database', embedded, postgres)
  } finally {
    await embedded.stop()
  }
  const system = systemPostgres()
  if (system === undefined)
    log('a PostgreSQL of one’s own is not measured: none of 15 or newer is below /usr/lib/postgresql')
  else
    await onOwnDatabase(system.programs, settings, tandem =>
      measureOne('A database of one’s own', tandem, `${system.major}`),
    )
  return { markdown: tables.join('\n\n'), postgres, figures: { rounds } }
}

/** A server with the PostgreSQL of the distribution, as it comes. */
async function onOwnDatabase(
  programs: string,
  settings: Record<string, string>,
  work: (tandem: Tandem) => Promise<void>,
): Promise<void> {
  const own = await startSystemPostgres(programs, {})
  try {
    const client = new pg.Client(own.superuser)
    await client.connect()
    await client.query('create database tandem')
    await client.end()
    const tandem = await startTandem({
      settings: { ...settings, DATABASE_URL: own.url('postgres', superuserPassword, 'tandem') },
    })
    try {
      await work({ ...tandem, groups: { ...tandem.groups, database: { root: own.pid! } } })
    } finally {
      await tandem.stop()
    }
  } finally {
    await own.stop()
  }
}

async function measure({ groups }: Tandem): Promise<Round> {
  const used = (name: string) => {
    const seconds = cpuSecondsOf({ [name]: groups[name]! })
    if (seconds === null) throw new Error('processor time is read from /proc, which this system lacks')
    return seconds
  }
  const before = { server: used('server'), database: used('database'), ms: performance.now() }
  await sleep(measuredSeconds * 1_000)
  const seconds = (performance.now() - before.ms) / 1_000
  return {
    server: (used('server') - before.server) / seconds,
    database: (used('database') - before.database) / seconds,
  }
}

const percent = (share: number) => `${(share * 100).toFixed(2)} %`

function tableOf(rounds: readonly Round[]): string {
  const row = (what: string, wanted: string, of: (round: Round) => number) => {
    const values = rounds.map(of)
    return [what, percent(median(values)), wanted, values.map(percent).join(' · ')]
  }
  const lines = [
    row('idle, everything, of one core', `${wantedPercent} %`, ({ server, database }) => server + database),
    row('… Node processes', '', ({ server }) => server),
    row('… PostgreSQL', '', ({ database }) => database),
  ]
  return markdownTable(['what', 'median', 'wanted at most', 'rounds'], lines)
}
