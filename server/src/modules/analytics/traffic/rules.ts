// Messages and calls as series: how what was counted by bucket, direction and status becomes figures.
import { type TimeAxis, zeros } from '../rules.ts'

/** What was counted in one bucket (from 1): items, and their segments or milliseconds of talk. */
export type TrafficCell = { bucket: number; direction: string; status: string; items: number; amount: number }

export type TrafficSeries<Direction, Status> = {
  direction: Direction
  status: Status
  items: number[]
  amounts: number[]
}

/** A series for each direction and status that occurs: directions and statuses in the order given. */
export function trafficSeries<Direction extends string, Status extends string>(
  cells: readonly TrafficCell[],
  axis: TimeAxis,
  { directions, statuses }: { directions: readonly Direction[]; statuses: readonly Status[] },
): TrafficSeries<Direction, Status>[] {
  const series: TrafficSeries<Direction, Status>[] = []
  for (const direction of directions) {
    for (const status of statuses) {
      const own = cells.filter(cell => cell.direction === direction && cell.status === status)
      const lists = { items: zeros(axis), amounts: zeros(axis) }
      for (const { bucket, items, amount } of own) {
        lists.items[bucket - 1]! += items
        lists.amounts[bucket - 1]! += amount
      }
      if (lists.items.some(count => count !== 0)) series.push({ direction, status, ...lists })
    }
  }
  return series
}

/** Minutes with two decimals. */
export function minutesOf(ms: number): number {
  return Math.round(ms / 600) / 100
}

export function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
