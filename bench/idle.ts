/**
 * What a server costs that nobody asks for anything: processor time of its Node processes and its PostgreSQL, in percent of one core, over a
 * minute each.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchContext, BenchReport } from './bench.ts'
import { cpuSecondsOf, markdownTable, median } from './measure.ts'
import { connectOwner, postgresVersion, startTandem, type Tandem } from './servers.ts'

/** Behind the start, the build of the portal and what these left to be collected. */
const settleSeconds = 45
const measuredSeconds = 60
const wantedPercent = 2

type Round = { server: number; database: number }

export async function idleBench({ pace, settings, log }: BenchContext): Promise<BenchReport> {
  const tandem = await startTandem({ settings })
  try {
    const owner = await connectOwner(tandem)
    const postgres = await postgresVersion(owner)
    await owner.end()
    await tandem.address
    await sleep(settleSeconds * 1_000)
    const rounds: Round[] = []
    for (let n = 1; n <= pace.rounds; n++) {
      const round = await measure(tandem)
      rounds.push(round)
      log(`round ${n}: server ${percent(round.server)}, database ${percent(round.database)}`)
    }
    return report(rounds, postgres)
  } finally {
    await tandem.stop()
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

function report(rounds: readonly Round[], postgres: string | null): BenchReport {
  const row = (what: string, wanted: string, of: (round: Round) => number) => {
    const values = rounds.map(of)
    return [what, percent(median(values)), wanted, values.map(percent).join(' · ')]
  }
  const rows = [
    row('idle, everything, of one core', `${wantedPercent} %`, ({ server, database }) => server + database),
    row('… Node processes', '', ({ server }) => server),
    row('… PostgreSQL', '', ({ database }) => database),
  ]
  return {
    markdown: markdownTable(['what', 'median', 'wanted at most', 'rounds'], rows),
    postgres,
    figures: { rounds },
  }
}
