// SQL of calls that were recorded.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../kernel/data/db.ts'

/** Those of these calls of which there is a recording, or will be in a moment. */
export async function recordedCalls(tx: Tx, { tenantId }: Scope, callIds: readonly string[]): Promise<Set<string>> {
  if (callIds.length === 0) return new Set()
  const { rows } = await sql<{ call_id: string }>`
    select distinct r.call_id from recordings r
    where r.tenant_id = ${tenantId} and r.call_id = any(${callIds}::text[]) and r.state not in ('absent', 'failed')`.execute(
    tx,
  )
  return new Set(rows.map(row => row.call_id))
}
