// SQL of a list of records: one page in an order, by number or behind a cursor, and how many there are. At most three statements.
import { sql } from 'kysely'
import type { Tx } from '../data/db.ts'
import type { CursorKey } from '../endpoint/page.ts'
import { type Asked, type Counted, columnsOf, type ListPage, ownedBy, ownerArms, type RawRow, where } from './asked.ts'
import type { Sql } from './field.ts'
import { oneOf } from './field_parts.ts'
import { type Arm, cursorOf, orderBy } from './order.ts'
import { searchRecords } from './search.ts'

/** Beyond this many rows that no counter knows of, a total is "at least". */
export const maxCounted = 10_000

export async function listRecords(tx: Tx, asked: Asked): Promise<ListPage> {
  if (asked.owners?.length === 0) return { rows: [], total: 0, isExact: true, isRough: false }
  if (asked.text !== undefined) return searchRecords(tx, asked, asked.text)
  // They leave together.
  const total = asked.counted === undefined ? countSome(tx, asked) : countAll(tx, asked, asked.counted)
  const rows = readPage(tx, asked)
  total.catch(() => {})
  return { rows: await rows, ...(await total), isRough: false }
}

/** The key of a cursor: whether the search was a rough one, and the values of the row. */
export function cursorKey({ order }: Asked, row: RawRow, isRough: boolean): CursorKey {
  return [isRough ? 1 : 0, ...cursorOf(order.keys, row)]
}

/**
 * Owners stand at places of their own in the index, and so do rows without the value that is sorted by: each is read in order, and what
 * is found is merged.
 */
async function readPage(tx: Tx, asked: Asked): Promise<RawRow[]> {
  const { order, limit, offset } = asked
  const all = where(asked)
  const parts: { owner: Sql; arm: Arm }[] = []
  for (const owner of ownerArms(asked)) for (const arm of order.arms) parts.push({ owner, arm })
  const read = ({ owner, arm }: (typeof parts)[number], count: Sql) => sql`
    select ${columnsOf(asked)} from ${sql.table(asked.table)} r
    where ${all} and ${owner} and ${arm.where} and ${arm.behind ?? sql`true`}
    order by ${orderBy(arm.keys)} limit ${count}`
  const [only, ...others] = parts
  const query =
    others.length === 0
      ? read(only!, sql`${limit + 1} offset ${offset}`)
      : sql`select ${columnsOf(asked)} from (${sql.join(
          parts.map(part => sql`(${read(part, sql`${offset + limit + 1}`)})`),
          sql` union all `,
        )}) r order by ${orderBy(order.keys)} limit ${limit + 1} offset ${offset}`
  return (await query.execute(tx)).rows as RawRow[]
}

/** The counters of all records together. */
const everybody = -1
const facetColumns = ['a', 'b', 'c'] as const

/** Sums over the counters that triggers keep in the transaction of every write. */
async function countAll(tx: Tx, { scope, noun, owners, deleted }: Asked, { facets }: Counted) {
  const conditions = facets.flatMap((values, at) =>
    values === undefined ? [] : [oneOf(sql.ref(facetColumns[at]!), values)],
  )
  // Said as a comparison where it is one: then PostgreSQL keeps the plan.
  const [owner = everybody, ...others] = owners ?? []
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(count), 0)::bigint as total from noun_counts
    where ${sql.join(
      [
        sql`tenant_id = ${scope.tenantId}`,
        sql`noun = ${noun}`,
        others.length === 0 ? sql`owner = ${owner}` : sql`owner = any(${owners}::bigint[])`,
        sql`deleted = ${deleted}`,
        ...conditions,
      ],
      sql` and `,
    )}`.execute(tx)
  return { total: rows[0]?.total ?? 0, isExact: true }
}

async function countSome(tx: Tx, asked: Asked) {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (
      select from ${sql.table(asked.table)} r where ${where(asked)} and ${ownedBy(asked)} limit ${maxCounted + 1}
    ) r`.execute(tx)
  const total = rows[0]?.total ?? 0
  return { total: Math.min(total, maxCounted), isExact: total <= maxCounted }
}
