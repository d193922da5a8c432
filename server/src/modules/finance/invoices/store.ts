// SQL of single invoices: making, reading, changing them. Locks are taken in one order everywhere: the lead that one names, calendar, invoices,
// number series, blocks (by the trigger of every statement that changes invoices).
import { sql, type Updateable } from 'kysely'
import type { Database } from '../../../kernel/data/database.generated.ts'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { Customer, Line, State, Sum, TaxRounding } from './rules.ts'

export type InvoiceRow = {
  id: number
  ordinal: number
  year: number
  sequence: number | null
  state: State
  currency: string
  exponent: number
  net_minor: number
  tax_minor: number
  total_minor: number
  paid_minor: number
  basis: Sum['basis']
  tax_rounding: TaxRounding
  customer: Customer
  lead_id: number | null
  notes: string | null
  issue_date: string
  due_date: string
  overdue_emitted_for: string | null
  event_count: number
  version: number
  /** JSON of the invoice without its opening brace and without status; see present_invoice() in the migration. */
  document: string
}

const columns = [
  'id',
  'ordinal',
  'year',
  'sequence',
  'state',
  'currency',
  'exponent',
  'net_minor',
  'tax_minor',
  'total_minor',
  'paid_minor',
  'basis',
  'tax_rounding',
  'customer',
  'lead_id',
  'notes',
  'issue_date',
  'due_date',
  'overdue_emitted_for',
  'event_count',
  'version',
  'document',
] as const

export type NewInvoice = {
  sum: Sum
  tax_rounding: TaxRounding
  customer: Customer
  lead_id: number | null
  notes: string | null
  issue_date: string
  due_date: string
  /** Whether to take a number now. */
  numbered: boolean
}

/**
 * Makes a draft. From here to the end of the transaction all other creations in the tenant wait.
 * A lead that does not exist fails with SQLSTATE 23503.
 */
export async function insertInvoice(tx: Tx, scope: Scope, invoice: NewInvoice): Promise<InvoiceRow> {
  const { sum, tax_rounding, customer, lead_id, notes, issue_date, due_date, numbered } = invoice
  const { tenantId } = scope
  const year = Number(issue_date.slice(0, 4))
  const { rows } = await sql<InvoiceRow>`
    insert into invoices (tenant_id, ordinal, year, sequence, state, listed_status, currency, exponent, net_minor,
      tax_minor, total_minor, basis, tax_rounding, customer, lead_id, notes, issue_date, due_date, event_count)
    select ${tenantId}::bigint, take_number(${tenantId}, 'invoice_ordinal', 0), ${year}::integer,
      case when ${numbered}::boolean then take_number(${tenantId}, 'invoice', ${year}) end, 'Draft', 'Draft',
      ${sum.currency}, ${sum.exponent}::smallint, ${sum.net_minor}::bigint, ${sum.tax_minor}::bigint,
      ${sum.total_minor}::bigint, ${sum.basis}, ${tax_rounding}, ${JSON.stringify(customer)}::json, ${lead_id}::bigint,
      ${notes}, ${issue_date}::date, ${due_date}::date, 1
    returning ${sql.join(columns.map(column => sql.ref(column)))}`.execute(tx)
  const row = rows[0] as InvoiceRow
  if (row.ordinal === 1) await insertCalendar(tx, scope, issue_date)
  return row
}

export async function insertLines(tx: Tx, scope: Scope, invoiceId: number, lines: readonly Line[]): Promise<void> {
  if (lines.length === 0) return
  const each = <Key extends keyof Line>(key: Key) => lines.map(line => line[key])
  await sql`
    insert into invoice_lines (tenant_id, invoice_id, position, description, quantity, unit_price, tax_ppm, net_minor)
    select ${scope.tenantId}::bigint, ${invoiceId}::bigint, * from unnest(${each('position')}::integer[],
      ${each('description')}::text[], ${each('quantity')}::numeric[], ${each('unit_price')}::numeric[],
      ${each('tax_ppm')}::integer[], ${each('net_minor')}::bigint[])`.execute(tx)
}

export async function removeLines(tx: Tx, scope: Scope, invoiceId: number): Promise<void> {
  await tx
    .deleteFrom('invoice_lines')
    .where('tenant_id', '=', scope.tenantId)
    .where('invoice_id', '=', invoiceId)
    .execute()
}

export async function listLines(tx: Tx, scope: Scope, invoiceId: number): Promise<Line[]> {
  return tx
    .selectFrom('invoice_lines')
    .select(['position', 'description', 'quantity', 'unit_price', 'tax_ppm', 'net_minor'])
    .where('tenant_id', '=', scope.tenantId)
    .where('invoice_id', '=', invoiceId)
    .orderBy('position')
    .execute()
}

export async function findInvoice(tx: Tx, scope: Scope, id: number): Promise<InvoiceRow | undefined> {
  const row = await byId(tx, scope, id).executeTakeFirst()
  return row as InvoiceRow | undefined
}

/** The invoice with its row locked: what follows about it happens one after the other. */
export async function lockInvoice(tx: Tx, scope: Scope, id: number): Promise<InvoiceRow | undefined> {
  const row = await byId(tx, scope, id).forNoKeyUpdate().executeTakeFirst()
  return row as InvoiceRow | undefined
}

/** Ids of the invoices that came from these leads, locked. */
export async function lockInvoicesOfLeads(
  tx: Tx,
  { tenantId }: Scope,
  leadIds: readonly number[],
  limit: number | null = null,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from invoices where tenant_id = ${tenantId} and lead_id = any(${leadIds}::bigint[])
    order by id limit ${limit} for no key update`.execute(tx)
  return rows.map(({ id }) => id)
}

function byId(tx: Tx, scope: Scope, id: number) {
  return tx.selectFrom('invoices').select(columns).where('tenant_id', '=', scope.tenantId).where('id', '=', id)
}

export type InvoiceChange = Omit<
  Updateable<Database['invoices']>,
  'tenant_id' | 'ordinal' | 'version' | 'event_count' | 'updated_at' | 'sequence' | 'paid_minor'
> & {
  /** Gives the invoice the next number of `year`; all others of the tenant that want one wait until the end. */
  takesNumber?: boolean
  /** Sums up the payments again, without those that were reversed. */
  addsUpPayments?: boolean
}

/** Writes a change of a locked invoice, with a new version and so many more events. */
export async function changeInvoice(
  tx: Tx,
  scope: Scope,
  id: number,
  { takesNumber, addsUpPayments, ...change }: InvoiceChange,
  events: number,
): Promise<InvoiceRow> {
  const { tenantId } = scope
  const row = await tx
    .updateTable('invoices')
    .set({
      ...change,
      ...(takesNumber ? { sequence: sql<number>`take_number(${tenantId}, 'invoice', ${change.year})` } : {}),
      ...(addsUpPayments
        ? {
            paid_minor: sql<number>`(select coalesce(sum(p.amount_minor), 0)::bigint from payments p
                                     where p.tenant_id = ${tenantId} and p.invoice_id = ${id} and p.reversed_at is null)`,
          }
        : {}),
      version: sql`version + 1`,
      event_count: sql`event_count + ${events}`,
      updated_at: sql`clock_timestamp()`,
    })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
  return row as InvoiceRow
}

/** The time zone of the organization, for what nobody asks for. */
export async function zoneOf(tx: Tx, { organizationId }: Scope): Promise<string> {
  const { rows } = await sql<{
    time_zone: string
  }>`select time_zone from organizations where id = ${organizationId}`.execute(tx)
  return rows[0]!.time_zone
}

/** The first invoice of a tenant starts its calendar. */
async function insertCalendar(tx: Tx, scope: Scope, asOf: string): Promise<void> {
  await tx
    .insertInto('invoice_calendar')
    .values({ tenant_id: scope.tenantId, as_of: asOf })
    .onConflict(conflict => conflict.column('tenant_id').doNothing())
    .execute()
}

/**
 * The date as of which invoices are listed, kept from moving until the transaction ends. Take it before the invoice is
 * locked, whenever the change writes a status that depends on it.
 */
export async function holdCalendar(tx: Tx, scope: Scope): Promise<string | undefined> {
  const row = await tx
    .selectFrom('invoice_calendar')
    .select('as_of')
    .where('tenant_id', '=', scope.tenantId)
    .forShare()
    .executeTakeFirst()
  return row?.as_of
}

/** Issued and unpaid invoices due from `from` until before `until`. */
export type DueSpan = { from: string; until: string }

function due({ tenantId }: Scope, { from, until }: DueSpan) {
  return sql`tenant_id = ${tenantId} and state = 'Sent' and due_date >= ${from} and due_date < ${until}`
}

/** Locks all invoices of a span, whatever their number; in the order of their ids, as all do who lock several. */
export async function lockDue(tx: Tx, scope: Scope, span: DueSpan): Promise<void> {
  await sql`select count(*) from (select from invoices where ${due(scope, span)} order by id for no key update) l`.execute(
    tx,
  )
}

/** Lists as Overdue at most `limit` invoices of a span that no event has reported yet, and counts that event. */
export async function changeToOverdue(tx: Tx, scope: Scope, span: DueSpan, limit: number): Promise<InvoiceRow[]> {
  const { rows } = await sql<InvoiceRow>`
    update invoices set listed_status = 'Overdue', overdue_emitted_for = due_date, event_count = event_count + 1
    where tenant_id = ${scope.tenantId} and id = any (array(
      select id from invoices
      where ${due(scope, span)} and listed_status = 'Sent' and overdue_emitted_for is distinct from due_date limit ${limit}))
    returning ${sql.join(columns.map(column => sql.ref(column)))}`.execute(tx)
  return rows
}

/** Lists at most `limit` invoices of a span as Sent or Overdue that are not yet; how many they were. */
export async function relist(
  tx: Tx,
  scope: Scope,
  span: DueSpan,
  status: 'Sent' | 'Overdue',
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update invoices set listed_status = ${status}
    where tenant_id = ${scope.tenantId} and id = any (array(
      select id from invoices where ${due(scope, span)} and listed_status <> ${status} limit ${limit}))`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

export type NumberAudit = {
  last: number
  assigned: number
  gaps: { first: number; last: number }[]
  duplicates: number[]
}

/** Compares the numbers of a year with what its series has given out; at most 1,000 findings of each kind. */
export async function auditNumbers(tx: Tx, scope: Scope, year: number): Promise<NumberAudit> {
  const { rows } = await sql<NumberAudit>`
    with series as (
      select coalesce((select next - 1 from number_series
                       where tenant_id = ${scope.tenantId} and kind = 'invoice' and year = ${year}), 0) as last
    ), numbers as (
      select sequence, lag(sequence, 1, 0::bigint) over (order by sequence) as previous
      from invoices where tenant_id = ${scope.tenantId} and year = ${year} and sequence is not null
    ), gaps as (
      select previous + 1 as first, sequence - 1 as last from numbers where sequence > previous + 1
      union all
      select coalesce((select max(sequence) from numbers), 0) + 1, last from series
      where last > coalesce((select max(sequence) from numbers), 0)
    )
    select (select last from series) as last, (select count(*) from numbers) as assigned,
      (select coalesce(json_agg(g), '[]') from (select first, last from gaps order by first limit 1000) g) as gaps,
      (select coalesce(json_agg(sequence), '[]')
       from (select sequence from numbers where sequence = previous limit 1000) d) as duplicates`.execute(tx)
  return rows[0] as NumberAudit
}
