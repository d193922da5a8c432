// Work on many records that outlives its request: rows that workers lease. What is done and how far it went are written in one
// transaction, under the lease, so that nothing is done twice and nothing is left out, no matter who dies when.
import { sql } from 'kysely'
import { type IdentityRow, type Principal, principalOf } from '../access/principal.ts'
import type { Db, Scope, Tx } from '../data/db.ts'
import type { Permission } from '../values/noun.ts'
import { Problem } from '../values/problem.ts'

export type JobKind = 'check' | 'import' | 'change' | 'revert'
export type RecordJob = {
  tenant_id: number
  organization_id: number
  id: string
  kind: JobKind
  /** Claims since it last got further. */
  attempts: number
  /** How many of these workers were lost: their lease ended, and they had not given it back. */
  losses: number
}

/** The queue that works on these jobs. */
export const recordQueue = 'record_jobs'
export const leaseSeconds = 60

/**
 * @param principal who begins it: of a client what it is kept to goes with the job
 * @param folder the machine on whose disk its file is
 */
export async function insertJob(
  tx: Tx,
  { tenantId, organizationId, client, scopes }: Principal,
  { id, kind, folder = null }: { id: string; kind: JobKind; folder?: string | null },
): Promise<void> {
  await sql`
    insert into record_jobs (tenant_id, organization_id, id, kind, folder, client_id, grant_id, scopes)
    values (${tenantId}, ${organizationId}, ${id}, ${kind}, ${folder}, ${client?.clientId ?? null}, ${client?.grantId ?? null},
      ${client === null ? null : [...(scopes ?? [])]}::text[])`.execute(tx)
}

export function claimJobs(db: Db, token: string, limit: number, folder: string | null): Promise<RecordJob[]> {
  const values = [token, limit, leaseSeconds, folder]
  return db.work('claim_record_jobs', 'select * from claim_record_jobs($1, $2, $3, $4)', values)
}

export type Lease = { job: RecordJob; token: string }

/**
 * Locks the job for what this transaction does, and renews its lease; false for one that is another worker's by now, or gone.
 * @param isProgress whether the job gets further by this transaction
 */
export async function holdJob(tx: Tx, { job, token }: Lease, isProgress = false): Promise<boolean> {
  const { rows } = await sql`
    update record_jobs set leased_until = now() + make_interval(secs => ${leaseSeconds}),
      attempts = case when ${isProgress} then 0 else attempts end,
      losses = case when ${isProgress} and kind <> 'check' then 0 else losses end
    where tenant_id = ${job.tenant_id} and id = ${job.id} and token = ${token} returning id`.execute(tx)
  return rows.length > 0
}

const maxLosses = 5

/** Why nobody works on a job any more that its workers were lost with, one after the other; undefined for others. */
export function lossOf({ job }: Lease): string | undefined {
  if (job.losses < maxLosses) return undefined
  return `The server stopped ${job.losses} times while it worked on this, and it got no further. What is done stays. Do the rest in smaller parts: what is at fault is in the part that ends like this once more, and the log of the server says why it stopped.`
}

/** Keeps what the rows of a trial would have created for the worker that goes on with it. */
export async function keepMarks(tx: Tx, { job, token }: Lease, marks: Buffer): Promise<void> {
  await sql`
    update record_jobs set marks = ${marks}
    where tenant_id = ${job.tenant_id} and id = ${job.id} and token = ${token}`.execute(tx)
}

/** What was kept of a trial that is held; it is kept no longer, as it is true of these rows alone. */
export async function takeMarks(tx: Tx, { job }: Lease): Promise<Buffer | undefined> {
  const { rows } = await sql<{ marks: Buffer | null }>`
    select marks from record_jobs where tenant_id = ${job.tenant_id} and id = ${job.id}`.execute(tx)
  await sql`update record_jobs set marks = null where tenant_id = ${job.tenant_id} and id = ${job.id}`.execute(tx)
  return rows[0]?.marks ?? undefined
}

export async function removeJob(tx: Tx, { tenantId }: Scope, id: string): Promise<void> {
  await sql`delete from record_jobs where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
}

/** Gives a lease back, at once or after some seconds. From now on its tenant waits again, with this job or with its next one. */
export async function releaseJob(tx: Tx, { job, token }: Lease, seconds: number): Promise<void> {
  await sql`
    update record_jobs set token = null, leased_until = now() + make_interval(secs => ${seconds})
    where tenant_id = ${job.tenant_id} and id = ${job.id} and token = ${token}`.execute(tx)
  await sql`
    update record_jobs set waits_since = now() where tenant_id = ${job.tenant_id} and token is null and id = any (array(
      select distinct on (folder) id from record_jobs where tenant_id = ${job.tenant_id} order by folder, created_at, id))`.execute(
    tx,
  )
}

type Begun = { id: string; user_id: number; key_id: string | null }
type StandingRow = IdentityRow & {
  has_key: boolean
  key_scopes: string[] | null
  client_id: string | null
  grant_id: string | null
  app_id: string | null
  /** Of a client: what its token could do, as far as what lets it in still gives that. Null where nothing lets it in any more. */
  client_scopes: string[] | null
}

/**
 * For whom a job works, as they are now: a role, a key or an authorization that was taken away, or an app that was suspended, ends what it
 * may do, and it may do no more than the token by which it was begun.
 * @throws Problem `insufficient_role` where they may do nothing any more, or not this
 */
export async function standingPrincipal(
  tx: Tx,
  { tenantId, organizationId }: Scope,
  { id, user_id: userId, key_id: keyId }: Begun,
  needed: Permission | undefined,
): Promise<Principal> {
  const { rows } = await sql<StandingRow>`
    select o.*, o.id as organization_id, o.state as organization_state, t.id as tenant_id, t.mode, false as revoked, u.id as user_id, u.email, u.role,
      custom_role(u.organization_id, u.id, u.role_id) as custom,
      u.disabled_at is not null as disabled, k.scopes as key_scopes, k.id is not null as has_key, j.client_id, j.grant_id, c.app_id,
      case when c.user_id is not null then array(select unnest(j.scopes) intersect select unnest(c.scopes)) end as client_scopes
    from users u
    join organizations o on o.id = u.organization_id
    join tenants t on t.organization_id = o.id and t.id = ${tenantId}
    left join api_keys k on k.organization_id = o.id and k.id = ${keyId} and (k.revoked_at is null or k.revoked_at > now())
      and (k.expires_at is null or k.expires_at > now())
    left join record_jobs j on j.tenant_id = t.id and j.id = ${id}
    left join lateral auth_oauth(j.client_id, j.grant_id, null) c on j.client_id is not null and c.tenant_id = t.id and c.user_id = u.id
      and not c.revoked and (c.not_before is null or c.not_before <= j.created_at)
    where u.organization_id = ${organizationId} and u.id = ${userId}`.execute(tx)
  const [row] = rows
  const isEnded = row === undefined || row.disabled || (keyId !== null && !row.has_key)
  if (isEnded || (row.client_id !== null && row.client_scopes === null))
    throw new Problem('insufficient_role', {
      message:
        'The person, the key or the app that began this may do nothing any more. Let somebody begin it again who may.',
    })
  const principal = principalOf(row, { keyId, scopes: row.key_scopes, ...clientOf(row) })
  if (needed === undefined || principal.permissions.has(needed)) return principal
  throw new Problem('insufficient_role', {
    message: `This needs the permission ${needed}, which its user does not hold any more.`,
  })
}

function clientOf({ client_id: clientId, grant_id: grantId, app_id: appId, client_scopes: scopes }: StandingRow) {
  return clientId === null ? {} : { client: { clientId, grantId, appId }, scopes }
}
