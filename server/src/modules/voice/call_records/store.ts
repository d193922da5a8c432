// SQL of the rows of calls. A change is written by compare-and-set on the state and sequence it was decided on.
//
// Order of locks, so that no two transactions wait for each other: calls that are not dialled yet; what was used of ceilings
// (organization, keys, trunks); paces of trunks; calls that are dialled; what belongs to calls: leases, commands, jobs, remote parties.
// Rows of one kind by their ids. What belongs to several calls is taken with these locked; else it is locked by ids, one kind only.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import type { Price } from '../../destinations/index.ts'
import type { StoredInstructions } from '../instructions/index.ts'
import { removeHoldings } from './jobs_store.ts'
import type { Call, CallStep } from './rules.ts'

export type NewCall = Pick<
  Call,
  | 'id'
  | 'direction'
  | 'from_number'
  | 'to_number'
  | 'caller_name'
  | 'callback_url'
  | 'timeout_seconds'
  | 'time_limit_seconds'
  | 'tags'
  | 'metadata'
  | 'created_at'
> &
  Partial<
    Pick<
      Call,
      | 'parent_call_id'
      | 'instructions'
      | 'fallback_url'
      | 'simulated'
      | 'fast_clock'
      | 'engine'
      | 'trunk_id'
      | 'dialed_at'
      | 'key_id'
      | 'counted'
    >
  >

/** Adds a call. Its row is `initialCall`: nothing in it needs to be read back. */
export async function insertCall(tx: Tx, { tenantId }: Scope, call: NewCall): Promise<void> {
  const { instructions = null, simulated = null, metadata } = call
  await tx
    .insertInto('calls')
    .values({
      ...call,
      tenant_id: tenantId,
      metadata: JSON.stringify(metadata),
      instructions: instructions === null ? null : JSON.stringify(instructions),
      simulated: simulated === null ? null : JSON.stringify(simulated),
      changed_at: call.created_at,
    })
    .execute()
}

/** The row of a call that was just created. */
export function initialCall({ tenantId }: Scope, call: NewCall): Call {
  return {
    parent_call_id: null,
    engine: null,
    trunk_id: null,
    instructions: null,
    fallback_url: null,
    simulated: null,
    fast_clock: false,
    bridged_to: null,
    reported: 0,
    dialed_at: null,
    key_id: null,
    counted: false,
    rate_micros: null,
    currency: null,
    ...call,
    tenant_id: tenantId,
    state: 'initiated',
    sequence: 1,
    early_media: false,
    answered_by: null,
    hangup_cause: null,
    hangup_by: null,
    sip_code: null,
    q850: null,
    outcome: null,
    outcome_by: null,
    outcome_at: null,
    ringing_at: null,
    answered_at: null,
    ended_at: null,
    changed_at: call.created_at,
  }
}

export async function findCall(tx: Tx, { tenantId }: Scope, id: string): Promise<Call | undefined> {
  const row = await tx
    .selectFrom('calls')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row as Call | undefined
}

/** Keeps what a call does now, to be read later: nothing is decided by it. */
export async function keepInstructions(tx: Tx, { tenantId }: Scope, id: string, list: StoredInstructions) {
  await sql`
    update calls set instructions = ${JSON.stringify(list)}::json where tenant_id = ${tenantId} and id = ${id}`.execute(
    tx,
  )
}

export type CallFilters = {
  state?: string
  from?: string
  to?: string
  direction?: string
  parentCallId?: string
  /** False for calls that no other call brought about. */
  legs?: boolean
  trunkId?: string
  outcome?: string
  /** Who called or was called, whichever way. */
  with?: string
  /** ISO times; after includes its moment, before does not. */
  createdAfter?: string
  createdBefore?: string
}

/** Newest first; `behind` is creation time and id of the last call of the page before. */
export async function listCalls(
  tx: Tx,
  { tenantId }: Scope,
  filters: CallFilters,
  behind: readonly [string, string] | undefined,
  limit: number,
): Promise<Call[]> {
  const { state, from, to, direction, parentCallId, legs, trunkId, outcome, createdAfter, createdBefore } = filters
  let query = tx.selectFrom('calls').selectAll().where('tenant_id', '=', tenantId)
  if (state !== undefined) query = query.where('state', '=', state)
  if (from !== undefined) query = query.where('from_number', '=', from)
  if (to !== undefined) query = query.where('to_number', '=', to)
  if (direction !== undefined) query = query.where('direction', '=', direction)
  if (parentCallId !== undefined) query = query.where('parent_call_id', '=', parentCallId)
  // What other calls bring about goes out: of calls that came in this leaves none away, and lets their index serve.
  if (legs === false || direction === 'inbound') query = query.where('parent_call_id', 'is', null)
  if (trunkId !== undefined) query = query.where('trunk_id', '=', trunkId)
  if (outcome !== undefined) query = query.where('outcome', '=', outcome)
  const { with: phone } = filters
  if (phone !== undefined)
    query = query.where(is => is.or([is('from_number', '=', phone), is('to_number', '=', phone)]))
  if (createdAfter !== undefined) query = query.where('created_at', '>=', createdAfter)
  if (createdBefore !== undefined) query = query.where('created_at', '<', createdBefore)
  if (behind !== undefined)
    query = query.where(sql<boolean>`(created_at, id) < (${behind[0]}::timestamptz, ${behind[1]})`)
  return (await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()) as Call[]
}

/** A call with the one that dialled it and all others which that one dialled, locked: the legs of one conversation. */
export async function lockLegs(tx: Tx, scope: Scope, id: string): Promise<Call[]> {
  const { rows } = await sql<{ id: string }>`
    with asked as (select coalesce(parent_call_id, id) as root from calls where tenant_id = ${scope.tenantId} and id = ${id})
    select c.id from asked join calls c on c.tenant_id = ${scope.tenantId} and (c.id = root or c.parent_call_id = root)`.execute(
    tx,
  )
  return lockCalls(
    tx,
    scope,
    rows.map(row => row.id),
  )
}

/**
 * Calls with their rows locked, in an order that no two transactions take differently. Rows that refer to them may be added meanwhile:
 * a leg that is being dialled does not wait for what is written about its parent.
 */
export async function lockCalls(tx: Tx, { tenantId }: Scope, ids: readonly string[]): Promise<Call[]> {
  const rows = await tx
    .selectFrom('calls')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`id = any(${[...ids]})`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows as Call[]
}

/**
 * Writes steps decided on locked calls, in the order they were decided: each call as its last step leaves it, and the
 * event of every step. Leases of calls that ended go, and commands that nobody has taken.
 * @param before the calls as they were locked
 */
export async function changeCalls(
  tx: Tx,
  scope: Scope,
  before: readonly Call[],
  steps: readonly CallStep[],
): Promise<void> {
  if (steps.length === 0) return
  const last = new Map(steps.map(({ call }) => [call.id, call]))
  const changes = before.flatMap(old => {
    const call = last.get(old.id)
    return call === undefined ? [] : [{ ...call, old_state: old.state, old_sequence: old.sequence }]
  })
  const over = [...last.values()].filter(call => call.ended_at !== null).map(call => call.id)
  const [{ numAffectedRows }] = await Promise.all([
    updateCalls(tx, scope, changes),
    emit(tx, scope, ...steps.map(step => step.event)),
    over.length === 0 ? undefined : removeHoldings(tx, scope, over),
  ])
  if (numAffectedRows !== BigInt(last.size)) throw new Error('a call changed although its row was locked')
}

function updateCalls(tx: Tx, { tenantId }: Scope, changes: readonly { id: string }[]) {
  // The ids by themselves, too: without them PostgreSQL expects more rows than there are, and reads the whole table while it is small.
  return sql`
    update calls c
    set state = n.state, sequence = n.sequence, early_media = n.early_media, answered_by = n.answered_by,
        hangup_cause = n.hangup_cause, hangup_by = n.hangup_by, sip_code = n.sip_code, q850 = n.q850,
        ringing_at = n.ringing_at, answered_at = n.answered_at, ended_at = n.ended_at,
        bridged_to = n.bridged_to, tags = n.tags, metadata = n.metadata, reported = n.reported, changed_at = n.changed_at,
        outcome = n.outcome, outcome_by = n.outcome_by, outcome_at = n.outcome_at
    from json_to_recordset(${JSON.stringify(changes)}::json) as n (id text, old_state text, old_sequence integer,
      state text, sequence integer, early_media boolean, answered_by text, hangup_cause text, hangup_by text,
      sip_code integer, q850 integer, ringing_at timestamptz, answered_at timestamptz, ended_at timestamptz,
      bridged_to text, tags text[], metadata json, reported integer, changed_at timestamptz,
      outcome text, outcome_by bigint, outcome_at timestamptz)
    where c.tenant_id = ${tenantId} and c.id = any(${changes.map(({ id }) => id)}::text[])
      and c.id = n.id and c.state = n.old_state and c.sequence = n.old_sequence`.execute(tx)
}

/** Calls that really wait to be dialled, locked: not canceled, not dialled before. */
export async function lockUndialed(tx: Tx, { tenantId }: Scope, ids: readonly string[]): Promise<Call[]> {
  const rows = await tx
    .selectFrom('calls')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`id = any(${[...ids]})`)
    .where('state', '=', 'initiated')
    .where('dialed_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows as Call[]
}

/** A call that is given to an engine: the trunk it goes by first, and what a minute of it costs. */
export type Dialed = { id: string; trunkId: string | null; price?: Price }

/** Marks locked calls as given to an engine. */
export async function markDialed(
  tx: Tx,
  { tenantId }: Scope,
  calls: readonly Dialed[],
  engine: string,
  at: string,
): Promise<Call[]> {
  if (calls.length === 0) return []
  const ids = calls.map(call => call.id)
  const { rows } = await sql<Call>`
    update calls c
    set engine = ${engine}, trunk_id = u.trunk_id, rate_micros = u.rate_micros, currency = u.currency, dialed_at = greatest(${at}::timestamptz, changed_at),
        changed_at = greatest(${at}::timestamptz, changed_at)
    from unnest(${ids}::text[], ${calls.map(call => call.trunkId)}::text[],
      ${calls.map(call => call.price?.micros ?? null)}::bigint[], ${calls.map(call => call.price?.currency ?? null)}::text[])
      as u (id, trunk_id, rate_micros, currency)
    where c.tenant_id = ${tenantId} and c.id = any(${ids}::text[]) and c.id = u.id
    returning c.*`.execute(tx)
  return rows
}
