// SQL of streams of the audit log: set up, leased while something is sent, and moved on by what was taken.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../kernel/data/db.ts'
import type { ReadableRows } from '../../kernel/resource/resource.ts'

export type StreamRow = {
  id: string
  url: string
  description: string | null
  secret: string
  enabled: boolean
  position: number
  /** Sealed events that it has not taken. */
  behind: number
  delivered_at: string | null
  failures: number
  failing_since: string | null
  last_error: string | null
  version: number
  created_at: string
  updated_at: string
}

const shown =
  sql.raw(`s.id, s.url, s.description, s.secret, s.enabled, s.position, s.delivered_at, s.failures, s.failing_since,
  s.last_error, s.version, s.created_at, s.updated_at,
  greatest(0, coalesce((select max(a.to_position) from audit_seals a where a.organization_id = s.organization_id), 0) - s.position)
    as behind`)

async function find(tx: Tx, { organizationId }: Scope, id: string, lock = sql``): Promise<StreamRow | undefined> {
  const { rows } = await sql<StreamRow>`
    select ${shown} from audit_streams s where s.organization_id = ${organizationId} and s.id = ${id} ${lock}`.execute(
    tx,
  )
  return rows[0]
}

export const findStream = (tx: Tx, scope: Scope, id: string) => find(tx, scope, id)

export const streamRows: ReadableRows<StreamRow> = {
  find: findStream,
  lock: (tx, scope, id) => find(tx, scope, id, sql`for no key update of s`),
  async list(tx, { organizationId }, _wanted, { limit, beforeId }) {
    const { rows } = await sql<StreamRow>`
      select ${shown} from audit_streams s where s.organization_id = ${organizationId} and s.id < ${beforeId ?? 'ast_z'}
      order by s.id desc limit ${limit + 1}`.execute(tx)
    return rows
  },
  async remove(tx, { organizationId }, id) {
    await sql`delete from audit_streams where organization_id = ${organizationId} and id = ${id}`.execute(tx)
  },
}

/** How many the organization has; others that count wait for this transaction. */
export async function countStreams(tx: Tx, { organizationId }: Scope): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('audit_streams', ${organizationId}))`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from audit_streams where organization_id = ${organizationId}`.execute(tx)
  return rows[0]!.count
}

type NewStream = Pick<StreamRow, 'id' | 'url' | 'description' | 'secret' | 'position'>

export async function insertStream(tx: Tx, scope: Scope, stream: NewStream): Promise<StreamRow> {
  const { id, url, description, secret, position } = stream
  await sql`insert into audit_streams (organization_id, id, url, description, secret, position)
    values (${scope.organizationId}, ${id}, ${url}, ${description}, ${secret}, ${position})`.execute(tx)
  return (await find(tx, scope, id))!
}

/** One that is changed is tried again at once. */
export async function changeStream(
  tx: Tx,
  scope: Scope,
  { id, url, description, enabled }: Pick<StreamRow, 'id' | 'url' | 'description' | 'enabled'>,
): Promise<StreamRow> {
  await sql`update audit_streams set url = ${url}, description = ${description}, enabled = ${enabled}, version = version + 1,
      updated_at = clock_timestamp(), next_at = clock_timestamp(), failures = 0, failing_since = null, last_error = null
    where organization_id = ${scope.organizationId} and id = ${id}`.execute(tx)
  return (await find(tx, scope, id))!
}

export async function claimStreams(
  db: Db,
  token: string,
  limit: number,
  leaseSeconds: number,
): Promise<{ organization_id: number; id: string }[]> {
  const text = 'select organization_id, id from claim_audit_streams($1, $2, $3)'
  return db.work('claim_audit_streams', text, [token, limit, leaseSeconds])
}

type Held = { id: string; token: string }

/**
 * Where the batch ends that is to be sent: as when it was begun, though more was sealed since. What expired meanwhile is not waited for.
 * Nothing where the stream is not ours any more.
 */
export async function beginBatch(
  tx: Tx,
  { organizationId }: Scope,
  { id, token }: Held,
  limit: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ sending_to: number | null }>`
    update audit_streams s set sending_to = (
      select case when count(*) filter (where n.position <= s.sending_to) > 0 then s.sending_to else max(n.position) end
      from (
        select c.position from audit_chain c where c.organization_id = s.organization_id and c.position > s.position
        order by c.position limit ${limit}
      ) n)
    where s.organization_id = ${organizationId} and s.id = ${id} and s.lease_token = ${token}
    returning s.sending_to`.execute(tx)
  return rows[0]?.sending_to ?? undefined
}

/** What was sent was taken: goes on behind `position`, where it is still ours. */
export async function moveStream(tx: Tx, { organizationId }: Scope, held: Held, position: number): Promise<void> {
  await sql`update audit_streams set position = ${position}, sending_to = null, delivered_at = clock_timestamp(), failures = 0, failing_since = null,
      last_error = null, next_at = clock_timestamp(), lease_token = null, lease_until = null
    where organization_id = ${organizationId} and id = ${held.id} and lease_token = ${held.token}`.execute(tx)
}

/** It was not taken: it is sent again after so long. */
export async function failStream(
  tx: Tx,
  { organizationId }: Scope,
  held: Held,
  { error, afterSeconds }: { error: string; afterSeconds: number },
): Promise<void> {
  await sql`update audit_streams set failures = failures + 1, failing_since = coalesce(failing_since, clock_timestamp()),
      last_error = ${error}, next_at = clock_timestamp() + make_interval(secs => ${afterSeconds}), lease_token = null,
      lease_until = null
    where organization_id = ${organizationId} and id = ${held.id} and lease_token = ${held.token}`.execute(tx)
}
