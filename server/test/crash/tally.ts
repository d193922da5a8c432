// What a number of crash runs came to: deaths of each kind, what was under way meanwhile, and promises broken, reported as lost, doubled or
// false.
import { type CrashPoint, crashPoints } from '../../src/kernel/values/crash_points.ts'
import type { House, Role } from './house.ts'
import type { Deaths, Verdict } from './verdict.ts'

export function deathsOf<Name extends Role>({
  parts,
  databaseDeaths,
}: Pick<House<Name>, 'parts' | 'databaseDeaths'>): Deaths {
  const deaths: Deaths = { kills: {}, points: {} }
  for (const [role, part] of Object.entries<House<Name>['parts'][Name]>(parts)) {
    deaths.kills[role] = part.deaths() - part.diedAtPoints().length
    addTo(
      deaths.points,
      Object.fromEntries(
        Map.groupBy(part.diedAtPoints(), point => point)
          .entries()
          .map(([point, all]) => [point, all.length]),
      ),
    )
  }
  deaths.kills['database'] = databaseDeaths().length
  return deaths
}

/** How a promise was broken. What is neither lost nor doubled was reported wrongly: false. */
export type Breach = 'lost' | 'doubled' | 'false'

const doubled =
  /\b(is there|was submitted|was dialled|ended) \d+ times|was acknowledged under|was dialled at \d+ carriers/
const lost =
  /, and is lost$|was never (delivered|acknowledged|ended)|has not come to its end|^left over|its receipt \(.*\) was acknowledged|of no end/

export function breachOf(violation: string): Breach {
  if (doubled.test(violation)) return 'doubled'
  return lost.test(violation) ? 'lost' : 'false'
}

export type Tally = { runs: number; deaths: Deaths; counts: Record<string, number>; broken: Record<Breach, number> }

export function emptyTally(): Tally {
  return { runs: 0, deaths: { kills: {}, points: {} }, counts: {}, broken: { lost: 0, doubled: 0, false: 0 } }
}

export function addVerdict(tally: Tally, { violations, deaths, counts }: Verdict): void {
  tally.runs += 1
  addTo(tally.deaths.kills, deaths.kills)
  addTo(tally.deaths.points, deaths.points)
  for (const [what, count] of Object.entries(counts)) {
    const before = tally.counts[what] ?? 0
    tally.counts[what] = what.startsWith('ms to the slowest') ? Math.max(before, count) : before + count
  }
  for (const violation of violations) tally.broken[breachOf(violation)] += 1
}

function addTo<Key extends string>(sums: Partial<Record<Key, number>>, more: Partial<Record<Key, number>>): void {
  for (const [key, count] of Object.entries<number | undefined>(more) as [Key, number][])
    sums[key] = (sums[key] ?? 0) + count
}

/** The lines that a number of runs end with. `points` are those that the runs could have died at. */
export function tallyLines({ runs, deaths, counts, broken }: Tally, points: readonly CrashPoint[]): string[] {
  const list = (entries: readonly (readonly [string, number])[]) =>
    entries.map(([name, count]) => `${name} ${count}`).join(', ')
  const kills = Object.entries(deaths.kills)
  const processes = kills.filter(([role]) => role !== 'database')
  const named = crashPoints
    .filter(point => points.includes(point))
    .map(point => [point, deaths.points[point] ?? 0] as const)
  const sum = (entries: readonly (readonly [string, number])[]) =>
    entries.reduce((total, [, count]) => total + count, 0)
  const reached = named.filter(([, count]) => count > 0)
  const least = Math.min(...named.map(([, count]) => count))
  return [
    `runs             ${runs}`,
    `kill -9          ${sum(processes)} (${list(processes)}); of the database ${deaths.kills['database'] ?? 0}`,
    `at named places  ${sum(named)}: ${reached.length} of ${named.length} places, each at least ${least} times`,
    ...(reached.length === 0 ? [] : [`                 ${list(named)}`]),
    `seen             ${list(Object.entries(counts))}`,
    `broken           ${broken.lost} lost, ${broken.doubled} doubled, ${broken.false} false`,
  ]
}
