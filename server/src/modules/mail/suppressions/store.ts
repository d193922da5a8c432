// SQL of the suppression list. What sending asks of it stands with the mails.
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import { resourceRows } from '../../../kernel/resource/rows.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { presentSuppression } from './schemas.ts'

export type SuppressionRow = {
  id: string
  address: string
  /** Empty: of all streams. */
  stream: string
  reason: 'hard_bounce' | 'complaint' | 'unsubscribe' | 'manual'
  note: string | null
  mail_id: string | null
  created_at: string
}

export const suppressions = resourceRows<SuppressionRow, 'address' | 'reason'>({
  table: 'mail_suppressions',
  columns: 'r.id, r.address, r.stream, r.reason, r.note, r.mail_id, r.created_at',
  filters: { address: 'address', reason: 'reason' },
})

export type NewSuppression = Pick<SuppressionRow, 'address' | 'stream' | 'reason' | 'note'> & { mailId: string | null }

/** Adds an address to the list with its event; undefined where it is there already. */
export async function suppress(
  tx: Tx,
  scope: Scope,
  { mailId, ...entry }: NewSuppression,
  nowMs: number,
): Promise<SuppressionRow | undefined> {
  const values = { id: newId('sup'), ...entry, mail_id: mailId, created_at: isoMs(nowMs) }
  const row = await suppressions.insert(tx, scope, values, 'mail_suppressions_address')
  if (row !== undefined)
    await emit(tx, scope, { type: 'mail_suppression.created', resourceId: row.id, data: presentSuppression(row) })
  return row
}
