// SQL of how long an organization keeps what, and of the purges that follow from it.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import type { RetentionClass } from './classes.ts'
import type { AgedTable, EndedKind } from './rules.ts'

export type PolicyRow = { days: Partial<Record<RetentionClass, number>>; version: number }

export async function findRetention(tx: Tx, { organizationId }: Scope): Promise<PolicyRow> {
  const { rows } = await sql<PolicyRow>`
    select days, version from retention_policies where organization_id = ${organizationId}`.execute(tx)
  return rows[0] ?? { days: {}, version: 1 }
}

/** The same, and nobody else changes it before the transaction ends. */
export async function lockRetention(tx: Tx, { organizationId }: Scope): Promise<PolicyRow> {
  await sql`insert into retention_policies (organization_id) values (${organizationId}) on conflict do nothing`.execute(
    tx,
  )
  const { rows } = await sql<PolicyRow>`
    select days, version from retention_policies where organization_id = ${organizationId} for update`.execute(tx)
  return rows[0]!
}

export async function changeRetention(tx: Tx, { organizationId }: Scope, days: PolicyRow['days']): Promise<PolicyRow> {
  const { rows } = await sql<PolicyRow>`
    update retention_policies set days = ${JSON.stringify(days)}::jsonb, version = version + 1, updated_at = clock_timestamp()
    where organization_id = ${organizationId} returning days, version`.execute(tx)
  return rows[0]!
}

/** Tenants with rows of a table that are older than they are kept, and for how many days each keeps them. */
export function listDue(db: Db, of: AgedTable, defaultDays: number): Promise<{ tenant_id: number; days: number }[]> {
  const text = 'select * from due_for_retention($1, $2, $3, $4)'
  return db.work('due_for_retention', text, [of.table, of.prefix, of.in, defaultDays])
}

/** Looks at the next old rows of a tenant, at most so many: how many these were, and how many of them went. */
export async function purgeSome(
  db: Db,
  of: AgedTable,
  due: { tenant_id: number; days: number },
  limit: number,
): Promise<{ seen: number; gone: number }> {
  const text = 'select * from purge_by_age($1, $2, $3, $4, $5)'
  const values = [of.table, of.prefix, due.tenant_id, due.days, limit]
  const [row] = await db.work<{ seen: number; gone: number }>('purge_by_age', text, values)
  return row ?? { seen: 0, gone: 0 }
}

/** Deletes what ended so many days ago, at most so many rows of each kind: how many went, by kind. */
export function purgeEnded(
  db: Db,
  days: { ofSessions: number; ofWork: number },
  limit: number,
): Promise<{ kind: EndedKind; gone: number }[]> {
  const text = 'select * from purge_finished($1, $2, $3)'
  return db.work('purge_finished', text, [days.ofSessions, days.ofWork, limit])
}
