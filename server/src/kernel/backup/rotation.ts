// Which backups stay: the newest of each of the last days, weeks and months.

export type Keep = { days: number; weeks: number; months: number }

const dayMs = 86_400_000

/** Reads `7d 4w 12m`: the newest backup of each of the last 7 days, 4 weeks and 12 months that have one; undefined for anything else. */
export function keepOf(text: string): Keep | undefined {
  const keep: Keep = { days: 0, weeks: 0, months: 0 }
  const units = { d: 'days', w: 'weeks', m: 'months' } as const
  for (const word of text.trim().split(/\s+/)) {
    const [, count, unit] = /^(\d{1,4})([dwm])$/.exec(word) ?? []
    if (count === undefined) return undefined
    keep[units[unit as keyof typeof units]] = Number(count)
  }
  return keep.days + keep.weeks + keep.months === 0 ? undefined : keep
}

/** Days, weeks (from Monday) and months in UTC. */
const periods = {
  days: (atMs: number) => Math.floor(atMs / dayMs),
  weeks: (atMs: number) => Math.floor((atMs / dayMs + 3) / 7),
  months: (atMs: number) => new Date(atMs).toISOString().slice(0, 7),
}

/** The names of those that do not stay. Periods without a backup count for nothing, and the newest one always stays. */
export function thinnedOut(backups: readonly { name: string; atMs: number }[], keep: Keep): string[] {
  const newestFirst = [...backups].sort((a, b) => b.atMs - a.atMs)
  const kept = new Set(newestFirst.slice(0, 1).map(({ name }) => name))
  for (const unit of ['days', 'weeks', 'months'] as const) {
    const seen = new Set<number | string>()
    for (const { name, atMs } of newestFirst) {
      if (seen.size === keep[unit]) break
      const period = periods[unit](atMs)
      if (seen.has(period)) continue
      seen.add(period)
      kept.add(name)
    }
  }
  return newestFirst.filter(({ name }) => !kept.has(name)).map(({ name }) => name)
}
