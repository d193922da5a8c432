// All SQL of calls by trunks: what ends each, for whoever finds it; the pace of trunks; traces.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../kernel/db.ts'
import type { Way } from '../../modules/destinations/index.ts'
import type { CallRef } from '../../modules/voice/engine.ts'

export type StoredRow = { call_id: string; trunk_id: string | null; stored: object }

/** Calls that are about to be dialled; before anything leaves. */
export async function insertStoredCalls(
  tx: Tx,
  { tenantId }: Scope,
  calls: readonly { callId: string; trunkId: string | null; stored: object }[],
): Promise<void> {
  await sql`
    insert into sip_calls (tenant_id, call_id, trunk_id, stored)
    select ${tenantId}, call_id, trunk_id, stored
    from json_to_recordset(${recordsOf(calls)}::json) as c (call_id text, trunk_id text, stored json)`.execute(tx)
}

export async function updateStoredCalls(
  tx: Tx,
  { tenantId }: Scope,
  calls: readonly { callId: string; trunkId: string | null; stored: object }[],
): Promise<void> {
  await sql`
    update sip_calls s set stored = c.stored, trunk_id = c.trunk_id, updated_at = clock_timestamp()
    from json_to_recordset(${recordsOf(calls)}::json) as c (call_id text, trunk_id text, stored json)
    where s.tenant_id = ${tenantId} and s.call_id = c.call_id`.execute(tx)
}

function recordsOf(calls: readonly { callId: string; trunkId: string | null; stored: object }[]): string {
  return JSON.stringify(calls.map(({ callId, trunkId, stored }) => ({ call_id: callId, trunk_id: trunkId, stored })))
}

export async function findStoredCall(tx: Tx, { tenantId }: Scope, callId: string): Promise<StoredRow | undefined> {
  const { rows } = await sql<StoredRow>`
    select call_id, trunk_id, stored from sip_calls where tenant_id = ${tenantId} and call_id = ${callId}`.execute(tx)
  return rows[0]
}

export async function removeStoredCalls(tx: Tx, { tenantId }: Scope, callIds: readonly string[]): Promise<void> {
  await sql`delete from sip_calls where tenant_id = ${tenantId} and call_id = any(${[...callIds]})`.execute(tx)
}

/** Calls of all tenants that have been over for so long, and are still stored; without those in `held`. */
export async function listForgottenCalls(db: Db, overSeconds: number, held: readonly string[]): Promise<CallRef[]> {
  const rows = await db.work<{ tenant_id: number; organization_id: number; call_id: string }>(
    'forgotten_calls',
    'select * from forgotten_calls($1, $2, 200)',
    [overSeconds, held],
  )
  return rows.map(row => ({ tenantId: row.tenant_id, organizationId: row.organization_id, callId: row.call_id }))
}

/** Calls that were not begun while a trunk was idle may be made up for, as far as this many seconds go. */
const burstSeconds = 0.1

/**
 * Takes turns for the next calls of a trunk, at most `wanted`: how many may begin now, and after how many ms to ask again for
 * the others. Turns are counted over all processes: who asks at the same time waits for this transaction.
 */
export async function takeTurns(
  tx: Tx,
  { tenantId }: Scope,
  trunkId: string,
  { callsPerSecond, concurrentCalls }: { callsPerSecond: number; concurrentCalls: number },
  wanted: number,
): Promise<{ turns: number; waitMs: number }> {
  // The lock first: only what is asked behind it sees the calls of those who had it before. Both leave together.
  const locked = sql`
    insert into trunk_paces (tenant_id, trunk_id, next_at) values (${tenantId}, ${trunkId}, clock_timestamp())
    on conflict on constraint trunk_paces_pkey do update set next_at = trunk_paces.next_at`.execute(tx)
  const spacingMs = 1_000 / callsPerSecond
  const leastMs = Math.min(0, spacingMs - 1_000 * burstSeconds)
  const taken = sql<{ turns: number; next_ms: number; room: number }>`
    with state as (
      select greatest(extract(epoch from next_at - clock_timestamp())::float8 * 1000, ${leastMs}::float8) as from_ms,
        ${concurrentCalls}::integer - (select count(*)::integer from calls
          where tenant_id = ${tenantId} and trunk_id = ${trunkId} and ended_at is null) as room
      from trunk_paces where tenant_id = ${tenantId} and trunk_id = ${trunkId}
    ), given as (
      select from_ms, room, greatest(0, least(${wanted}::integer, room,
        case when from_ms > 0 then 0 else 1 + floor(-from_ms / ${spacingMs}::float8)::integer end)) as turns from state
    )
    update trunk_paces
    set next_at = clock_timestamp() + (from_ms + turns * ${spacingMs}::float8) * interval '1 millisecond'
    from given where tenant_id = ${tenantId} and trunk_id = ${trunkId}
    returning turns, from_ms + turns * ${spacingMs}::float8 as next_ms, room`.execute(tx)
  const [{ rows }] = await Promise.all([taken, locked])
  const { turns = 0, next_ms: nextMs = 0, room = 0 } = rows[0] ?? {}
  // Room comes when calls end; nobody says when.
  return { turns, waitMs: room <= turns ? 500 : Math.max(1, Math.ceil(nextMs)) }
}

/** The call goes by another trunk than it was to, and costs what it does there. */
export async function moveCall(tx: Tx, { tenantId }: Scope, callId: string, { trunkId, price }: Way): Promise<void> {
  await sql`
    update calls set trunk_id = ${trunkId}, rate_micros = ${price.micros}, currency = ${price.currency}
    where tenant_id = ${tenantId} and id = ${callId} and ended_at is null`.execute(tx)
}

/** Those of these numbers that are the tenant's own and make calls. */
export async function ownNumbersAmong(tx: Tx, { tenantId }: Scope, phones: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ address: string }>`
    select address from numbers where tenant_id = ${tenantId} and address = any(${[...phones]}) and voice
      and ownership is distinct from 'contested'`.execute(tx)
  return new Set(rows.map(row => row.address))
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
