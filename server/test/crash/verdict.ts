// What a run of the crash harness comes to.
import type { CrashPoint } from '../../src/kernel/values/crash_points.ts'

export type Verdict = {
  violations: string[]
  /** Deaths that the run is a proof of. */
  deaths: Deaths
  /** What was seen: so that a run in which nothing happened is not taken for a good one. */
  counts: Record<string, number>
}

export type Deaths = {
  /** By SIGKILL from outside at any moment, by the part that was killed; `database` too. */
  kills: Record<string, number>
  /** At a named place, which the process itself has written down. */
  points: Partial<Record<CrashPoint, number>>
}
