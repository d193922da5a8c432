// The calls with one person, for the timeline.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { Call } from './rules.ts'

/**
 * Calls to a number and from it, newest first, in the tenant of the transaction.
 * @param phone E.164
 * @param behind time and id of the call behind which to go on
 */
export async function listCallsWith(
  tx: Tx,
  { tenantId }: Scope,
  phone: string,
  behind: readonly [at: string, id: string] | undefined,
  limit: number,
): Promise<Call[]> {
  const [at, id] = behind ?? ['infinity', '']
  const { rows } = await sql<Call>`
    select * from calls_with(${phone}, ${at}, ${id}, ${limit})
    where tenant_id = ${tenantId} order by created_at desc, id desc`.execute(tx)
  return rows
}
