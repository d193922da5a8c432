// SQL of what the Playground keeps that is seen by its owner, or by everybody once it is shared.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../kernel/data/database.generated.ts'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { ListPage } from '../../../kernel/resource/rows.ts'
import { isoMs } from '../../../kernel/values/clock.ts'

/** Who asks. */
export type Viewer = Scope & { userId: number }
export type KeptTable = Extract<keyof Database & string, 'playground_environments' | 'playground_collections'>

const nameOf = (column: string) =>
  `coalesce((select u.name from users u where u.organization_id = r.organization_id and u.id = r.${column}), '')`

/** The names of who owns a row and of who changed it last, as SQL. */
export const ownerColumns = `${nameOf('owner_id')} as owner_name, ${nameOf('updated_by')} as updated_by_name`
export const changedByColumn = `${nameOf('updated_by')} as updated_by_name`

/** Whether the owner's columns `of` let somebody see it. */
export function seenBy({ organizationId, userId }: Viewer, of = 'r'): RawBuilder<unknown> {
  const at = (column: string) => sql.ref(`${of}.${column}`)
  return sql`${at('organization_id')} = ${organizationId} and (${at('shared')} or ${at('owner_id')} = ${userId})`
}

export function visibleRows<Row>(table: KeptTable, columns: string) {
  const shown = sql.raw(columns)
  const read = async (tx: Tx, statement: RawBuilder<unknown>) => (await statement.execute(tx)).rows as Row[]
  return {
    async find(tx: Tx, viewer: Viewer, id: string): Promise<Row | undefined> {
      const rows = await read(
        tx,
        sql`select ${shown} from ${sql.table(table)} r where ${seenBy(viewer)} and r.id = ${id}`,
      )
      return rows[0]
    },

    /** The same, and nobody else changes it before the transaction ends. */
    async lock(tx: Tx, viewer: Viewer, id: string): Promise<Row | undefined> {
      const rows = await read(
        tx,
        sql`
          select ${shown} from ${sql.table(table)} r where ${seenBy(viewer)} and r.id = ${id} for no key update of r`,
      )
      return rows[0]
    },

    /** Newest first, one more than `limit` when there are more. */
    async list(tx: Tx, viewer: Viewer, _: object, { limit, beforeId }: ListPage): Promise<Row[]> {
      const further = beforeId === undefined ? sql`` : sql`and r.id < ${beforeId}`
      return read(
        tx,
        sql`
          select ${shown} from ${sql.table(table)} r where ${seenBy(viewer)} ${further}
          order by r.id desc limit ${limit + 1}`,
      )
    },
  }
}

/** What somebody owns is counted once, with the live mode. */
export async function countOwnedBy(tx: Tx, table: KeptTable, scope: Scope, userId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${sql.table(table)} r
    where r.organization_id = ${scope.organizationId} and r.owner_id = ${userId}
      and exists (select from tenants t where t.id = ${scope.tenantId} and t.mode = 'live')`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Gives what somebody owns to another person; with the live mode, as it is counted. */
export async function giveOwned(
  tx: Tx,
  table: KeptTable,
  { organizationId, tenantId }: Scope,
  { from, to, nowMs }: { from: number; to: number; nowMs: number },
  limit: number,
): Promise<{ id: string; name: string; shared: boolean; owner_id: number }[]> {
  const { rows } = await sql<{ id: string; name: string; shared: boolean; owner_id: number }>`
    update ${sql.table(table)} r
    set owner_id = ${to}, version = r.version + 1, updated_at = greatest(${isoMs(nowMs)}::timestamptz, r.created_at)
    where r.organization_id = ${organizationId} and r.id = any (array(
      select o.id from ${sql.table(table)} o where o.organization_id = ${organizationId} and o.owner_id = ${from}
        and exists (select from tenants t where t.id = ${tenantId} and t.mode = 'live')
      order by o.id limit ${limit} for update))
    returning r.id, r.name, r.shared, r.owner_id`.execute(tx)
  return rows
}
