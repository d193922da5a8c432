// SQL of requests of persons: what was asked, how far it is, what is found and not dealt with yet.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import type { Person, Subject } from '../person/index.ts'

export const requestKinds = ['export', 'erasure'] as const
export const requestStates = ['queued', 'running', 'completed', 'failed', 'expired'] as const
export type Counts = Readonly<Record<string, number>>

export type RequestRow = {
  id: string
  kind: (typeof requestKinds)[number]
  state: (typeof requestStates)[number]
  record_id: string | null
  label: string
  subject: Subject | null
  person: Person | null
  pattern: string | null
  reason: string
  requested_by: number
  step: string
  place: string[]
  pass: number
  waits_for: string | null
  counts: Counts
  kept: Counts
  storage: string | null
  storage_key: string | null
  size_bytes: number | null
  sha256: string | null
  error: string | null
  attempts: number
  created_at: string
  finished_at: string | null
  expires_at: string | null
}

const columns = sql.raw(
  `id, kind, state, record_id, label, subject, person, pattern, reason, requested_by, step, place, pass, waits_for, counts, kept, storage,
   storage_key, size_bytes, sha256, error, attempts, created_at, finished_at, expires_at`,
)

export type NewRequest = Pick<
  RequestRow,
  'id' | 'kind' | 'record_id' | 'label' | 'reason' | 'requested_by' | 'step' | 'kept'
> & {
  subject: Subject
  person: Person
}

export async function insertRequest(
  tx: Tx,
  { tenantId, organizationId }: Scope,
  row: NewRequest,
  nowMs: number,
): Promise<RequestRow> {
  const { rows } = await sql<RequestRow>`
    insert into privacy_requests (tenant_id, organization_id, id, kind, state, record_id, label, subject, person, reason, requested_by,
      step, kept, due_at, created_at)
    values (${tenantId}, ${organizationId}, ${row.id}, ${row.kind}, 'queued', ${row.record_id}, ${row.label},
      ${JSON.stringify(row.subject)}::json, ${JSON.stringify(row.person)}::json, ${row.reason}, ${row.requested_by}, ${row.step}, ${JSON.stringify(row.kept)}::jsonb,
      clock_timestamp(), ${isoMs(nowMs)})
    returning ${columns}`.execute(tx)
  return rows[0]!
}

export async function findRequest(tx: Tx, { tenantId }: Scope, id: string): Promise<RequestRow | undefined> {
  const { rows } = await sql<RequestRow>`
    select ${columns} from privacy_requests where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
  return rows[0]
}

/** The newest first, behind an id. */
export async function listRequests(
  tx: Tx,
  { tenantId }: Scope,
  { before, recordId, limit }: { before?: string; recordId?: string; limit: number },
): Promise<RequestRow[]> {
  const { rows } = await sql<RequestRow>`
    select ${columns} from privacy_requests
    where tenant_id = ${tenantId} and (${before ?? null}::text is null or id < ${before ?? null})
      and (${recordId ?? null}::text is null or record_id = ${recordId ?? null})
    order by id desc limit ${limit}`.execute(tx)
  return rows
}

/** Those that are under way. */
export async function listOpen(tx: Tx, { tenantId }: Scope): Promise<RequestRow[]> {
  const { rows } = await sql<RequestRow>`
    select ${columns} from privacy_requests
    where tenant_id = ${tenantId} and state in ('queued', 'running') order by id`.execute(tx)
  return rows
}

export type RequestJob = { tenant_id: number; organization_id: number; id: string }

export function claimRequests(db: Db, token: string, limit: number, leaseSeconds: number): Promise<RequestJob[]> {
  const text = 'select * from claim_privacy_requests($1, $2, $3)'
  return db.work('claim_privacy_requests', text, [token, limit, leaseSeconds])
}

/** What a step leaves behind; what is not named stays. `counts` and `kept` are added to what is there. */
export type Progress = Partial<
  Pick<RequestRow, 'step' | 'place' | 'pass' | 'waits_for' | 'person' | 'pattern' | 'state' | 'error'>
> & {
  counts?: Counts
  kept?: Counts
  /** Gives the lease back, and when it may be taken again. */
  releaseSeconds?: number
  /** It did not go on: failures in a row are counted. */
  failed?: true
}

const added = (name: 'counts' | 'kept', more: Counts = {}) => sql`(
  select coalesce(jsonb_object_agg(c.key, c.n), '{}') from (
    select e.key, sum(e.value::bigint) as n
    from (select * from jsonb_each_text(${sql.ref(name)}) union all select * from jsonb_each_text(${JSON.stringify(more)}::jsonb)) e
    group by e.key) c)`

/**
 * Writes down how far it is, in the transaction of what was done, and keeps the lease.
 * @throws Error where the lease is somebody else's by now: the transaction must not commit
 */
export async function saveProgress(
  tx: Tx,
  { tenantId }: Scope,
  { id, token, leaseSeconds }: { id: string; token: string; leaseSeconds: number },
  { counts, kept, releaseSeconds, failed, ...change }: Progress,
): Promise<RequestRow> {
  const set = Object.entries(change).map(([name, value]) => {
    if (name === 'place') return sql`place = ${value as string[]}::text[]`
    if (name === 'person') return sql`person = ${value === null ? null : JSON.stringify(value)}::json`
    return sql`${sql.ref(name)} = ${value}`
  })
  if (failed === undefined) set.push(sql`attempts = 0`)
  if (counts !== undefined) set.push(sql`counts = ${added('counts', counts)}`)
  if (kept !== undefined) set.push(sql`kept = ${added('kept', kept)}`)
  if (releaseSeconds === undefined)
    set.push(sql`lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})`)
  else
    set.push(
      sql`lease_token = null, lease_until = null, due_at = clock_timestamp() + make_interval(secs => ${releaseSeconds})`,
    )
  const { rows } = await sql<RequestRow>`
    update privacy_requests set ${sql.join(set)}
    where tenant_id = ${tenantId} and id = ${id} and lease_token = ${token} returning ${columns}`.execute(tx)
  if (rows[0] === undefined) throw new Error(`the lease of ${id} is lost`)
  return rows[0]
}

/** What takes longer keeps its lease. */
export async function renewRequest(
  tx: Tx,
  { tenantId }: Scope,
  { id, token, leaseSeconds }: { id: string; token: string; leaseSeconds: number },
): Promise<void> {
  await sql`
    update privacy_requests set lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    where tenant_id = ${tenantId} and id = ${id} and lease_token = ${token}`.execute(tx)
}

export type RequestEnd = {
  state: 'completed' | 'failed'
  nowMs: number
  error?: string
  file?: { storage: string; storage_key: string; size_bytes: number; sha256: string; expires_at: string }
}

/** What ends a request. Of an erasure nothing stays that names the person; of an export for as long as its archive. */
export async function finishRequest(
  tx: Tx,
  { tenantId }: Scope,
  { id, token }: { id: string; token: string },
  end: RequestEnd,
): Promise<RequestRow> {
  const { file } = end
  const { rows } = await sql<RequestRow>`
    update privacy_requests set state = ${end.state}, finished_at = ${isoMs(end.nowMs)}, error = ${end.error ?? null}, step = 'done',
      place = '{}', waits_for = null, lease_token = null, lease_until = null, pattern = null,
      subject = case when ${file !== undefined} then subject end, person = case when ${file !== undefined} then person end,
      storage = ${file?.storage ?? null}, storage_key = ${file?.storage_key ?? null}, size_bytes = ${file?.size_bytes ?? null},
      sha256 = ${file?.sha256 ?? null}, expires_at = ${file?.expires_at ?? null}
    where tenant_id = ${tenantId} and id = ${id} and lease_token = ${token} returning ${columns}`.execute(tx)
  if (rows[0] === undefined) throw new Error(`the lease of ${id} is lost`)
  await sql`delete from privacy_items where tenant_id = ${tenantId} and request_id = ${id}`.execute(tx)
  return rows[0]
}

export type ExpiredExport = RequestJob & { storage: string; storage_key: string }

export function listExpiredExports(db: Db, nowMs: number): Promise<ExpiredExport[]> {
  return db.work('expired_privacy_exports', 'select * from expired_privacy_exports($1)', [isoMs(nowMs)])
}

/** The archive is gone, and with it whom it was about. */
export async function expireRequests(tx: Tx, { tenantId }: Scope, ids: readonly string[]): Promise<void> {
  await sql`
    update privacy_requests set state = case when storage_key is null then state else 'expired' end, storage = null, storage_key = null,
      size_bytes = null, sha256 = null, subject = null, person = null, pattern = null
    where tenant_id = ${tenantId} and id = any(${ids}::text[]) and state not in ('queued', 'running')`.execute(tx)
}

/** Requests that are over and still say whom they were about. */
export async function listTelling(tx: Tx, { tenantId }: Scope): Promise<RequestRow[]> {
  const { rows } = await sql<RequestRow>`
    select ${columns} from privacy_requests
    where tenant_id = ${tenantId} and state not in ('queued', 'running') and person is not null`.execute(tx)
  return rows
}

/** Has requests that wait for a hold to be released looked at again. */
export async function wakeHeld(tx: Tx, { tenantId }: Scope): Promise<void> {
  await sql`
    update privacy_requests set due_at = clock_timestamp(), waits_for = null
    where tenant_id = ${tenantId} and waits_for = 'legal_hold' and state in ('queued', 'running')`.execute(tx)
}
