// SQL of lists of leads: one page in any order, by number or behind a cursor, with an exact total. Totals of status,
// priority and owner are sums over the counters; at most three statements a list.
import { type RawBuilder, sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { CursorKey } from '../../../kernel/endpoint/page.ts'
import type { OrderKey } from '../../../kernel/noun/field.ts'
import { behindCursor, orderBy } from '../../../kernel/noun/order.ts'
import type { SearchText } from '../../../kernel/noun/search_text.ts'
import { tagConditions } from '../../../kernel/noun/tagged.ts'
import type { LeadFilters, LeadSort, SortColumn } from './filters.ts'
import { lead } from './host.ts'
import { type LeadRow, leadPriorities, leadStatuses } from './rules.ts'
import { columns } from './store.ts'

export type LeadPage = {
  /** One row more than the limit when there is a next page. */
  rows: LeadRow[]
  total: number
  /** Whether these are only something like the search text, because nothing holds it. */
  rough: boolean
}

export type Place = { limit: number; offset: number; behind: CursorKey | undefined }

type Sql = RawBuilder<unknown>

/** A page of leads. `behind` is the key of a cursor, as `cursorKey` made it. */
export async function listLeads(
  tx: Tx,
  scope: Scope,
  filters: LeadFilters,
  sort: readonly LeadSort[],
  place: Place,
): Promise<LeadPage> {
  const order = orderOf(sort)
  const [roughly, ...values] = place.behind ?? [0]
  const window = { ...place, behind: place.behind && behindCursor(order, values) }
  if (isNobodys(filters)) return { rows: [], total: 0, rough: false }
  const { text } = filters
  if (text !== undefined) {
    const exactly = { words: text.words, digits: text.digits, rough: [] }
    const exact = roughly === 1 ? undefined : await searchLeads(tx, scope, filters, exactly, order, window)
    if (exact !== undefined && (exact.total > 0 || text.rough.length === 0 || place.behind !== undefined)) return exact
    const similar = { words: text.roughWords, digits: [], rough: text.rough }
    return { ...(await searchLeads(tx, scope, filters, similar, order, window)), rough: true }
  }
  const total = canBeCounted(filters) ? countLeads(tx, scope, filters) : scanCount(tx, scope, filters)
  const rows = readPage(tx, scope, filters, order, window)
  return { rows: await rows, total: await total, rough: false }
}

/** The key of a row in this order, for a cursor: first whether the search was a rough one. */
export function cursorKey(sort: readonly LeadSort[], row: LeadRow, rough: boolean): CursorKey {
  return [rough ? 1 : 0, ...orderOf(sort).map(({ value }) => value(row))]
}

/** A Sales Executive asking for the leads of somebody else. */
function isNobodys({ owner, restrictedTo }: LeadFilters): boolean {
  return restrictedTo !== undefined && owner !== undefined && owner !== null && owner !== restrictedTo
}

type LeadKey = OrderKey<LeadRow>

/** Text in the order people expect, whatever the database's own. */
const human = sql`collate "und-x-icu"`
const statusList = sql.lit(`{${leadStatuses.join(',')}}`)
const priorityList = sql.lit(`{${leadPriorities.join(',')}}`)

const expressions: Record<SortColumn, (descending: boolean) => LeadKey[]> = {
  id: descending => [{ sql: sql`l.id`, descending, value: row => row.id, type: 'bigint' }],
  created_at: descending => [{ sql: sql`l.created_at`, descending, value: row => row.created_at, type: 'timestamptz' }],
  updated_at: descending => [{ sql: sql`l.updated_at`, descending, value: row => row.updated_at, type: 'timestamptz' }],
  name: descending => [{ sql: sql`l.name ${human}`, descending, value: row => row.name, type: 'text' }],
  // Leads without a company come last in both directions.
  company: descending => [
    {
      sql: sql`(case when l.company is null then 1 else 0 end)`,
      descending: false,
      value: row => (row.company === null ? 1 : 0),
      type: 'bigint',
    },
    { sql: sql`coalesce(l.company, '') ${human}`, descending, value: row => row.company ?? '', type: 'text' },
  ],
  priority: descending => [
    {
      sql: sql`array_position(${priorityList}::text[], l.priority)`,
      descending,
      value: row => leadPriorities.indexOf(row.priority) + 1,
      type: 'bigint',
    },
  ],
  status: descending => [
    {
      sql: sql`array_position(${statusList}::text[], l.status)`,
      descending,
      value: row => leadStatuses.indexOf(row.status) + 1,
      type: 'bigint',
    },
  ],
}

function orderOf(sort: readonly LeadSort[]): LeadKey[] {
  return sort.flatMap(({ column, descending }) => expressions[column](descending))
}

type Window = { limit: number; offset: number; behind: Sql | undefined }

/** Everything but owner and search text. */
function conditions(scope: Scope, { statuses, priorities, names, created, tagged, deleted }: LeadFilters): Sql {
  const all: Sql[] = [
    sql`l.tenant_id = ${scope.tenantId}`,
    deleted ? sql`l.deleted_at is not null` : sql`l.deleted_at is null`,
  ]
  if (statuses?.length === 1) all.push(sql`l.status = ${statuses[0]}`)
  else if (statuses !== undefined) all.push(sql`l.status = any(${statuses})`)
  // Says what the planner cannot see in a parameter: the index of the moved leads will do.
  if (statuses !== undefined && !statuses.includes('New')) all.push(sql`l.status <> 'New'`)
  if (priorities !== undefined) all.push(sql`l.priority = any(${priorities})`)
  for (const [column, id] of Object.entries(names)) all.push(sql`${sql.ref(`l.${column}`)} = ${id}`)
  all.push(...tagConditions(lead, 'l', tagged))
  if (created.from !== undefined) all.push(sql`l.created_at >= ${created.from}::timestamptz`)
  if (created.before !== undefined) all.push(sql`l.created_at < ${created.before}::timestamptz`)
  return sql.join(all, sql` and `)
}

/** The counters and the index of owners say 0 for nobody; this is the expression of the index. */
const nobody = 0
const ownerKey = sql`(case when l.owner_id is null then ${sql.lit(nobody)} else l.owner_id end)`

/** The owners asked for and visible; none means all. */
function ownersOf({ owner, restrictedTo }: LeadFilters): number[] {
  if (owner !== undefined) return [owner ?? nobody]
  return restrictedTo === undefined ? [] : [restrictedTo, nobody]
}

function ownedBy(owners: readonly number[]): Sql {
  return owners.length === 0 ? sql`true` : sql`${ownerKey} = any(${owners})`
}

async function readPage(
  tx: Tx,
  scope: Scope,
  filters: LeadFilters,
  order: readonly LeadKey[],
  { limit, offset, behind }: Window,
): Promise<LeadRow[]> {
  const where = sql`${conditions(scope, filters)} and ${behind ?? sql`true`}`
  const branch = (owner: Sql, count: number) =>
    sql`select ${columns} from leads l where ${where} and ${owner} order by ${orderBy(order)} limit ${count}`
  const owners = ownersOf(filters).map(owner => sql`${ownerKey} = ${owner}`)
  // Own and unassigned leads stand at two places of the index: each is read in order, and the two are merged.
  const query =
    owners.length === 2
      ? sql`select l.* from (${sql.join(
          owners.map(owner => sql`(${branch(owner, offset + limit + 1)})`),
          sql` union all `,
        )}) l order by ${orderBy(order)} limit ${limit + 1} offset ${offset}`
      : sql`${branch(owners[0] ?? sql`true`, limit + 1)} offset ${offset}`
  return (await query.execute(tx)).rows as LeadRow[]
}

/** Whether the counters give the total: they know owner, status, priority and the trash. */
function canBeCounted({ created, names, tagged }: LeadFilters): boolean {
  return (
    Object.keys(tagged).length === 0 &&
    created.from === undefined &&
    created.before === undefined &&
    Object.keys(names).length === 0
  )
}

/** The counters of all leads together. */
const everybody = -1

async function countLeads(tx: Tx, scope: Scope, filters: LeadFilters): Promise<number> {
  const { statuses, priorities, deleted } = filters
  const asked = ownersOf(filters)
  const owners = asked.length === 0 ? [everybody] : asked
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(count), 0)::bigint as total from lead_counts
    where tenant_id = ${scope.tenantId} and owner_id = any(${owners}) and deleted = ${deleted}
      and status = any(${statuses ?? leadStatuses}) and priority = any(${priorities ?? leadPriorities})`.execute(tx)
  return rows[0]?.total ?? 0
}

async function scanCount(tx: Tx, scope: Scope, filters: LeadFilters): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from leads l
    where ${conditions(scope, filters)} and ${ownedBy(ownersOf(filters))}`.execute(tx)
  return rows[0]?.total ?? 0
}

/** Finds, counts and cuts in one statement, so that the index is searched once. */
async function searchLeads(
  tx: Tx,
  scope: Scope,
  filters: LeadFilters,
  { words, digits, rough }: Pick<SearchText, 'words' | 'digits' | 'rough'>,
  order: readonly LeadKey[],
  { limit, offset, behind }: Window,
): Promise<LeadPage> {
  const where = sql`${conditions(scope, filters)} and ${ownedBy(ownersOf(filters))}`
  const { rows } = await sql<LeadRow & { total: number }>`
    with matched as materialized (
      select ${columns} from search_leads(${words}::text[], ${digits.map(part => `%${part}%`)}::text[], ${rough}::text[]) l where ${where}
    )
    select c.total, l.*
    from (select count(*) as total from matched) c
    left join (
      select l.* from matched l where ${behind ?? sql`true`}
      order by ${orderBy(order)} limit ${limit + 1} offset ${offset}
    ) l on true
    order by ${orderBy(order)}`.execute(tx)
  const total = rows[0]?.total ?? 0
  const found = rows.filter(row => row.id !== null).map(({ total: _, ...row }) => row)
  return { rows: found, total, rough: false }
}
