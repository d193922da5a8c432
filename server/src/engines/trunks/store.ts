// SQL of calls by trunks: the pace of trunks, the way a call takes, traces.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../kernel/data/db.ts'
import { textColumn } from '../../kernel/data/pg_array.ts'
import type { Way } from '../../modules/destinations/index.ts'

/** Calls that were not started while a trunk was idle may be made up for, as far as this many seconds go. */
const burstSeconds = 0.1
/** Room comes when calls end; nobody says when. */
const fullMs = 500
/** Every call that waits asks again within this time, however many wait: the trunk may be set up otherwise by then. */
const longestWaitMs = 30_000
/** Where nobody has asked for so long, those who were to ask are gone. */
const forsakenMs = 1_000

/** How many calls may start, the first of them after `startMs`; and after how many ms each of the others is to ask again. */
export type CallTokens = { tokens: number; startMs: number; waits: number[] }

/**
 * Takes tokens for the next calls of a trunk, at most `wanted`, for as many as may start within `aheadMs`. Each call that gets none is
 * given a time of its own to ask again, behind those that wait already, as calls start one after the other: all at once would ask for
 * nothing, over and over. Tokens are counted over all processes: who asks at the same time waits for this transaction.
 */
export async function takeCallTokens(
  tx: Tx,
  { tenantId }: Scope,
  trunkId: string,
  { callsPerSecond, concurrentCalls }: { callsPerSecond: number; concurrentCalls: number },
  wanted: number,
  aheadMs = 0,
): Promise<CallTokens> {
  // The lock first: only what is asked behind it sees the calls of those who had it before. Both leave together.
  const locked = sql`
    insert into trunk_paces (tenant_id, trunk_id, next_at) values (${tenantId}, ${trunkId}, clock_timestamp())
    on conflict on constraint trunk_paces_pkey do update set next_at = trunk_paces.next_at`.execute(tx)
  const spacingMs = 1_000 / callsPerSecond
  const leastMs = Math.min(0, spacingMs - 1_000 * burstSeconds)
  // Who may start ahead goes elsewhere if it may not.
  const mayWait = aheadMs === 0
  const taken = sql<{ tokens: number; from_ms: number; again_ms: number }>`
    with state as (
      select greatest(extract(epoch from next_at - clock_timestamp())::float8 * 1000, ${leastMs}::float8) as from_ms,
        case when next_at < clock_timestamp() - ${forsakenMs + spacingMs}::float8 * interval '1 millisecond' then 0
          else greatest(0, extract(epoch from asking_at - clock_timestamp())::float8 * 1000) end as asking_ms,
        ${concurrentCalls}::integer - (select count(*)::integer from calls
          where tenant_id = ${tenantId} and trunk_id = ${trunkId} and ended_at is null) as room
      from trunk_paces where tenant_id = ${tenantId} and trunk_id = ${trunkId}
    ), given as (
      select from_ms, asking_ms, room, greatest(0, least(${wanted}::integer, room,
        case when from_ms > ${aheadMs}::float8 then 0
          else 1 + floor((${aheadMs}::float8 - from_ms) / ${spacingMs}::float8)::integer end)) as tokens from state
    ), next as (
      select *, from_ms + tokens * ${spacingMs}::float8 as next_ms,
        case when ${mayWait} then ${wanted}::integer - tokens else 0 end as waiting from given
    ), line as (
      select *, greatest(1, asking_ms, case when room <= tokens then ${fullMs}::float8 else next_ms end) as again_ms from next
    )
    update trunk_paces
    set next_at = clock_timestamp() + next_ms * interval '1 millisecond',
      asking_at = clock_timestamp() + interval '1 millisecond' * case when waiting = 0 then asking_ms
        else least(again_ms + waiting * ${spacingMs}::float8, ${longestWaitMs}::float8) end
    from line where tenant_id = ${tenantId} and trunk_id = ${trunkId}
    returning tokens, from_ms, again_ms`.execute(tx)
  const [{ rows }] = await Promise.all([taken, locked])
  const { tokens = 0, from_ms: fromMs = 0, again_ms: againMs = 0 } = rows[0] ?? {}
  const waits = Array.from({ length: mayWait ? wanted - tokens : 0 }, (_, k) => waitUntil(againMs + k * spacingMs, k))
  return { tokens, startMs: Math.max(0, Math.ceil(fromMs)), waits }
}

const goldenRatio = 0.618034

/** Those for whom there is no time within the longest wait come again evenly over the second half of it, however many they are. */
function waitUntil(ms: number, position: number): number {
  const share = (position * goldenRatio) % 1
  return Math.ceil(ms < longestWaitMs ? ms : (longestWaitMs * (1 + share)) / 2)
}

/** How many calls of a trunk other processes than this carry. */
export async function callsElsewhere(tx: Tx, { tenantId }: Scope, trunkId: string, owner: string): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    select count(*)::integer as calls from calls c
    join call_leases l on l.tenant_id = c.tenant_id and l.call_id = c.id and l.owner <> ${owner}
    where c.tenant_id = ${tenantId} and c.trunk_id = ${trunkId} and c.ended_at is null`.execute(tx)
  return rows[0]?.calls ?? 0
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

/** As arrays of texts in binary form: as JSON, PostgreSQL would read every message character by character. */
export async function insertTraces(tx: Tx, { tenantId }: Scope, rows: readonly TraceRow[]): Promise<void> {
  await sql`
    insert into call_traces (tenant_id, call_id, position, at, direction, transport, remote, message)
    select ${tenantId}, t.* from unnest(${textColumn(rows, row => row.call_id)}::text[],
      ${rows.map(row => row.position)}::integer[], ${rows.map(row => row.at)}::timestamptz[],
      ${textColumn(rows, row => row.direction)}::text[], ${textColumn(rows, row => row.transport)}::text[],
      ${textColumn(rows, row => row.remote)}::text[], ${textColumn(rows, row => row.message)}::text[]) as t
    on conflict do nothing`.execute(tx)
}
