// SQL of what is to be done about calls: the jobs and commands that ask nodes for something, and the leases of nodes that hold calls in
// memory.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import type { Call, CallRef, ClientSignal } from './rules.ts'

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
 * and as old as its last heartbeat, so that a remote party is not let wait longer for having been hung up by the API.
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
  /** What the browser at the remote party says. */
  | { kind: 'client'; signal: ClientSignal }

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

/** Takes the commands of locked calls out, oldest first. */
export async function takeCommands(tx: Tx, { tenantId }: Scope, callIds: readonly string[]): Promise<CallCommand[]> {
  if (callIds.length === 0) return []
  const { rows } = await sql<CallCommand>`
    with taken as (
      delete from call_commands where tenant_id = ${tenantId} and call_id = any(${[...callIds]})
      returning id, call_id, command
    ) select * from taken order by id`.execute(tx)
  return rows
}

/** Of these calls, those that a node says it holds; it may be about to start with them. */
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

/** Leases of locked calls that ended, and commands that nobody has taken. */
export async function removeHoldings(tx: Tx, { tenantId }: Scope, ids: readonly string[]): Promise<void> {
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
  return db.work('lost_calls', 'select * from lost_calls($1, $2)', [silentSeconds, limit])
}

/** Takes locked calls from an owner that is still silent, with the time of its last heartbeat. */
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
