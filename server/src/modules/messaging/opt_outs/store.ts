// SQL of opt-outs. What sending asks of them stands in the functions of messages.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/db.ts'
import type { OptOutRow } from './rules.ts'

const columns = sql.raw('id, scope, recipient, source, keyword, created_at')

/** Adds an opt-out; undefined when this recipient has opted out of this scope already. */
export async function insertOptOut(tx: Tx, scope: Scope, row: OptOutRow): Promise<OptOutRow | undefined> {
  const { rows } = await sql<OptOutRow>`
    insert into opt_outs (tenant_id, id, scope, recipient, source, keyword, created_at)
    values (${scope.tenantId}, ${row.id}, ${row.scope}, ${row.recipient}, ${row.source}, ${row.keyword},
      ${row.created_at})
    on conflict on constraint opt_outs_recipient_of_scope do nothing
    returning ${columns}`.execute(tx)
  return rows[0]
}

export async function findOptOut(
  tx: Tx,
  scope: Scope,
  key: { scope: string; recipient: string },
): Promise<OptOutRow | undefined> {
  const { rows } = await sql<OptOutRow>`
    select ${columns} from opt_outs
    where tenant_id = ${scope.tenantId} and scope = ${key.scope} and recipient = ${key.recipient}`.execute(tx)
  return rows[0]
}

/** Takes an opt-out away, by its id or by whose it is, and answers what it was. */
export async function removeOptOut(
  tx: Tx,
  scope: Scope,
  which: { id: string } | { scope: string; recipient: string },
): Promise<OptOutRow | undefined> {
  const found = 'id' in which ? sql`id = ${which.id}` : sql`scope = ${which.scope} and recipient = ${which.recipient}`
  const { rows } = await sql<OptOutRow>`
    delete from opt_outs where tenant_id = ${scope.tenantId} and ${found} returning ${columns}`.execute(tx)
  return rows[0]
}

export type OptOutFilter = { scope: string | null; recipient: string | null }

/** Opt-outs, newest first, one more than `limit` when there are more. */
export async function listOptOuts(
  tx: Tx,
  scope: Scope,
  filter: OptOutFilter,
  page: { limit: number; beforeId: string },
): Promise<OptOutRow[]> {
  // Each filter is a statement of its own: a plan that must also do without it could not go by its index.
  const ofScope = filter.scope === null ? sql`` : sql`and scope = ${filter.scope}`
  const ofRecipient = filter.recipient === null ? sql`` : sql`and recipient = ${filter.recipient}`
  const { rows } = await sql<OptOutRow>`
    select ${columns} from opt_outs
    where tenant_id = ${scope.tenantId} and id < ${page.beforeId} ${ofScope} ${ofRecipient}
    order by id desc limit ${page.limit + 1}`.execute(tx)
  return rows
}

/** What one recipient opted out of, the newest first, at most 100. */
export async function listOptOutsOf(tx: Tx, scope: Scope, recipient: string): Promise<OptOutRow[]> {
  const filter = { scope: null, recipient }
  return (await listOptOuts(tx, scope, filter, { limit: 100, beforeId: 'opt_z' })).slice(0, 100)
}

const copiedAtOnce = 20_000

/**
 * Lets the opt-outs of one scope count in another, too: in steps, each well within what a statement may take. An id keeps
 * the time of the one it was copied from.
 */
export async function copyOptOuts(tx: Tx, scope: Scope, from: string, to: string): Promise<void> {
  for (let behind = ''; ; ) {
    const { rows } = await sql<{ last: string | null; count: number }>`
      with step as materialized (
        select id, recipient, source, keyword, created_at from opt_outs
        where tenant_id = ${scope.tenantId} and scope = ${from} and recipient > ${behind}
        order by recipient limit ${copiedAtOnce}
      ), copied as (
        insert into opt_outs (tenant_id, id, scope, recipient, source, keyword, created_at)
        select ${scope.tenantId}, left(s.id, 14) || left(md5(s.id || ' ' || ${to}::text), 16), ${to}, s.recipient,
          s.source, s.keyword, s.created_at
        from step s
        on conflict on constraint opt_outs_recipient_of_scope do nothing
      )
      select max(recipient) as last, count(*) as count from step`.execute(tx)
    const { last, count } = rows[0]!
    if (last === null || count < copiedAtOnce) return
    behind = last
  }
}

export async function removeOptOutsOf(tx: Tx, scope: Scope, of: string): Promise<void> {
  await sql`delete from opt_outs where tenant_id = ${scope.tenantId} and scope = ${of}`.execute(tx)
}
