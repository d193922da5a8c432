// All SQL of recordings: their rows, and the jobs about their files. A change is written by compare-and-set on the state and
// sequence it was decided on, together with its event and its jobs.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import type { Recording, RecordingStep } from './rules.ts'

export type NewRecording = Pick<
  Recording,
  'id' | 'call_id' | 'channels' | 'metadata' | 'owner' | 'folder' | 'local_path' | 'created_at'
>

/** Adds a recording of a call that is under way, with the callback URL of that call; undefined when the call is over. */
export async function insertRecording(
  tx: Tx,
  { tenantId }: Scope,
  recording: NewRecording,
): Promise<Recording | undefined> {
  const { id, call_id, channels, metadata, owner, folder, local_path, created_at } = recording
  const { rows } = await sql<Recording>`
    insert into recordings (tenant_id, id, call_id, channels, callback_url, metadata, owner, folder, local_path,
      created_at, started_at, changed_at)
    select c.tenant_id, ${id}, c.id, ${channels}, c.callback_url, ${JSON.stringify(metadata)}::json, ${owner}, ${folder},
      ${local_path}, ${created_at}, ${created_at}, ${created_at}
    from calls c where c.tenant_id = ${tenantId} and c.id = ${call_id} and c.ended_at is null
    returning *`.execute(tx)
  return rows[0]
}

export async function findRecording(tx: Tx, { tenantId }: Scope, id: string): Promise<Recording | undefined> {
  const row = await tx
    .selectFrom('recordings')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row as Recording | undefined
}

export type RecordingFilters = {
  callId?: string
  state?: string
  /** ISO times; after includes its moment, before does not. */
  createdAfter?: string
  createdBefore?: string
}

/** Newest first; `behind` is creation time and id of the last recording of the page before. */
export async function listRecordings(
  tx: Tx,
  { tenantId }: Scope,
  { callId, state, createdAfter, createdBefore }: RecordingFilters,
  behind: readonly [string, string] | undefined,
  limit: number,
): Promise<Recording[]> {
  let query = tx.selectFrom('recordings').selectAll().where('tenant_id', '=', tenantId)
  if (callId !== undefined) query = query.where('call_id', '=', callId)
  if (state !== undefined) query = query.where('state', '=', state)
  if (createdAfter !== undefined) query = query.where('created_at', '>=', createdAfter)
  if (createdBefore !== undefined) query = query.where('created_at', '<', createdBefore)
  if (behind !== undefined)
    query = query.where(sql<boolean>`(created_at, id) < (${behind[0]}::timestamptz, ${behind[1]})`)
  return (await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()) as Recording[]
}

/** Between whom the calls of these recordings were, by the id of the call. */
export async function listSidesOf(tx: Tx, { tenantId }: Scope, recordings: readonly Pick<Recording, 'call_id'>[]) {
  const ids = [...new Set(recordings.map(({ call_id }) => call_id))]
  if (ids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('calls')
    .select(['id', 'direction', 'from_number as from', 'to_number as to', 'caller_name as callerName'])
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`id = any(${ids})`)
    .execute()
  return new Map(rows.map(({ id, ...sides }) => [id, sides]))
}

/** At most so many of one call are reported along with it; GET /v2/voice/recordings has all. */
const maxOfCall = 50

/** The recordings of calls, of each the oldest first. */
export async function listRecordingsOf(tx: Tx, { tenantId }: Scope, callIds: readonly string[]): Promise<Recording[]> {
  if (callIds.length === 0) return []
  const { rows } = await sql<Recording>`
    select r.* from unnest(${[...callIds]}::text[]) as c (id)
    cross join lateral (
      select * from recordings where tenant_id = ${tenantId} and call_id = c.id order by created_at, id limit ${maxOfCall}
    ) r order by r.created_at, r.id`.execute(tx)
  return rows
}

/** Recordings with their rows locked, in an order that no two transactions take differently. */
export async function lockRecordings(tx: Tx, { tenantId }: Scope, ids: readonly string[]): Promise<Recording[]> {
  const rows = await tx
    .selectFrom('recordings')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`id = any(${[...ids]})`)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows as Recording[]
}

/** Writes one step each of recordings whose rows are locked, and the events that report them. */
export async function changeRecordings(tx: Tx, scope: Scope, steps: readonly RecordingStep[]): Promise<void> {
  if (steps.length === 0) return
  const rows = JSON.stringify(steps.map(step => step.recording))
  const [{ numAffectedRows }] = await Promise.all([
    sql`
      update recordings r
      set state = n.state, sequence = n.sequence, storage = n.storage, storage_key = n.storage_key,
          duration_ms = n.duration_ms, size_bytes = n.size_bytes, sha256 = n.sha256, error = n.error,
          ended_at = n.ended_at, available_at = n.available_at, deleted_at = n.deleted_at, changed_at = n.changed_at
      from json_to_recordset(${rows}::json) as n (id text, state text, sequence integer, storage text,
        storage_key text, duration_ms integer, size_bytes bigint, sha256 text, error text, ended_at timestamptz,
        available_at timestamptz, deleted_at timestamptz, changed_at timestamptz)
      where r.tenant_id = ${scope.tenantId} and r.id = n.id and r.sequence = n.sequence - 1`.execute(tx),
    emit(tx, scope, ...steps.flatMap(({ event }) => event ?? [])),
  ])
  if (numAffectedRows !== BigInt(steps.length)) throw new Error('a recording changed although its row was locked')
}

export type JobKind = 'store' | 'clean' | 'remove'

/** Asks for something to be done about files; asked again, it is due at once. */
export async function insertJob(
  tx: Tx,
  { tenantId }: Scope,
  recordingId: string,
  kind: JobKind,
  folder: string | null,
): Promise<void> {
  await sql`
    insert into recording_jobs (tenant_id, recording_id, kind, folder)
    values (${tenantId}, ${recordingId}, ${kind}, ${folder})
    on conflict (tenant_id, recording_id, kind) do update set due_at = now(), lease_token = null`.execute(tx)
}

export async function removeJob(tx: Tx, { tenantId }: Scope, recordingId: string, kind: JobKind): Promise<void> {
  await sql`
    delete from recording_jobs
    where tenant_id = ${tenantId} and recording_id = ${recordingId} and kind = ${kind}`.execute(tx)
}

/** When a job under this lease is due again: later while it is worked on, or to be tried another time. */
export async function postponeJob(
  tx: Tx,
  { tenantId }: Scope,
  { recording_id, kind }: Pick<RecordingJob, 'recording_id' | 'kind'>,
  token: string,
  seconds: number,
): Promise<void> {
  await sql`
    update recording_jobs set due_at = clock_timestamp() + make_interval(secs => ${seconds})
    where tenant_id = ${tenantId} and recording_id = ${recording_id} and kind = ${kind} and lease_token = ${token}`.execute(
    tx,
  )
}

export type RecordingRef = { tenant_id: number; organization_id: number; recording_id: string }
export type RecordingJob = RecordingRef & { kind: JobKind; folder: string | null; attempts: number }

export type Claim = {
  token: string
  limit: number
  leaseSeconds: number
  folder: string | null
  giveUpSeconds: number
}

/** Leases due jobs that any machine can do, those of this folder, and those whose machine is gone for good. */
export function claimRecordingJobs(db: Db, claim: Claim): Promise<RecordingJob[]> {
  const { token, limit, leaseSeconds, folder, giveUpSeconds } = claim
  const text = 'select * from claim_recording_jobs($1, $2, $3, $4, $5)'
  return db.work('claim_recording_jobs', text, [token, limit, leaseSeconds, folder, giveUpSeconds])
}

/** Recordings that still run although their call is over since so long. */
export function listLostRecordings(db: Db, silentSeconds: number, limit: number): Promise<RecordingRef[]> {
  return db.work('lost_recordings', 'select * from lost_recordings($1, $2)', [silentSeconds, limit])
}

/** Recordings that are kept for longer than so many days. */
export function listExpiredRecordings(db: Db, days: number, limit: number): Promise<RecordingRef[]> {
  return db.work('expired_recordings', 'select * from expired_recordings($1, $2)', [days, limit])
}

/** When the calls of recordings ended. */
export async function callEnds(tx: Tx, { tenantId }: Scope, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; ended_at: string }>`
    select r.id, c.ended_at from recordings r
    join calls c on c.tenant_id = r.tenant_id and c.id = r.call_id
    where r.tenant_id = ${tenantId} and r.id = any(${[...ids]}) and c.ended_at is not null`.execute(tx)
  return new Map(rows.map(row => [row.id, row.ended_at]))
}
