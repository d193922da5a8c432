// SQL of the week in figures: this one as far as it has come, and the one before as far as that had come by then.
import { sql } from 'kysely'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { listTraffic } from '../traffic/index.ts'
import { countCallsBetween, leadsSeen } from './news_store.ts'
import type { Stretches } from './rules.ts'

export type Figure = { now: number; before: number }
export type MoneyFigure = Figure & { currency: string }

/** The two stretches as conditions on a moment: rows of either are in one of the columns `now` and `before`. */
function inWeeks(moment: ReturnType<typeof sql.ref>, { weekMs, weekBeforeMs, weekBeforeUntilMs }: Stretches) {
  const before = sql`${moment} >= ${isoMs(weekBeforeMs)} and ${moment} < ${isoMs(weekBeforeUntilMs)}`
  return { before, now: sql`${moment} >= ${isoMs(weekMs)}`, either: sql`${moment} >= ${isoMs(weekBeforeMs)}` }
}

/** Leads by the moment of their creation, or of their conversion. */
export async function leadFigure(
  tx: Tx,
  principal: Principal,
  moment: 'created_at' | 'converted_at',
  stretches: Stretches,
): Promise<Figure> {
  const { now, before, either } = inWeeks(sql.ref(`r.${moment}`), stretches)
  const { rows } = await sql<Figure>`
    select count(*) filter (where ${now})::int as now, count(*) filter (where ${before})::int as before
    from leads r where ${leadsSeen(principal, true)} and ${either}`.execute(tx)
  return rows[0]!
}

/** What was received, by currency, in its smallest unit. */
export async function paymentFigures(tx: Tx, { tenantId }: Scope, stretches: Stretches): Promise<MoneyFigure[]> {
  const { now, before, either } = inWeeks(sql.ref('paid_at'), stretches)
  const { rows } = await sql<MoneyFigure>`
    select currency, coalesce(sum(amount_minor) filter (where ${now}), 0)::float8 as now,
      coalesce(sum(amount_minor) filter (where ${before}), 0)::float8 as before
    from payments where tenant_id = ${tenantId} and reversed_at is null and ${either} group by 1 order by count(*) desc, 1`.execute(
    tx,
  )
  return rows.filter(({ now, before }) => now > 0 || before > 0)
}

export async function callFigure(tx: Tx, scope: Scope, stretches: Stretches): Promise<Figure> {
  const { weekMs, weekBeforeMs, weekBeforeUntilMs, nowMs } = stretches
  return {
    now: await countCallsBetween(tx, scope, weekMs, nowMs + 1),
    before: await countCallsBetween(tx, scope, weekBeforeMs, weekBeforeUntilMs),
  }
}

/** What is counted for good is counted by quarters of an hour: the week before ends at one. */
const quarterMs = 15 * 60_000

export async function textFigures(tx: Tx, scope: Scope, stretches: Stretches) {
  const { weekMs, weekBeforeMs, weekBeforeUntilMs, nowMs } = stretches
  const until = Math.max(weekBeforeMs + 1, Math.floor(weekBeforeUntilMs / quarterMs) * quarterMs)
  const bounds = [weekBeforeMs, Math.min(until, weekMs - 1), weekMs, nowMs + 1]
  const cells = await listTraffic(tx, scope, 'message', { bounds })
  const count = (direction: string, bucket: number) =>
    cells
      .filter(cell => cell.direction === direction && cell.bucket === bucket)
      .reduce((sum, { items }) => sum + items, 0)
  const figure = (direction: string): Figure => ({ now: count(direction, 3), before: count(direction, 1) })
  return { sent: figure('outbound'), received: figure('inbound') }
}
