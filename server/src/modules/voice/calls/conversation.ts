// The calls with one person, for whoever tells their story.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/db.ts'
import type { Call } from './rules.ts'

/**
 * Calls to a number and from it, newest first; each arm is read by its own index.
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
  // In milliseconds, as times are told; the bound before it is what the index takes.
  const shownAt = sql`date_trunc('milliseconds', created_at)`
  const arm = (column: 'to_number' | 'from_number') => sql`(
    select * from calls
    where tenant_id = ${tenantId} and ${sql.ref(column)} = ${phone}
      and created_at < ${at}::timestamptz + interval '1 millisecond'
      and (${shownAt}, id) < (${at}::timestamptz, ${id}::text)
    order by created_at desc, id desc limit ${limit})`
  const { rows } = await sql<Call>`
    select * from (${arm('to_number')} union all ${arm('from_number')}) as both_ways
    order by created_at desc, id desc limit ${2 * limit}`.execute(tx)
  return rows.filter((row, index) => row.id !== rows[index - 1]?.id).slice(0, limit)
}
