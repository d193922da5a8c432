// The list of invoices: its filters, sorts and cursors, and the SQL behind them. In the order of creation, filtered by
// nothing but status, a page costs the same at any depth and size (docs/adr/0003_invoice_pages_without_counting.md);
// whatever else is asked for is counted.
import { type RawBuilder, sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import { behindKeys } from '../../../kernel/data/keyset.ts'
import { containing, whole } from '../../../kernel/data/like.ts'
import { type SortKey, wordsOf } from '../../../kernel/endpoint/list_query.ts'
import type { CursorKey } from '../../../kernel/endpoint/page.ts'
import { isDate } from '../../../kernel/values/clock.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { type NumberRange, type Status, statuses } from './rules.ts'

/** A part of a date range, as its query parameter names it. */
export const comparisons = { eq: '=', gte: '>=', gt: '>', lte: '<=', lt: '<' } as const
export type Comparison = keyof typeof comparisons
export type DateFilter = { field: 'due_date' | 'issue_date'; comparison: Comparison; date: string }

export type ListFilter = {
  /** null: all. */
  statuses: readonly Status[] | null
  /** A part of the customer's name. */
  customer: string | null
  customerName: string | null
  dates: readonly DateFilter[]
  /** null: all; undefined: a number that none can have. */
  numbers: NumberRange | null | undefined
}

export const sortFields = ['created_at', 'due_date', 'issue_date', 'amount', 'number'] as const
export type InvoiceSort = SortKey<(typeof sortFields)[number]>

/** `JSON` holds the invoices with commas between; `next` is the cursor's key when there are more. */
export type FoundPage = { total: number; items: string; next: CursorKey | null }

export type PageRequest = {
  filter: ListFilter
  sort: readonly InvoiceSort[]
  limit: number
  offset: number
  after: CursorKey | null
  /** False where nobody asks how many there are: to count what is filtered takes as long as to read it. */
  counts?: boolean
}

/** The statuses of a filter; all five are as good as none. */
export function statusesOf(list: string): readonly Status[] | null {
  const wanted = wordsOf(list, statuses)
  return wanted.length === statuses.length ? null : wanted
}

/**
 * A page as of `today`, or undefined when the calendar is not there: then it must be rolled first.
 * @throws Problem `invalid_cursor`
 */
export async function findPage(
  db: Db,
  scope: Scope,
  today: string,
  request: PageRequest,
): Promise<FoundPage | undefined> {
  const { filter, sort, after } = request
  const [first] = sort
  const byCreation = first?.column === 'created_at'
  if (isCounted(filter) || !byCreation || (!first.descending && after !== null)) {
    return db.inTenant(scope, tx => searchPage(tx, scope, today, request))
  }
  return stepToPage(db, scope, today, request, !first.descending)
}

type StepRow = { total: number | null; last: number | null; page: string | null; more: boolean }

async function stepToPage(
  db: Db,
  { tenantId }: Scope,
  today: string,
  { filter, limit, offset, after }: PageRequest,
  oldestFirst: boolean,
): Promise<FoundPage | undefined> {
  const below = after === null ? null : cursorValue(after, 0, 1, 'integer')
  const values = [tenantId, today, filter.statuses, after === null ? offset : 0, below, limit, oldestFirst]
  const rows = await db.call<StepRow>('invoice_page', 'select * from invoice_page($1, $2, $3, $4, $5, $6, $7)', values)
  const { total, last, page, more } = rows[0] as StepRow
  return total === null ? undefined : { total, items: page ?? '', next: more ? [String(last)] : null }
}

type Column = { value: RawBuilder<unknown>; order: RawBuilder<unknown>; kind: 'integer' | 'date' }

const plain = (column: string, kind: Column['kind']): Column => ({
  value: sql.ref(column),
  order: sql.ref(column),
  kind,
})
const ordinal = plain('i.ordinal', 'integer')
const sortColumns: Record<InvoiceSort['column'], Column[]> = {
  created_at: [ordinal],
  due_date: [plain('i.due_date', 'date')],
  issue_date: [plain('i.issue_date', 'date')],
  amount: [plain('i.amount_rank', 'integer')],
  number: [plain('i.year', 'integer'), { ...plain('i.sequence', 'integer'), value: sql`coalesce(i.sequence, 0)` }],
}

type OrderKey = Column & { descending: boolean }

/** All columns of the order; the ordinal, which is unique, ends it. */
function orderOf(sort: readonly InvoiceSort[]): OrderKey[] {
  const keys: OrderKey[] = []
  for (const { column: name, descending } of sort) {
    for (const column of sortColumns[name]) keys.push({ ...column, descending })
    if (name === 'created_at') return keys
  }
  return [...keys, { ...ordinal, descending: keys.at(-1)?.descending ?? true }]
}

/** So many invoices of customers with a name are listed by their ids; of more, the names are compared one by one. */
const maxByCustomer = 5_000

/** What stands for the customer: ids found over the index of names, or, of a name that many bear, the comparison. */
async function customerCondition(tx: Tx, pattern: string): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ id: number }>`
    select id from find_invoices_by_customer(${pattern}, ${maxByCustomer + 1}) as id`.execute(tx)
  if (rows.length > maxByCustomer) return sql`i.customer_name ilike ${pattern}`
  return sql`i.id = any (${rows.map(({ id }) => id)}::bigint[])`
}

async function searchPage(
  tx: Tx,
  { tenantId }: Scope,
  today: string,
  { filter, sort, limit, offset, after, counts = true }: PageRequest,
): Promise<FoundPage | undefined> {
  const order = orderOf(sort)
  const where = await whereOf(tx, { tenantId }, filter)
  const from = after === null ? sql`` : sql` and ${beyond(order, after)}`
  const orderBy = sql.join(
    // Unassigned numbers come before all others, as their 000000 does; the index is made so.
    order.map(({ order, descending }) => sql`${order} ${descending ? sql`desc nulls last` : sql`asc nulls first`}`),
  )
  const keys = sql.join(order.map(({ value }) => sql`(${value})::text`))
  const { rows } = await sql<{ as_of: string | null; total: number; item: string | null; keys: string[] | null }>`
    select (select as_of from invoice_calendar where tenant_id = ${tenantId}) as as_of,
           ${counts ? totalOf(tenantId, filter, where) : sql`0`} as total, p.item, p.keys
    from (values (1)) as one left join lateral (
      select '{"status":"' || i.listed_status || '",' || i.document as item, array[${keys}] as keys
      from invoices i where ${where}${from}
      order by ${orderBy} limit ${limit + 1} offset ${after === null ? offset : 0}) p on true`.execute(tx)
  const { as_of, total } = rows[0] as (typeof rows)[number]
  if (as_of !== null && as_of !== today) return undefined
  const found = rows.filter(row => row.item !== null)
  const page = found.slice(0, limit)
  const next = found.length > limit ? (page.at(-1)?.keys ?? null) : null
  return { total, items: page.map(row => row.item).join(), next }
}

/** What is filtered for by more than status, and so is counted row by row. */
export function isCounted({ customer, customerName, dates, numbers }: ListFilter): boolean {
  return customer !== null || customerName !== null || dates.length > 0 || numbers !== null
}

/** The condition on rows `i` of invoices. */
export async function whereOf(tx: Tx, { tenantId }: Pick<Scope, 'tenantId'>, filter: ListFilter) {
  const { customer, customerName } = filter
  const ofCustomer: RawBuilder<unknown>[] = []
  if (customer !== null) ofCustomer.push(await customerCondition(tx, containing(customer)))
  if (customerName !== null) ofCustomer.push(await customerCondition(tx, whole(customerName)))
  return sql.join([...conditions(tenantId, filter), ...ofCustomer], sql` and `)
}

function conditions(tenantId: number, filter: ListFilter): RawBuilder<unknown>[] {
  const { statuses, dates, numbers } = filter
  const found = [sql`i.tenant_id = ${tenantId}`]
  if (statuses !== null) {
    found.push(sql`i.listed_status = any (${statuses}::text[])`)
    // Said for the planner: the index of what is open holds these only.
    if (statuses.every(status => status === 'Sent' || status === 'Overdue')) found.push(sql`i.state = 'Sent'`)
  }
  for (const { field, comparison, date } of dates) {
    found.push(sql`${sql.ref(`i.${field}`)} ${sql.raw(comparisons[comparison])} ${date}::date`)
  }
  if (numbers === undefined) found.push(sql`false`)
  else if (numbers !== null) found.push(numberCondition(numbers))
  return found
}

function numberCondition({ years, sequences }: NumberRange): RawBuilder<unknown> {
  const inYears = sql`i.year between ${years[0]} and ${years[1]}`
  if (sequences === null) return inYears
  const ranges = sequences.flatMap(([first, last]) => [
    sql`i.sequence between ${first} and ${last}`,
    ...(first === 0 ? [sql`i.sequence is null`] : []),
  ])
  return sql`${inYears} and (${sql.join(ranges, sql` or `)})`
}

function totalOf(tenantId: number, filter: ListFilter, where: RawBuilder<unknown>): RawBuilder<unknown> {
  if (isCounted(filter)) {
    return sql`(select count(*) from invoices i where ${where})`
  }
  return sql`(select coalesce(sum(n), 0)::bigint from invoice_blocks b cross join lateral
    unnest(wanted_counts(${filter.statuses}::text[], draft, sent, overdue, paid, cancelled, every)) as n
    where b.tenant_id = ${tenantId} and b.level = 2)`
}

/** Rows behind the one with these keys. */
function beyond(order: readonly OrderKey[], after: CursorKey): RawBuilder<unknown> {
  const [first, ...rest] = order.map(({ value, kind, descending }, index) => {
    const text = cursorValue(after, index, order.length, kind)
    return { sql: value, descending, bound: kind === 'date' ? sql`${text}::date` : sql`${text}::bigint` }
  })
  return first === undefined ? sql`true` : behindKeys([first, ...rest])
}

/** Cursors are readable and so may be forged: what cannot be a key is refused here, not by the database. */
function cursorValue(key: CursorKey, index: number, length: number, kind: Column['kind']): string {
  const value = key[index]
  if (key.length === length && typeof value === 'string') {
    if (kind === 'date' ? isDate(value) : /^\d{1,17}$/.test(value)) return value
  }
  throw new Problem('invalid_cursor')
}
