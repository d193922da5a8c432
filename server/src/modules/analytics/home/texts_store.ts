// Texts that wait for an answer: the last one of everybody who was sent nothing after it. The one place that says what waits.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { firstIdAt } from '../../../kernel/values/ids.ts'

export type WaitingText = {
  id: string
  from_address: string
  to_address: string
  body: string
  created_at: string
  redacted: boolean
}

/** Newest first, among the newest thousand that came in since then. @param sinceMs milliseconds since 1970 */
export async function listWaitingTexts(tx: Tx, _scope: Scope, sinceMs: number, most: number): Promise<WaitingText[]> {
  const { rows } = await sql<WaitingText>`
    select * from unanswered_messages(${firstIdAt('msg', sinceMs)}, ${most})`.execute(tx)
  return rows
}
