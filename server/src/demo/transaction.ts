// The one transaction in which the demo company is written, and how its parts act in it: as the application in one
// tenant, under the same row-level security as any request, or as the engine where only that may write.
import type pg from 'pg'
// Loaded also because it teaches pg to read bigint as a number.
import '../kernel/data/db.ts'
import type { Scope } from '../kernel/data/db.ts'

export type DemoTransaction = {
  /** Runs a query in one tenant, with the application's rights and no others. */
  inTenant<Row extends pg.QueryResultRow>(scope: Scope, text: string, values?: unknown[]): Promise<Row[]>
  /** Runs a query with the engine's rights, which reach over tenants. */
  asEngine<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
}

/** @param client in a transaction, of a session that may take both roles */
export function transactionOf(client: pg.ClientBase): DemoTransaction {
  let standing = ''

  /** Takes a role, and the tenant of a scope, unless it stands there already. */
  async function stand(role: string, scope?: Scope): Promise<void> {
    const wanted = `${role} ${scope?.tenantId ?? ''}`
    if (wanted === standing) return
    await client.query(`set local role ${role}`)
    if (scope !== undefined) {
      await client.query("select set_config('app.tenant_id', $1, true), set_config('app.organization_id', $2, true)", [
        String(scope.tenantId),
        String(scope.organizationId),
      ])
    }
    standing = wanted
  }

  return {
    async inTenant(scope, text, values = []) {
      await stand('tandem_app', scope)
      return (await client.query(text, values)).rows as never
    },
    async asEngine(text, values = []) {
      await stand('tandem_engine')
      return (await client.query(text, values)).rows as never
    },
  }
}

/** An event of the past. */
export type PastEvent = { id: string; type: string; resourceId: string; sequence: number; atMs: number; data: string }

/** Adds events of one tenant; `data` is JSON text. */
export async function insertEvents(
  transaction: DemoTransaction,
  scope: Scope,
  events: readonly PastEvent[],
): Promise<void> {
  await transaction.inTenant(
    scope,
    `insert into events (tenant_id, id, type, resource_id, sequence, at, data)
     select $1, u.id, u.type, u.resource_id, u.sequence, to_timestamp(u.at_ms / 1000.0), u.data::json
     from unnest($2::text[], $3::text[], $4::text[], $5::integer[], $6::bigint[], $7::text[])
       as u (id, type, resource_id, sequence, at_ms, data)
     order by u.id`,
    [
      scope.tenantId,
      events.map(event => event.id),
      events.map(event => event.type),
      events.map(event => event.resourceId),
      events.map(event => event.sequence),
      events.map(event => event.atMs),
      events.map(event => event.data),
    ],
  )
}
