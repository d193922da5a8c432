// All SQL of calls: their rows, the jobs that ask engines to do something, and the leases of engines that hold calls in
// memory. A change is written by compare-and-set on the state and sequence it was decided on.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/db.ts'
import { emit } from '../../../kernel/events.ts'
import type { Price } from '../../destinations/index.ts'
import type { CallRef, ClientWord } from '../engine.ts'
import type { StoredInstructions } from '../stored_instructions.ts'
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
  trunkId?: string
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
  const { state, from, to, direction, parentCallId, trunkId, createdAfter, createdBefore } = filters
  let query = tx.selectFrom('calls').selectAll().where('tenant_id', '=', tenantId)
  if (state !== undefined) query = query.where('state', '=', state)
  if (from !== undefined) query = query.where('from_number', '=', from)
  if (to !== undefined) query = query.where('to_number', '=', to)
  if (direction !== undefined) query = query.where('direction', '=', direction)
  if (parentCallId !== undefined) query = query.where('parent_call_id', '=', parentCallId)
  if (trunkId !== undefined) query = query.where('trunk_id', '=', trunkId)
  const { with: phone } = filters
  if (phone !== undefined)
    query = query.where(is => is.or([is('from_number', '=', phone), is('to_number', '=', phone)]))
  if (createdAfter !== undefined) query = query.where('created_at', '>=', createdAfter)
  if (createdBefore !== undefined) query = query.where('created_at', '<', createdBefore)
  if (behind !== undefined)
    query = query.where(sql<boolean>`(created_at, id) < (${behind[0]}::timestamptz, ${behind[1]})`)
  return (await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()) as Call[]
}

/** Calls with their rows locked, in an order that no two transactions take differently. */
export async function lockCalls(tx: Tx, { tenantId }: Scope, ids: readonly string[]): Promise<Call[]> {
  const rows = await tx
    .selectFrom('calls')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`id = any(${[...ids]})`)
    .orderBy('id')
    .forUpdate()
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

function updateCalls(tx: Tx, { tenantId }: Scope, changes: readonly object[]) {
  return sql`
    update calls c
    set state = n.state, sequence = n.sequence, early_media = n.early_media, answered_by = n.answered_by,
        hangup_cause = n.hangup_cause, hangup_by = n.hangup_by, sip_code = n.sip_code, q850 = n.q850,
        ringing_at = n.ringing_at, answered_at = n.answered_at, ended_at = n.ended_at,
        bridged_to = n.bridged_to, tags = n.tags, metadata = n.metadata, reported = n.reported, changed_at = n.changed_at
    from json_to_recordset(${JSON.stringify(changes)}::json) as n (id text, old_state text, old_sequence integer,
      state text, sequence integer, early_media boolean, answered_by text, hangup_cause text, hangup_by text,
      sip_code integer, q850 integer, ringing_at timestamptz, answered_at timestamptz, ended_at timestamptz,
      bridged_to text, tags text[], metadata json, reported integer, changed_at timestamptz)
    where c.tenant_id = ${tenantId} and c.id = n.id and c.state = n.old_state and c.sequence = n.old_sequence`.execute(
    tx,
  )
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
    .forUpdate()
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
  const { rows } = await sql<Call>`
    update calls c
    set engine = ${engine}, trunk_id = u.trunk_id, rate_micros = u.rate_micros, currency = u.currency, dialed_at = greatest(${at}::timestamptz, changed_at),
        changed_at = greatest(${at}::timestamptz, changed_at)
    from unnest(${calls.map(call => call.id)}::text[], ${calls.map(call => call.trunkId)}::text[],
      ${calls.map(call => call.price?.micros ?? null)}::bigint[], ${calls.map(call => call.price?.currency ?? null)}::text[])
      as u (id, trunk_id, rate_micros, currency)
    where c.tenant_id = ${tenantId} and c.id = u.id
    returning c.*`.execute(tx)
  return rows
}

/** Puts jobs off whose lease is ours: their calls wait for room, or for their node. */
export async function delayJobs(
  tx: Tx,
  { tenantId }: Scope,
  token: string,
  kind: CallJob['kind'],
  delays: readonly { callId: string; ms: number }[],
): Promise<void> {
  if (delays.length === 0) return
  await sql`
    update call_jobs j set due_at = clock_timestamp() + u.ms * interval '1 millisecond', lease_token = null
    from unnest(${delays.map(delay => delay.callId)}::text[], ${delays.map(delay => delay.ms)}::float8[]) as u (id, ms)
    where j.tenant_id = ${tenantId} and j.call_id = u.id and j.kind = ${kind} and j.lease_token = ${token}`.execute(tx)
}

export async function insertOriginateJob(tx: Tx, { tenantId }: Scope, callId: string): Promise<void> {
  await sql`insert into call_jobs (tenant_id, call_id, kind) values (${tenantId}, ${callId}, 'originate')`.execute(tx)
}

/**
 * Asks for something to be done about dialled calls: by the node that holds each, or by any where it is held by none. To be
 * called before the leases of calls that ended are removed. A node that has died does nothing: its jobs are anybody's when they are old,
 * and as old as its last heartbeat, so that a far side is not let wait longer for having been hung up by the API.
 */
export async function insertHangupJobs(tx: Tx, scope: Scope, calls: readonly Call[]): Promise<void> {
  await insertJobs(tx, scope, calls, 'hangup')
}

async function insertJobs(tx: Tx, { tenantId }: Scope, calls: readonly Call[], kind: 'hangup' | 'command') {
  const dialed = calls.filter(call => call.engine !== null)
  if (dialed.length === 0) return
  await sql`
    insert into call_jobs (tenant_id, call_id, kind, engine, owner, created_at)
    select ${tenantId}, c.id, ${kind}, c.engine, l.owner, coalesce(l.heartbeat_at, clock_timestamp())
    from unnest(${dialed.map(call => call.id)}::text[], ${dialed.map(call => call.engine)}::text[]) as c (id, engine)
    left join call_leases l on l.tenant_id = ${tenantId} and l.call_id = c.id
    on conflict on constraint call_jobs_pkey do update set due_at = clock_timestamp(), lease_token = null`.execute(tx)
}

/** What the node that holds a call is asked to do with it. */
export type Command =
  /** New instructions: a list, or a sealed text where it holds secrets. */
  | { kind: 'instructions'; instructions: readonly unknown[] | string }
  | ({ kind: 'participant' } & ParticipantChange)
  /** What the browser at the far side says. */
  | { kind: 'client'; word: ClientWord }

/** What is to change about a call in a conference. */
export type ParticipantChange = { conferenceId: string; muted?: boolean; held?: boolean; removed?: boolean }

/** Asks for something to be done with a locked call, by the node that holds it; one that is not dialled yet keeps it. */
export async function insertCommand(tx: Tx, scope: Scope, call: Call, id: string, command: Command): Promise<void> {
  await sql`
    insert into call_commands (tenant_id, id, call_id, command)
    values (${scope.tenantId}, ${id}, ${call.id}, ${JSON.stringify(command)})`.execute(tx)
  await insertJobs(tx, scope, [call], 'command')
}

export type CallCommand = { id: string; call_id: string; command: Command }

/** Takes the commands of these calls out, oldest first. */
export async function takeCommands(tx: Tx, { tenantId }: Scope, callIds: readonly string[]): Promise<CallCommand[]> {
  if (callIds.length === 0) return []
  const { rows } = await sql<CallCommand>`
    with taken as (
      delete from call_commands where tenant_id = ${tenantId} and call_id = any(${[...callIds]})
      returning id, call_id, command
    ) select * from taken order by id`.execute(tx)
  return rows
}

/** Of these calls, those that a node says it holds; it may be about to begin with them. */
export async function leasedBy(tx: Tx, { tenantId }: Scope, owner: string, callIds: readonly string[]) {
  if (callIds.length === 0) return new Set<string>()
  const { rows } = await sql<{ call_id: string }>`
    select call_id from call_leases
    where tenant_id = ${tenantId} and call_id = any(${[...callIds]}) and owner = ${owner}`.execute(tx)
  return new Set(rows.map(row => row.call_id))
}

export type CallJob = {
  tenant_id: number
  organization_id: number
  mode: 'live' | 'test'
  call_id: string
  kind: 'originate' | 'hangup' | 'command'
  engine: string | null
  created_at: string
}

/** Leases due jobs of these engines that are nobody's or the holder's. */
export function claimCallJobs(
  db: Db,
  {
    token,
    limit,
    leaseSeconds,
    engines,
    holder,
    mayDial,
  }: {
    token: string
    limit: number
    leaseSeconds: number
    engines: readonly string[]
    holder: string
    mayDial: boolean
  },
): Promise<CallJob[]> {
  return db.call('claim_call_jobs', 'select * from claim_call_jobs($1, $2, $3, $4, $5, $6)', [
    token,
    limit,
    leaseSeconds,
    engines,
    holder,
    mayDial,
  ])
}

/** Removes jobs that are done, as long as their lease is still ours. */
export async function removeJobs(
  tx: Tx,
  { tenantId }: Scope,
  token: string,
  ids: readonly string[],
  kind: CallJob['kind'],
): Promise<void> {
  await sql`
    delete from call_jobs
    where tenant_id = ${tenantId} and call_id = any(${[...ids]}) and kind = ${kind} and lease_token = ${token}`.execute(
    tx,
  )
}

export async function insertLeases(
  tx: Tx,
  { tenantId }: Scope,
  engine: string,
  owner: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await sql`
    insert into call_leases (tenant_id, call_id, engine, owner)
    select ${tenantId}, id, ${engine}, ${owner} from unnest(${[...ids]}::text[]) as c (id)`.execute(tx)
}

async function removeHoldings(tx: Tx, { tenantId }: Scope, ids: readonly string[]): Promise<void> {
  await sql`
    with untaken as (delete from call_commands where tenant_id = ${tenantId} and call_id = any(${[...ids]}))
    delete from call_leases where tenant_id = ${tenantId} and call_id = any(${[...ids]})`.execute(tx)
}

/**
 * The heartbeat of an engine that holds calls in memory: one statement for all its calls, every 10 seconds.
 * @returns those it still holds; the others were taken from it or have ended, and it must hang them up
 */
export async function renewCallLeases(db: Db, owner: string, calls: readonly CallRef[]): Promise<CallRef[]> {
  const rows = await db.call<{ tenant_id: number; call_id: string }>(
    'renew_call_leases',
    'select * from renew_call_leases($1, $2, $3)',
    [owner, calls.map(call => call.tenantId), calls.map(call => call.callId)],
  )
  const held = new Set(rows.map(row => `${row.tenant_id} ${row.call_id}`))
  return calls.filter(call => held.has(`${call.tenantId} ${call.callId}`))
}

export type LostCall = { tenant_id: number; organization_id: number; call_id: string }

/** Calls whose owner has been silent for so long. */
export function listLostCalls(db: Db, silentSeconds: number, limit: number): Promise<LostCall[]> {
  return db.call('lost_calls', 'select * from lost_calls($1, $2)', [silentSeconds, limit])
}

/** Takes calls from an owner that is still silent, with the time of its last heartbeat. */
export async function takeLostLeases(
  tx: Tx,
  { tenantId }: Scope,
  silentSeconds: number,
  ids: readonly string[],
): Promise<{ call_id: string; heartbeat_at: string }[]> {
  const { rows } = await sql<{ call_id: string; heartbeat_at: string }>`
    delete from call_leases
    where tenant_id = ${tenantId} and call_id = any(${[...ids]})
      and heartbeat_at < now() - make_interval(secs => ${silentSeconds})
    returning call_id, heartbeat_at`.execute(tx)
  return rows
}
