// SQL of conversations that somebody has.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../kernel/data/db.ts'

const hasThem = ({ tenantId }: Pick<Scope, 'tenantId'>, userId: number) =>
  sql`tenant_id = ${tenantId} and assignee_id = ${userId} and merged_into is null`

export async function countAssigned(tx: Tx, scope: Scope, userId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::float8 as count from conversations where ${hasThem(scope, userId)}`.execute(tx)
  return rows[0]!.count
}

/** Their ids, those that nobody wrote in for longest first. */
export async function listAssigned(tx: Tx, scope: Scope, userId: number, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from conversations where ${hasThem(scope, userId)} order by last_at, id limit ${limit}`.execute(tx)
  return rows.map(({ id }) => id)
}
