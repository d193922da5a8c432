// SQL of what happened to a call: its events, read only.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { CallState } from './rules.ts'

export type CallHistoryRow = {
  sequence: number
  type: string
  at: string
  state: CallState
  details: Record<string, string | number> | null
}

/** What happened to a call, oldest first: its events, without their snapshots. */
export async function listHistory(tx: Tx, { tenantId }: Scope, id: string): Promise<CallHistoryRow[]> {
  const { rows } = await sql<CallHistoryRow>`
    select sequence, type, data->>'occurredAt' as at, data->>'state' as state, data->'details' as details
    from events where tenant_id = ${tenantId} and resource_id = ${id} order by sequence`.execute(tx)
  return rows
}

/** An event of a call, whole. */
export type CallEventRow = { id: string; type: string; at: string; sequence: number; data: Record<string, unknown> }

/** The events of a call as webhooks report them, oldest first. */
export async function listCallEvents(tx: Tx, { tenantId }: Scope, id: string): Promise<CallEventRow[]> {
  const { rows } = await sql<CallEventRow>`
    select id, type, at, sequence, data from events
    where tenant_id = ${tenantId} and resource_id = ${id} order by sequence`.execute(tx)
  return rows
}

/** The queue in which a call waits, and since when. */
export type WaitsIn = { callId: string; queue: string; since: string }

/** Those of these calls that wait in a queue, by what was reported of them. */
export async function listWaiting(tx: Tx, { tenantId }: Scope, ids: readonly string[]): Promise<WaitsIn[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<WaitsIn>`
    select "callId", queue, since
    from (
      select distinct on (resource_id) resource_id as "callId", type, data->'details'->>'queue' as queue, data->>'occurredAt' as since
      from events
      where tenant_id = ${tenantId} and resource_id = any(${[...ids]}::text[]) and type in ('queue.entered', 'queue.left')
      order by resource_id, sequence desc
    ) last
    where type = 'queue.entered'`.execute(tx)
  return rows
}
