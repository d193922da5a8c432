// SQL of the SIP messages of calls.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'

export type TraceRow = {
  position: number
  at: string
  direction: 'sent' | 'received'
  transport: 'udp' | 'tcp' | 'tls'
  /** Address and port of the remote party. */
  remote: string
  /** The whole message. */
  message: string
}

/** The messages of a call, oldest first; undefined when there is no such call. */
export async function listTrace(tx: Tx, { tenantId }: Scope, callId: string): Promise<TraceRow[] | undefined> {
  const { rows } = await sql<TraceRow | { position: null }>`
    select t.position, t.at, t.direction, t.transport, t.remote, t.message
    from calls c left join call_traces t on t.tenant_id = c.tenant_id and t.call_id = c.id
    where c.tenant_id = ${tenantId} and c.id = ${callId} order by t.position`.execute(tx)
  if (rows.length === 0) return undefined
  return rows.filter((row): row is TraceRow => row.position !== null)
}

/**
 * Deletes at most `limit` rows of SIP messages of calls that ended `traceDays` ago, and of what processes that died left of
 * calls that ended a day ago. @returns how many
 */
export async function purgeCallRows(db: Db, traceDays: number, limit: number): Promise<number> {
  const text = 'select purge_calls($1, $2) as gone'
  const rows = await db.work<{ gone: number }>('purge_calls', text, [traceDays, limit])
  return rows[0]?.gone ?? 0
}
