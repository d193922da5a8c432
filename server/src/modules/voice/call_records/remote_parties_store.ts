// SQL of what ends the remote party of a call, for the process that finds it after a crash: an engine says what that is, and reads it.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import type { CallRef } from './rules.ts'

export type RemotePartyRow = { call_id: string; trunk_id: string | null; stored: object }

/** Writes what ends the remote party of each call: of one that is dialled, before anything leaves. */
export async function insertRemoteParties(
  tx: Tx,
  { tenantId }: Scope,
  calls: readonly { callId: string; trunkId: string | null; stored: object }[],
): Promise<void> {
  await sql`
    insert into sip_calls (tenant_id, call_id, trunk_id, stored)
    select ${tenantId}, call_id, trunk_id, stored
    from json_to_recordset(${recordsOf(calls)}::json) as c (call_id text, trunk_id text, stored json)`.execute(tx)
}

export async function updateRemoteParties(
  tx: Tx,
  { tenantId }: Scope,
  calls: readonly { callId: string; trunkId: string | null; stored: object }[],
): Promise<void> {
  await sql`
    update sip_calls s set stored = c.stored, trunk_id = c.trunk_id, updated_at = clock_timestamp()
    from json_to_recordset(${recordsOf(calls)}::json) as c (call_id text, trunk_id text, stored json),
      ${lockedInOrder(
        tenantId,
        calls.map(({ callId }) => callId),
      )} l
    where s.tenant_id = ${tenantId} and s.call_id = l.call_id and c.call_id = l.call_id`.execute(tx)
}

/** Rows of these calls by their ids: some are written while others are removed, and neither locks the calls. */
function lockedInOrder(tenantId: number, callIds: readonly string[]) {
  return sql`(
    select call_id from sip_calls where tenant_id = ${tenantId} and call_id = any(${[...callIds]}::text[])
    order by call_id for update)`
}

function recordsOf(calls: readonly { callId: string; trunkId: string | null; stored: object }[]): string {
  return JSON.stringify(calls.map(({ callId, trunkId, stored }) => ({ call_id: callId, trunk_id: trunkId, stored })))
}

export async function findRemoteParty(
  tx: Tx,
  { tenantId }: Scope,
  callId: string,
): Promise<RemotePartyRow | undefined> {
  const { rows } = await sql<RemotePartyRow>`
    select call_id, trunk_id, stored from sip_calls where tenant_id = ${tenantId} and call_id = ${callId}`.execute(tx)
  return rows[0]
}

export async function removeRemoteParties(tx: Tx, { tenantId }: Scope, callIds: readonly string[]): Promise<void> {
  await sql`
    delete from sip_calls s using ${lockedInOrder(tenantId, callIds)} l
    where s.tenant_id = ${tenantId} and s.call_id = l.call_id`.execute(tx)
}

/** Calls of all tenants that have been over for so long, and are still stored; without those in `held`. */
export async function listForgottenRemoteParties(
  db: Db,
  overSeconds: number,
  held: readonly string[],
): Promise<CallRef[]> {
  const rows = await db.work<{ tenant_id: number; organization_id: number; call_id: string }>(
    'forgotten_calls',
    'select * from forgotten_calls($1, $2, 200)',
    [overSeconds, held],
  )
  return rows.map(row => ({ tenantId: row.tenant_id, organizationId: row.organization_id, callId: row.call_id }))
}
