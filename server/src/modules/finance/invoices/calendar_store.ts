// The calendar of a tenant: the date as of which its invoices are listed as Overdue. Anyone who lists finds it at today's
// date or rolls it there first; a job rolls all tenants, so that `invoice.overdue` is emitted without anybody looking.
import { sql } from 'kysely'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { addDays, dateIn } from '../../../kernel/values/clock.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { type EventDraft, invoiceEvents } from './present.ts'
import { changeToOverdue, lockDue, relist } from './store.ts'

/** Days are taken together up to about this many invoices a transaction; a single day is never cut. */
const stepRows = 2_000
/** Invoices changed by one statement. */
const chunkRows = 500

type Rolling = Pick<Services, 'db' | 'clock'>

/** One roll a tenant in this process: at midnight the many that list at once wait for one transaction, not each for the lock. */
const rolling = new WeakMap<Db, Map<number, Promise<string>>>()

/**
 * Brings the calendar to today's date in the organization's time zone as it is now: on after midnight, back after a change
 * of the zone. Safe to call at any time and from many processes at once.
 * @returns the date the calendar is at
 */
export function rollCalendar(services: Rolling, scope: Scope): Promise<string> {
  const byTenant = rolling.get(services.db) ?? new Map<number, Promise<string>>()
  rolling.set(services.db, byTenant)
  let roll = byTenant.get(scope.tenantId)
  if (roll === undefined) {
    roll = rollToToday(services, scope).finally(() => byTenant.delete(scope.tenantId))
    byTenant.set(scope.tenantId, roll)
  }
  return roll
}

/**
 * What is read of lists as of today.
 * @param read answers undefined where the calendar is not at the date: then it is rolled there first
 * @throws Problem `unavailable`
 */
export async function asOfToday<Found>(
  services: Rolling,
  principal: Principal,
  nowMs: number,
  read: (today: string) => Promise<Found | undefined>,
): Promise<Found> {
  let found = await read(dateIn(principal.settings.timeZone, nowMs))
  // After midnight somebody must be the first to list; two rolls in a row mean that midnight or a setting came between.
  for (let rolls = 0; found === undefined; rolls++) {
    if (rolls === 3) throw new Problem('unavailable', { headers: { 'retry-after': '1' } })
    found = await read(await rollCalendar(services, principal))
  }
  return found
}

async function rollToToday({ db, clock }: Rolling, scope: Scope): Promise<string> {
  for (;;) {
    const { asOf, today } = await db.inTenant(scope, tx => rollStep(tx, scope, clock.now()))
    if (asOf === today) return asOf
  }
}

/** One transaction of a roll: the calendar and every invoice it passes move together. */
async function rollStep(tx: Tx, scope: Scope, now: number): Promise<{ asOf: string; today: string }> {
  const { rows } = await sql<{ as_of: string | null; time_zone: string }>`
    select c.as_of, o.time_zone from organizations o
    left join lateral (select as_of from invoice_calendar where tenant_id = ${scope.tenantId} for update) c on true
    where o.id = ${scope.organizationId}`.execute(tx)
  const { as_of: asOf, time_zone } = rows[0] as { as_of: string | null; time_zone: string }
  const today = dateIn(time_zone, now)
  if (asOf === null || asOf === today) return { asOf: today, today }
  const to = await stepFrom(tx, scope, asOf, today)
  await passInvoices(tx, scope, asOf, to)
  await sql`update invoice_calendar set as_of = ${to} where tenant_id = ${scope.tenantId}`.execute(tx)
  return { asOf: to, today }
}

/** The furthest date that passes no more than `stepRows` invoices, but at least the next one. */
async function stepFrom(tx: Tx, scope: Scope, asOf: string, today: string): Promise<string> {
  const forward = asOf < today
  const { rows } = await sql<{ due_date: string }>`
    select due_date from invoices
    where tenant_id = ${scope.tenantId} and state = 'Sent'
      and due_date >= ${forward ? asOf : today} and due_date < ${forward ? today : asOf}
    order by due_date ${forward ? sql`asc` : sql`desc`} offset ${stepRows} limit 1`.execute(tx)
  const beyond = rows[0]?.due_date
  if (beyond === undefined) return today
  if (forward) return beyond > asOf ? beyond : addDays(asOf, 1)
  const above = addDays(beyond, 1)
  return above < asOf ? above : beyond
}

/** Lists as Overdue what was due from `asOf` until before `to`, and emits their events; or as Sent again when `to` is earlier. */
async function passInvoices(tx: Tx, scope: Scope, asOf: string, to: string): Promise<void> {
  const overdue = asOf < to
  const span = overdue ? { from: asOf, until: to } : { from: to, until: asOf }
  // All at once before the first is changed: changing locks the counts, and who holds an invoice may wait for those.
  await lockDue(tx, scope, span)
  for (let left = overdue; left; ) {
    const rows = await changeToOverdue(tx, scope, span, chunkRows)
    const drafts: EventDraft[] = [{ type: 'invoice.overdue', previousStatus: 'Sent' }]
    await emit(tx, scope, ...rows.flatMap(row => invoiceEvents(row, to, drafts)))
    left = rows.length === chunkRows
  }
  const status = overdue ? 'Overdue' : 'Sent'
  while ((await relist(tx, scope, span, status, stepRows)) === stepRows);
}

export type CalendarRow = { organization_id: number; tenant_id: number; time_zone: string; as_of: string }

/** The calendars of all tenants. */
export function listCalendars(db: Db): Promise<CalendarRow[]> {
  return db.call<CalendarRow>('invoice_calendars', 'select * from invoice_calendars()', [])
}
