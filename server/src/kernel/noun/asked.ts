// What a list of records is asked for, and the parts of SQL that say so.
import { sql } from 'kysely'
import type { Scope } from '../data/db.ts'
import type { Sql } from './field.ts'
import { ownerKey } from './field_parts.ts'
import type { Order } from './order.ts'
import type { SearchText } from './search_text.ts'

export type RawRow = Record<string, unknown> & { id: string | number; version: number }

/** What the counters of a table know: facets by their place, and the owner. */
export type Counted = { facets: readonly (readonly string[] | undefined)[] }

export type Asked = {
  scope: Scope
  noun: string
  table: string
  columns: readonly string[]
  /** Owners whose records are asked for and visible, 0 for nobody; undefined for all. */
  owners: readonly number[] | undefined
  /** Of the owners, the column; undefined where records have none. */
  ownerColumn: string | undefined
  deleted: boolean
  /** All other filters. */
  conditions: readonly Sql[]
  /** Undefined where the counters do not know how many there are. */
  counted: Counted | undefined
  text: SearchText | undefined
  /** Whether only what is like the text was found, as the cursor says. */
  isRough: boolean | undefined
  /** Fields, beside the moment of creation, that an index has in order. */
  indexed: readonly string[]
  order: Order
  limit: number
  offset: number
}

export type ListPage = {
  /** One row more than the limit when there is a next page. */
  rows: RawRow[]
  total: number
  /** Whether `total` is all of them; otherwise there are more. */
  isExact: boolean
  /** Whether these are only something like the search text, because nothing holds it. */
  isRough: boolean
}

export function where({ scope, deleted, conditions }: Asked): Sql {
  const all = [
    sql`r.tenant_id = ${scope.tenantId}`,
    deleted ? sql`r.deleted_at is not null` : sql`r.deleted_at is null`,
    ...conditions,
  ]
  return sql.join(all, sql` and `)
}

export function ownedBy({ owners, ownerColumn }: Asked): Sql {
  return owners === undefined || ownerColumn === undefined
    ? sql`true`
    : sql`${ownerKey(ownerColumn)} = any(${owners}::bigint[])`
}

/** Beyond so many owners their places of the index are not read one by one. */
const maxOwnerArms = 8

/** Conditions, one for each owner whose place of the index is read by itself. */
export function ownerArms(asked: Asked): Sql[] {
  const { owners, ownerColumn } = asked
  const isParted = owners !== undefined && ownerColumn !== undefined && owners.length <= maxOwnerArms
  return isParted ? owners.map(id => sql`${ownerKey(ownerColumn)} = ${id}`) : [ownedBy(asked)]
}

export const columnsOf = ({ columns }: Asked) => sql.join(columns.map(column => sql.ref(`r.${column}`)))
