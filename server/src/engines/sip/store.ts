// All SQL of the SIP engine: calls as they are to be ended by whoever finds them, the pace of trunks, traces.
import type { PlannedCall, StoredCall } from '@tandem/sip'
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../kernel/db.ts'

export type SipCallRow = { call_id: string; trunk_id: string | null; stored: StoredCall | PlannedCall }

/** Calls that are about to be dialled; before anything leaves. */
export async function insertSipCalls(
  tx: Tx,
  { tenantId }: Scope,
  calls: readonly { callId: string; trunkId: string | null; stored: StoredCall | PlannedCall }[],
): Promise<void> {
  await sql`
    insert into sip_calls (tenant_id, call_id, trunk_id, stored)
    select ${tenantId}, call_id, trunk_id, stored
    from json_to_recordset(${JSON.stringify(
      calls.map(({ callId, trunkId, stored }) => ({ call_id: callId, trunk_id: trunkId, stored })),
    )}::json) as c (call_id text, trunk_id text, stored json)`.execute(tx)
}

export async function updateSipCall(
  tx: Tx,
  { tenantId }: Scope,
  callId: string,
  { trunkId, stored }: { trunkId: string | null; stored: StoredCall },
): Promise<void> {
  await sql`
    update sip_calls set stored = ${JSON.stringify(stored)}::json, trunk_id = ${trunkId}, updated_at = clock_timestamp()
    where tenant_id = ${tenantId} and call_id = ${callId}`.execute(tx)
}

export async function findSipCall(tx: Tx, { tenantId }: Scope, callId: string): Promise<SipCallRow | undefined> {
  const { rows } = await sql<SipCallRow>`
    select call_id, trunk_id, stored from sip_calls where tenant_id = ${tenantId} and call_id = ${callId}`.execute(tx)
  return rows[0]
}

export async function removeSipCalls(tx: Tx, { tenantId }: Scope, callIds: readonly string[]): Promise<void> {
  await sql`delete from sip_calls where tenant_id = ${tenantId} and call_id = any(${[...callIds]})`.execute(tx)
}

/**
 * Takes a turn for the next call of a trunk: null when it may begin now, else after how many ms to ask again. Turns are
 * counted over all processes.
 */
export async function takeTurn(
  tx: Tx,
  { tenantId }: Scope,
  trunkId: string,
  { callsPerSecond, concurrentCalls }: { callsPerSecond: number; concurrentCalls: number },
): Promise<number | null> {
  const { rows } = await sql<{ wait_ms: number | null }>`
    with pace as (
      insert into trunk_paces as p (tenant_id, trunk_id, next_at)
      values (${tenantId}, ${trunkId}, clock_timestamp())
      on conflict on constraint trunk_paces_pkey do update set next_at = p.next_at
      returning next_at
    ), live as (
      select count(*) as calls from calls where tenant_id = ${tenantId} and trunk_id = ${trunkId} and ended_at is null
    ), judged as (
      select case
        when live.calls >= ${concurrentCalls} then 1000
        when pace.next_at > clock_timestamp()
          then greatest(1, ceil(extract(epoch from pace.next_at - clock_timestamp()) * 1000))
      end as wait_ms from pace, live
    ), taken as (
      update trunk_paces p
      set next_at = greatest(p.next_at, clock_timestamp()) + make_interval(secs => ${1 / callsPerSecond})
      from judged where p.tenant_id = ${tenantId} and p.trunk_id = ${trunkId} and judged.wait_ms is null
    )
    select wait_ms::float8 from judged`.execute(tx)
  return rows[0]?.wait_ms ?? null
}

/** The tenants of live mode that have a number. */
export function numberOwners(db: Db, phone: string): Promise<{ tenant_id: number; organization_id: number }[]> {
  return db.call('number_owners', 'select * from number_owners($1)', [phone])
}

export type TraceRow = {
  call_id: string
  position: number
  at: string
  direction: 'sent' | 'received'
  transport: string
  remote: string
  message: string
}

export async function insertTraces(tx: Tx, { tenantId }: Scope, rows: readonly TraceRow[]): Promise<void> {
  await sql`
    insert into call_traces (tenant_id, call_id, position, at, direction, transport, remote, message)
    select ${tenantId}, call_id, position, at, direction, transport, remote, message
    from json_to_recordset(${JSON.stringify(rows)}::json) as t (call_id text, position integer, at timestamptz,
      direction text, transport text, remote text, message text)
    on conflict do nothing`.execute(tx)
}
