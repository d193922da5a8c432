// Usage as series: which caller sees whose requests, and how counted rows become figures by bucket and percentiles.
import type { Role } from '../../../kernel/values/permission.ts'
import { type TimeAxis, zeros } from '../rules.ts'

export const groupings = ['none', 'endpoint', 'key', 'status', 'source'] as const
export type Grouping = (typeof groupings)[number]

/** Most series of one reply; what is less used goes into one together. */
export const maxSeries = 24
export const restKey = 'other'

/** A Sales Executive sees the use of their own tokens and keys, others that of the whole tenant. */
export function usersUsage({ role, userId }: { role: Role; userId: number }): number | null {
  return role === 'Sales Executive' ? userId : null
}

/** What was counted in one bucket (from 1) of one group. */
export type UsageCell = {
  bucket: number
  grp: string
  requests: number
  errors: number
  refused: number
  limited: number
  durations: number[]
}

export type Percentile = (counts: readonly number[], share: number) => number | undefined

type Figures = { requests: number; errors: number; refused: number; limited: number; durations: number[] }

/** The series of a reply, the most used first. `labelOf` names a group for people. */
export function usageSeries(
  cells: readonly UsageCell[],
  axis: TimeAxis,
  percentile: Percentile,
  labelOf: (key: string) => string,
) {
  const groups = Map.groupBy(cells, cell => cell.grp)
  const ordered = [...groups].map(([key, own]) => ({ key, own, used: sumOf(own, cell => cell.requests) }))
  ordered.sort((a, b) => b.used - a.used || (a.key < b.key ? -1 : 1))
  const shown = ordered.length <= maxSeries ? ordered : ordered.slice(0, maxSeries - 1)
  const rest = ordered.slice(shown.length).flatMap(({ own }) => own)
  const series = shown.map(({ key, own }) => seriesOf(key, labelOf(key), own, axis, percentile))
  return rest.length === 0 ? series : [...series, seriesOf(restKey, 'Other', rest, axis, percentile)]
}

function seriesOf(key: string, label: string, cells: readonly UsageCell[], axis: TimeAxis, percentile: Percentile) {
  const lists = { requests: zeros(axis), errors: zeros(axis), refused: zeros(axis), limited: zeros(axis) }
  const durations: (number[] | undefined)[] = new Array(axis.bounds.length - 1).fill(undefined)
  for (const cell of cells) {
    const at = cell.bucket - 1
    for (const name of ['requests', 'errors', 'refused', 'limited'] as const) lists[name][at]! += cell[name]
    durations[at] = added(durations[at], cell.durations)
  }
  return {
    key,
    label,
    ...lists,
    p50Ms: durations.map(counts => rounded(counts && percentile(counts, 0.5))),
    p95Ms: durations.map(counts => rounded(counts && percentile(counts, 0.95))),
    total: totalOf(cells, percentile),
  }
}

/** All figures of some cells in one. */
export function totalOf(cells: readonly UsageCell[], percentile: Percentile) {
  const all = cells.reduce<Figures>(
    (sum, cell) => ({
      requests: sum.requests + cell.requests,
      errors: sum.errors + cell.errors,
      refused: sum.refused + cell.refused,
      limited: sum.limited + cell.limited,
      durations: added(sum.durations, cell.durations),
    }),
    { requests: 0, errors: 0, refused: 0, limited: 0, durations: [] },
  )
  const { durations, ...figures } = all
  return { ...figures, p50Ms: rounded(percentile(durations, 0.5)), p95Ms: rounded(percentile(durations, 0.95)) }
}

function added(sum: readonly number[] | undefined, counts: readonly number[]): number[] {
  return counts.map((count, index) => count + (sum?.[index] ?? 0))
}

function rounded(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round(ms * 10) / 10
}

function sumOf<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0)
}
