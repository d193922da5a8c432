// SQL of what waits for somebody: new leads, tasks that are due, invoices that are owed. Each answers what is shown, and how many there are.
import { sql } from 'kysely'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { seenThrough } from '../../../kernel/noun/hosts.ts'
import { tableNamed } from '../../../kernel/noun/registry.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { shownItems } from './rules.ts'

/** More than so many are not counted. */
export const countedItems = 1_000

type Listed<Item> = { count: number; items: Item[] }

async function listedOf<Item>(tx: Tx, query: ReturnType<typeof sql<Item & { count: number }>>): Promise<Listed<Item>> {
  const { rows } = await query.execute(tx)
  return { count: rows[0]?.count ?? 0, items: rows.map(({ count: _, ...item }) => item as unknown as Item) }
}

export type WaitingLead = {
  id: number
  name: string
  company: string | null
  phone: string | null
  priority: string
  owner_id: number | null
  created_at: string
}

/** Those that are new, and the person's own or nobody's; the newest first. */
export function listNewLeads(tx: Tx, { tenantId, userId }: Principal): Promise<Listed<WaitingLead>> {
  return listedOf(
    tx,
    sql<WaitingLead & { count: number }>`
    with found as (
      select id, name, company, phone, priority, owner_id, created_at from leads
      where tenant_id = ${tenantId} and deleted_at is null and status = 'New'
        and (case when owner_id is null then 0 else owner_id end) = any (${[0, userId]}::bigint[])
      order by created_at desc, id desc limit ${countedItems + 1}
    )
    select (select count(*)::int from found) as count, f.* from found f
    order by created_at desc, id desc limit ${shownItems}`,
  )
}

export type DueTask = {
  id: string
  title: string
  priority: string
  due_on: string | null
  due_at: string
  record_id: string | null
}

/** The person's own open tasks that are due before a moment, as the list has them, the oldest first; `overdue` of them were due by now. */
export async function listDueTasks(
  tx: Tx,
  principal: Principal,
  { nowMs, untilMs }: { nowMs: number; untilMs: number },
): Promise<Listed<DueTask> & { overdue: number }> {
  const { tenantId, userId } = principal
  // Not those about a record that is in the trash.
  const seen = seenThrough(tableNamed('task').spec, principal) ?? sql`true`
  const { rows } = await sql<DueTask & { count: number; overdue: number }>`
    with found as (
      select id, title, priority, due_on, due_at, record_id from tasks r
      where tenant_id = ${tenantId} and deleted_at is null and status = 'open' and ${seen}
        and (case when assignee_id is null then 0 else assignee_id end) = ${userId} and due_at < ${isoMs(untilMs)}
      order by due_at, id limit ${countedItems + 1}
    )
    select (select count(*)::int from found) as count,
      (select count(*)::int from found where due_at < ${isoMs(nowMs)}) as overdue, f.*
    from found f order by due_at, id limit ${shownItems}`.execute(tx)
  const items = rows.map(({ count: _, overdue: _o, ...item }) => item)
  return { count: rows[0]?.count ?? 0, overdue: rows[0]?.overdue ?? 0, items }
}

export type OwedInvoice = {
  id: number
  number: string
  customer: string
  currency: string
  due_minor: number
  due_date: string
  status: 'Sent' | 'Overdue'
}

/** Sent invoices that are overdue or due by a date, those longest due first. */
export async function listOwedInvoices(tx: Tx, { tenantId }: Scope, until: string): Promise<OwedInvoice[]> {
  const { rows } = await sql<OwedInvoice>`
    select id, invoice_number(year, sequence) as number, customer_name as customer, currency,
      total_minor - paid_minor as due_minor, due_date, listed_status as status
    from invoices i where tenant_id = ${tenantId} and state = 'Sent' and paid_minor < total_minor and due_date <= ${until}::date
    order by due_date, ordinal limit ${shownItems}`.execute(tx)
  return rows
}
