// What was written to one person and what they wrote, for whoever tells their story.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/db.ts'
import type { MessageRow } from './rules.ts'
import { messageColumns } from './store.ts'

/**
 * Messages to a number and inbound ones from it, newest first; each arm is read by its own index.
 * @param phone E.164
 * @param behind time and id of the message behind which to go on
 */
export async function listMessagesWith(
  tx: Tx,
  { tenantId }: Scope,
  phone: string,
  behind: readonly [at: string, id: string] | undefined,
  limit: number,
): Promise<MessageRow[]> {
  const [at, id] = behind ?? ['infinity', '']
  const arm = (column: 'to_address' | 'from_address') => {
    const address = sql.ref(column)
    return sql`(
      select * from messages
      where tenant_id = ${tenantId} and hashtextextended(${address}, tenant_id) = hashtextextended(${phone}, ${tenantId}::bigint)
        and ${address} = ${phone} ${column === 'from_address' ? sql`and direction = 'inbound'` : sql``}
        and created_at <= ${at}::timestamptz and (created_at, id) < (${at}::timestamptz, ${id}::text)
      order by created_at desc, id desc limit ${limit})`
  }
  const { rows } = await sql<MessageRow>`
    select ${messageColumns} from (${arm('to_address')} union all ${arm('from_address')}) as both_ways
    order by created_at desc, id desc limit ${2 * limit}`.execute(tx)
  // One that somebody wrote to themselves stands in both arms.
  return rows.filter((row, index) => row.id !== rows[index - 1]?.id).slice(0, limit)
}
