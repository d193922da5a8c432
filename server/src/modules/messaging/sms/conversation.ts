// What was written to one person and what they wrote, for whoever tells their story.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/db.ts'
import { messageColumns } from './reading.ts'
import type { MessageRow } from './rules.ts'

/**
 * Messages to a number and inbound ones from it, newest first, in the tenant of the transaction.
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
  const { rows } = await sql<MessageRow>`
    select ${messageColumns} from messages_with(${phone}, ${at}, ${id}, ${limit})
    where tenant_id = ${tenantId} order by created_at desc, id desc`.execute(tx)
  return rows
}
