// SQL of what happened since a moment: leads that came and were won, payments, invoices that have become overdue, texts and calls. Of each
// how many, and the newest by name.
import { sql } from 'kysely'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { ownerKey } from '../../../kernel/noun/field_parts.ts'
import { tableNamed, visibleOwners } from '../../../kernel/noun/registry.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { firstIdAt } from '../../../kernel/values/ids.ts'
import { namedItems } from './rules.ts'

/** A condition on leads `r` that the person sees; `own` leaves out those that are nobody's, where they see own ones only. */
export function leadsSeen(principal: Principal, own = false) {
  const owners = visibleOwners(tableNamed('lead').spec, principal)?.filter(id => !own || id !== 0)
  const present = sql`r.tenant_id = ${principal.tenantId} and r.deleted_at is null`
  return owners === undefined ? present : sql`${present} and ${ownerKey('owner_id')} = any(${owners}::bigint[])`
}

export type NamedLead = { id: number; name: string; at: string }

/** @param moment when they were created, or when they were won */
export async function listLeadsSince(
  tx: Tx,
  principal: Principal,
  moment: 'created_at' | 'converted_at',
  sinceMs: number,
): Promise<{ count: number; items: NamedLead[] }> {
  const at = sql.ref(`r.${moment}`)
  const where = sql`${leadsSeen(principal)} and ${at} >= ${isoMs(sinceMs)}`
  const { rows } = await sql<NamedLead & { count: number }>`
    select (select count(*)::int from leads r where ${where}) as count, r.id, r.name, ${at} as at
    from leads r where ${where} order by ${at} desc limit ${namedItems}`.execute(tx)
  return { count: rows[0]?.count ?? 0, items: rows.map(({ id, name, at: when }) => ({ id, name, at: when })) }
}

export type MoneyOf = { currency: string; invoices: number; minor: number }
export type NamedInvoice = { id: number; number: string; customer: string; currency: string; minor: number }

/** Payments by the moment they arrived. */
export async function listPaymentsSince(
  tx: Tx,
  { tenantId }: Scope,
  sinceMs: number,
): Promise<{ sums: MoneyOf[]; items: NamedInvoice[] }> {
  const since = isoMs(sinceMs)
  const sums = await sql<MoneyOf>`
    select currency, count(*)::int as invoices, sum(amount_minor)::float8 as minor from payments
    where tenant_id = ${tenantId} and reversed_at is null and paid_at >= ${since} group by 1 order by 2 desc`.execute(
    tx,
  )
  const items = await sql<NamedInvoice>`
    select i.id, invoice_number(i.year, i.sequence) as number, i.customer_name as customer, p.currency, p.amount_minor as minor
    from (select * from payments where tenant_id = ${tenantId} and reversed_at is null and paid_at >= ${since}
          order by paid_at desc, id desc limit ${namedItems}) p
    join invoices i on i.tenant_id = p.tenant_id and i.id = p.invoice_id order by p.paid_at desc, p.id desc`.execute(tx)
  return { sums: sums.rows, items: items.rows }
}

/** Invoices that have become overdue: those that were due on one of these days, and are still owed. */
export async function listFallenDue(
  tx: Tx,
  { tenantId }: Scope,
  [first, last]: readonly [string, string],
): Promise<{ sums: MoneyOf[]; items: NamedInvoice[] }> {
  const where = sql`tenant_id = ${tenantId} and state = 'Sent' and listed_status = 'Overdue'
    and due_date between ${first}::date and ${last}::date`
  const sums = await sql<MoneyOf>`
    select currency, count(*)::int as invoices, sum(total_minor - paid_minor)::float8 as minor from invoices
    where ${where} group by 1 order by 2 desc`.execute(tx)
  const items = await sql<NamedInvoice>`
    select id, invoice_number(year, sequence) as number, customer_name as customer, currency, total_minor - paid_minor as minor
    from invoices where ${where} order by due_date desc, ordinal desc limit ${namedItems}`.execute(tx)
  return { sums: sums.rows, items: items.rows }
}

/** Texts that came in. */
export async function countTextsSince(tx: Tx, { tenantId }: Scope, sinceMs: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from messages
    where tenant_id = ${tenantId} and direction = 'inbound' and id >= ${firstIdAt('msg', sinceMs)}`.execute(tx)
  return rows[0]!.count
}

/** Calls, their legs aside. @param untilMs exclusive */
export async function countCallsBetween(
  tx: Tx,
  { tenantId }: Scope,
  sinceMs: number,
  untilMs: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from calls where tenant_id = ${tenantId} and parent_call_id is null
      and created_at >= ${isoMs(sinceMs)} and created_at < ${isoMs(untilMs)}`.execute(tx)
  return rows[0]!.count
}
