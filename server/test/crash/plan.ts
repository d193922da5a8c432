// Which crash runs are made: rounds of every fault, deaths at any moment, and deaths at every named place.
import type { CrashPoint } from '../../src/kernel/values/crash_points.ts'
import { type Calm, createRandom, type Random } from './random.ts'

export type Wanted = {
  seed: number
  /** Runs with every fault. */
  rounds: number
  /** Deaths by kill -9 alone. */
  kills: number
  /** Deaths at each named place. */
  points: number
}

export type Planned<Fault> = { seed: number; faults: readonly Fault[]; calmMs?: Calm }

/** After so many deaths everything is made whole and checked. */
const killsARun = 25

/**
 * @param kills deaths in turns, so that one that stands twice comes twice as often, and the time between them
 * @returns one run after another, each with a seed of its own
 */
export function planRuns<Fault extends { kind: string }>(
  all: readonly Fault[],
  kills: { faults: readonly Fault[]; calmMs: Calm },
  wanted: Wanted,
): Planned<Fault>[] {
  const atPoints = all.filter(({ kind }) => kind === 'die_at')
  const deaths = Array.from({ length: wanted.kills }, (_, n) => kills.faults[n % kills.faults.length] as Fault)
  const runs: Omit<Planned<Fault>, 'seed'>[] = [
    ...Array.from({ length: wanted.rounds }, () => ({ faults: all })),
    ...Array.from({ length: wanted.points }, () => ({ faults: atPoints })),
    ...chunksOf(deaths, killsARun).map(faults => ({ faults, calmMs: kills.calmMs })),
  ]
  return runs.map((run, n) => {
    const seed = wanted.seed + n
    return { ...run, seed, faults: shuffled(run.faults, createRandom(seed)) }
  })
}

/** The named places at which processes die by some faults. */
export function pointsOf(faults: readonly { kind: string; point?: CrashPoint }[]): CrashPoint[] {
  return faults.flatMap(({ point }) => point ?? [])
}

function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size))
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const order = [...items]
  for (let i = order.length - 1; i > 0; i--) {
    const j = random.below(i + 1)
    ;[order[i], order[j]] = [order[j] as T, order[i] as T]
  }
  return order
}
