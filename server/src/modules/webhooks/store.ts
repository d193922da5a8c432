// SQL of webhooks: their settings, their health, and the rotation of the secret for callback URLs.
import { type RawBuilder, sql } from 'kysely'
import type { Scope, Tx } from '../../kernel/data/db.ts'
import { type DisabledReason, fullConcurrency } from './rules.ts'

export type WebhookRow = {
  id: string
  url: string
  description: string | null
  event_types: string[] | null
  enabled: boolean
  disabled_reason: DisabledReason | null
  disabled_at: string | null
  previous_until: string | null
  version: number
  created_at: string
  updated_at: string
  failures: number
  failing_since: string | null
  delivered_at: string | null
  last_error: string | null
  waiting: number
}

/** Events of one webhook are counted in so many of its jobs, which hold up to 64 each. */
const countedJobs = 1_000

const columns = sql`
  e.id, e.url, e.description, e.event_types, e.enabled, e.disabled_reason, e.disabled_at,
  case when e.previous_until > clock_timestamp() then e.previous_until end as previous_until, e.version,
  e.created_at, e.updated_at, coalesce(l.failures, 0) as failures, l.failing_since, l.delivered_at, l.last_error,
  least(10000, coalesce((select sum(cardinality(j.event_ids)) from (
    select event_ids from webhook_jobs where tenant_id = e.tenant_id and lane = e.id limit ${sql.lit(countedJobs)}
  ) j), 0))::integer as waiting`

function webhooks(scope: Scope, rest: RawBuilder<unknown>) {
  return sql<WebhookRow>`
    select ${columns} from webhook_endpoints e
    left join webhook_lanes l on l.tenant_id = e.tenant_id and l.id = e.id
    where e.tenant_id = ${scope.tenantId} ${rest}`
}

export async function findWebhook(tx: Tx, scope: Scope, id: string): Promise<WebhookRow | undefined> {
  return (await webhooks(scope, sql`and e.id = ${id}`).execute(tx)).rows[0]
}

/** The same, its settings locked against change. */
export async function lockWebhook(tx: Tx, scope: Scope, id: string): Promise<WebhookRow | undefined> {
  return (await webhooks(scope, sql`and e.id = ${id} for no key update of e`).execute(tx)).rows[0]
}

export type WebhookFilter = { enabled?: boolean }

/** Newest first, one more than `limit` when there are more. */
export async function listWebhooks(
  tx: Tx,
  scope: Scope,
  { enabled }: WebhookFilter,
  page: { limit: number; beforeId: string | undefined },
): Promise<WebhookRow[]> {
  const wanted = enabled === undefined ? sql`` : sql`and e.enabled = ${enabled}`
  const behind = page.beforeId === undefined ? sql`` : sql`and e.id < ${page.beforeId}`
  return (await webhooks(scope, sql`${wanted} ${behind} order by e.id desc limit ${page.limit + 1}`).execute(tx)).rows
}

/** Its rows are joined with those of its lane, which know its health. */
export const webhookRows = { find: findWebhook, lock: lockWebhook, list: listWebhooks, remove: removeWebhook }

/** How many there are; two creations at once wait for each other, so that the limit holds. */
export async function countWebhooks(tx: Tx, { tenantId }: Scope): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('webhook_endpoints'), ${tenantId}::integer)`.execute(tx)
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from webhook_endpoints where tenant_id = ${tenantId}`.execute(tx)
  return rows[0]!.n
}

export type NewWebhook = {
  id: string
  url: string
  description: string | null
  eventTypes: string[] | null
  sealedSecret: string
}

export async function insertWebhook(tx: Tx, { tenantId }: Scope, webhook: NewWebhook): Promise<void> {
  await sql`
    insert into webhook_endpoints (tenant_id, id, url, description, event_types, secret)
    values (${tenantId}, ${webhook.id}, ${webhook.url}, ${webhook.description}, ${webhook.eventTypes},
      ${webhook.sealedSecret})`.execute(tx)
}

export type WebhookChange = {
  url?: string
  description?: string | null
  eventTypes?: string[] | null
  enabled?: boolean
  rotation?: { sealedSecret: string; overlapSeconds: number }
}

/** Writes what is given; the secret that was is kept for the overlap, and no other one before it. */
export async function changeWebhook(
  tx: Tx,
  { tenantId }: Scope,
  id: string,
  { url, description, eventTypes, enabled, rotation }: WebhookChange,
  disabledReason: DisabledReason = 'request',
): Promise<void> {
  const sets: RawBuilder<unknown>[] = [sql`version = version + 1`, sql`updated_at = clock_timestamp()`]
  if (url !== undefined) sets.push(sql`url = ${url}`)
  if (description !== undefined) sets.push(sql`description = ${description}`)
  if (eventTypes !== undefined) sets.push(sql`event_types = ${eventTypes}`)
  if (enabled === true) sets.push(sql`enabled = true, disabled_reason = null, disabled_at = null, mail_due = false`)
  if (enabled === false)
    sets.push(sql`enabled = false, disabled_reason = ${disabledReason}, disabled_at = clock_timestamp(),
      mail_due = ${disabledReason !== 'request'}`)
  if (rotation !== undefined) {
    const { sealedSecret, overlapSeconds } = rotation
    sets.push(sql`secret = ${sealedSecret}`)
    sets.push(
      overlapSeconds === 0
        ? sql`previous_secret = null, previous_until = null`
        : sql`previous_secret = secret, previous_until = clock_timestamp() + make_interval(secs => ${overlapSeconds})`,
    )
  }
  await sql`
    update webhook_endpoints set ${sql.join(sets)} where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
}

/** Sets the failures of a webhook to zero, so that it starts afresh. */
export async function resetFailures(tx: Tx, { tenantId }: Scope, id: string): Promise<void> {
  await sql`
    update webhook_lanes
    set failures = 0, failing_since = null, failed_attempts = 0, notices = 0, mailed = 0, last_error = null,
        resume_at = null, concurrency = ${fullConcurrency}
    where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
}

/** Marks a notice as sent; false where it was sent before, or the webhook is well again. */
export async function takeNotice(tx: Tx, { tenantId }: Scope, id: string, notice: number): Promise<boolean> {
  const { rows } = await sql`
    update webhook_lanes set notices = ${notice}
    where tenant_id = ${tenantId} and id = ${id} and failing_since is not null and notices < ${notice}
    returning id`.execute(tx)
  return rows.length > 0
}

/** Ends a webhook and what waits for it. The log of its deliveries goes later, by the purge. */
export async function removeWebhook(tx: Tx, { tenantId }: Scope, id: string): Promise<void> {
  await sql`delete from webhook_endpoints where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
  await sql`delete from webhook_jobs where tenant_id = ${tenantId} and lane = ${id}`.execute(tx)
  await sql`delete from webhook_lanes where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
}

export type SigningRow = { generation: number; rotated_at: string | null; previous_until: string | null }

/** Which secret signs what goes to callback URLs. */
export async function findSigning(tx: Tx, { tenantId }: Scope): Promise<SigningRow> {
  const { rows } = await sql<SigningRow>`
    select generation, rotated_at, case when previous_until > clock_timestamp() then previous_until end as previous_until
    from webhook_signing where tenant_id = ${tenantId}`.execute(tx)
  return rows[0] ?? { generation: 1, rotated_at: null, previous_until: null }
}

export async function rotateSigning(tx: Tx, { tenantId }: Scope, overlapSeconds: number): Promise<SigningRow> {
  const { rows } = await sql<SigningRow>`
    insert into webhook_signing as s (tenant_id, generation, previous_until)
    values (${tenantId}, 2, clock_timestamp() + make_interval(secs => ${overlapSeconds}))
    on conflict on constraint webhook_signing_pkey do update set generation = s.generation + 1,
      rotated_at = clock_timestamp(), previous_until = excluded.previous_until
    returning generation, rotated_at, case when previous_until > clock_timestamp() then previous_until end as previous_until
    `.execute(tx)
  return rows[0]!
}
