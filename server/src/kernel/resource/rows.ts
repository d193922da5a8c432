// SQL of resources: rows of one table, found, locked, listed newest first, inserted, changed and removed by their id. What only one
// of them needs stands in its own store.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../data/database.generated.ts'
import type { Scope, Tx } from '../data/db.ts'
import { isoMs } from '../values/clock.ts'

/** Where a list goes on. */
export type ListPage = { limit: number; beforeId: string | undefined }

export type RowsOptions<Name extends string> = {
  table: keyof Database & string
  /** Of rows `r`, as SQL: `r.id, r.name`. */
  columns: string
  /** Columns of type json: lists and objects are written as such. */
  json?: readonly string[]
  /** The filters of a list, each with the column that must be equal. */
  filters?: Readonly<Record<Name, string>>
  /** Whose the rows are; a tenant's when not said. */
  of?: 'organization'
}

/** A value of a filter; those that are undefined do not filter. */
export type Wanted<Name extends string> = { readonly [Filter in Name]?: string | number | boolean | undefined }

/** The rows of one table, with ids that grow with time. */
export type ResourceRows<Row, Name extends string> = {
  find(tx: Tx, scope: Scope, id: string): Promise<Row | undefined>
  /** The same, and nobody else changes it before the transaction ends. */
  lock(tx: Tx, scope: Scope, id: string): Promise<Row | undefined>
  /** Whether there is one of this id; it stays as it is until the transaction ends. */
  hold(tx: Tx, scope: Scope, id: string): Promise<boolean>
  /** Newest first, one more than `limit` when there are more. */
  list(tx: Tx, scope: Scope, wanted: Wanted<Name>, page: ListPage): Promise<Row[]>
  /** How many the tenant has; others that count wait for this transaction. */
  count(tx: Tx, scope: Scope): Promise<number>
  /** Undefined where another row has what the constraint keeps unique. */
  insert(tx: Tx, scope: Scope, values: Values, unique?: string): Promise<Row | undefined>
  /** Changes a locked row and counts its version up. */
  change(tx: Tx, scope: Scope, id: string, values: Values, nowMs: number): Promise<Row>
  remove(tx: Tx, scope: Scope, id: string): Promise<void>
}

type Values = Readonly<Record<string, unknown>>

/** Of a row that is created now. */
export function stampsOf(nowMs: number): { created_at: string; updated_at: string } {
  return { created_at: isoMs(nowMs), updated_at: isoMs(nowMs) }
}

export function resourceRows<Row extends { id: string }, const Name extends string = never>({
  table,
  columns,
  json = [],
  filters,
  of,
}: RowsOptions<Name>): ResourceRows<Row, Name> {
  const shown = sql.raw(columns)
  const rows = sql`${sql.table(table)} r`
  const owner = of === 'organization' ? 'organization_id' : 'tenant_id'
  const ownerOf = ({ tenantId, organizationId }: Scope) => (of === 'organization' ? organizationId : tenantId)
  const owned = (scope: Scope) => sql`r.${sql.ref(owner)} = ${ownerOf(scope)}`
  const one = (scope: Scope, id: string) => sql`${owned(scope)} and r.id = ${id}`
  const read = async (tx: Tx, statement: RawBuilder<unknown>) => (await statement.execute(tx)).rows as Row[]
  const stored = (name: string, value: unknown) =>
    json.includes(name) && value !== null ? sql`${JSON.stringify(value)}::json` : sql`${value}`
  const given = (values: Values) => Object.entries(values).filter(([, value]) => value !== undefined)

  return {
    async find(tx, scope, id) {
      return (await read(tx, sql`select ${shown} from ${rows} where ${one(scope, id)}`))[0]
    },

    async lock(tx, scope, id) {
      return (await read(tx, sql`select ${shown} from ${rows} where ${one(scope, id)} for no key update of r`))[0]
    },

    async hold(tx, scope, id) {
      return (await read(tx, sql`select from ${rows} where ${one(scope, id)} for share`)).length > 0
    },

    async list(tx, scope, wanted, { limit, beforeId }) {
      // Each filter, and the place to go on from, makes a statement of its own: a plan that must also do without it could not go by its index.
      const conditions = [owned(scope)]
      if (beforeId !== undefined) conditions.push(sql`r.id < ${beforeId}`)
      for (const [name, value] of given(wanted))
        conditions.push(sql`${sql.ref(`r.${filters?.[name as Name]}`)} = ${value}`)
      const all = sql.join(conditions, sql` and `)
      return read(tx, sql`select ${shown} from ${rows} where ${all} order by r.id desc limit ${limit + 1}`)
    },

    async count(tx, scope) {
      await sql`select pg_advisory_xact_lock(hashtextextended(${table}, ${ownerOf(scope)}))`.execute(tx)
      const counted = sql<{
        count: number
      }>`select count(*)::integer as count from ${rows} where ${owned(scope)}`
      return (await counted.execute(tx)).rows[0]!.count
    },

    async insert(tx, scope, values, unique) {
      const all = given({ [owner]: ownerOf(scope), ...values })
      const names = sql.join(all.map(([name]) => sql.ref(name)))
      const added = sql.join(all.map(([name, value]) => stored(name, value)))
      const otherwise = unique === undefined ? sql`` : sql`on conflict on constraint ${sql.ref(unique)} do nothing`
      const statement = sql`
        insert into ${sql.table(table)} as r (${names}) values (${added}) ${otherwise} returning ${shown}`
      return (await read(tx, statement))[0]
    },

    async change(tx, scope, id, values, nowMs) {
      const sets = given(values).map(([name, value]) => sql`${sql.ref(name)} = ${stored(name, value)}`)
      const stamps = sql`version = r.version + 1, updated_at = greatest(${isoMs(nowMs)}::timestamptz, r.created_at)`
      const statement = sql`
        update ${rows} set ${sql.join([...sets, stamps])} where ${one(scope, id)} returning ${shown}`
      return (await read(tx, statement))[0]!
    },

    async remove(tx, scope, id) {
      await sql`delete from ${rows} where ${one(scope, id)}`.execute(tx)
    },
  }
}
