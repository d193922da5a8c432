// SQL of listeners: programs that take deliveries over a stream, what waits for them, and what came of it.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../kernel/data/db.ts'
import type { ErrorWord } from '../../kernel/outbound/outbound.ts'
import type { ReportedResult } from './listener_schemas.ts'
import type { SentEvent } from './present.ts'
import { type DeliveryStatus, type ListenerState, succeeded } from './rules.ts'

export type ListenerRow = {
  id: string
  name: string | null
  forward_to: string
  event_types: string[] | null
  webhook_id: string | null
  state: ListenerState
  waiting: number
  created_at: string
  ended_at: string | null
}

/** How long a listener may be away before it ends. */
const awaySeconds = 600
/** A connection says so often that it lives; twice missed, it counts as gone. */
export const beatMs = 10_000
const connectedSeconds = 25

const ended = sql`(l.ended_at is not null or l.open_until <= clock_timestamp())`
const columns = sql`l.id, l.name, l.forward_to, l.event_types, l.webhook_id,
  case when ${ended} then 'ended' when l.connected_until > clock_timestamp() then 'connected' else 'away' end as state,
  (select count(*) from (select from webhook_listener_deliveries d
    where d.tenant_id = l.tenant_id and d.listener_id = l.id and d.status = 'pending' limit 10000) w)::integer as waiting,
  l.created_at, case when ${ended} then least(l.ended_at, l.open_until) end as ended_at`

async function findListener(tx: Tx, { tenantId }: Scope, id: string): Promise<ListenerRow | undefined> {
  const { rows } = await sql<ListenerRow>`
    select ${columns} from webhook_listeners l where l.tenant_id = ${tenantId} and l.id = ${id}`.execute(tx)
  return rows[0]
}

async function lockListener(tx: Tx, { tenantId }: Scope, id: string): Promise<ListenerRow | undefined> {
  const { rows } = await sql<ListenerRow>`
    select ${columns} from webhook_listeners l where l.tenant_id = ${tenantId} and l.id = ${id}
    for no key update of l`.execute(tx)
  return rows[0]
}

async function listListeners(
  tx: Tx,
  { tenantId }: Scope,
  { open }: { open?: boolean },
  page: { limit: number; beforeId: string | undefined },
): Promise<ListenerRow[]> {
  const wanted = open === undefined ? sql`` : open ? sql`and not ${ended}` : sql`and ${ended}`
  const behind = page.beforeId === undefined ? sql`` : sql`and l.id < ${page.beforeId}`
  const { rows } = await sql<ListenerRow>`
    select ${columns} from webhook_listeners l where l.tenant_id = ${tenantId} ${wanted} ${behind}
    order by l.id desc limit ${page.limit + 1}`.execute(tx)
  return rows
}

/** Ends it. What was forwarded stays for a week. */
async function endListener(tx: Tx, { tenantId }: Scope, id: string): Promise<void> {
  await sql`
    update webhook_listeners set ended_at = clock_timestamp(), connection = null, connected_until = null
    where tenant_id = ${tenantId} and id = ${id} and ended_at is null`.execute(tx)
}

export const listenerRows = { find: findListener, lock: lockListener, list: listListeners, remove: endListener }

/** How many are open; two creations at once wait for each other, so that the limit holds. */
export async function countListeners(tx: Tx, { tenantId }: Scope): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('webhook_listeners'), ${tenantId}::integer)`.execute(tx)
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from webhook_listeners l where l.tenant_id = ${tenantId} and not ${ended}`.execute(tx)
  return rows[0]!.n
}

export type NewListener = {
  id: string
  name: string | null
  forwardTo: string
  eventTypes: string[] | null
  webhookId: string | null
  sealedSecret: string | null
}

export async function insertListener(tx: Tx, { tenantId }: Scope, listener: NewListener): Promise<void> {
  const { id, name, forwardTo, eventTypes, webhookId, sealedSecret } = listener
  await sql`
    insert into webhook_listeners (tenant_id, id, name, forward_to, event_types, webhook_id, secret, open_until)
    values (${tenantId}, ${id}, ${name}, ${forwardTo}, ${eventTypes}, ${webhookId}, ${sealedSecret},
      clock_timestamp() + make_interval(secs => ${awaySeconds}))`.execute(tx)
}

/** Gives the listener to a connection, or says that the connection still lives. */
export async function holdListener(tx: Tx, { tenantId }: Scope, id: string, connection: string): Promise<void> {
  await sql`
    update webhook_listeners set connection = ${connection},
      connected_until = clock_timestamp() + make_interval(secs => ${connectedSeconds}),
      open_until = clock_timestamp() + make_interval(secs => ${awaySeconds})
    where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
}

/** The connection is gone. A newer one is left as it is. */
export async function releaseListener(tx: Tx, { tenantId }: Scope, id: string, connection: string): Promise<void> {
  await sql`
    update webhook_listeners set connected_until = null
    where tenant_id = ${tenantId} and id = ${id} and connection = ${connection}`.execute(tx)
}

export type ListenerTarget = {
  isEnded: boolean
  connection: string | null
  webhook_id: string | null
  /** Those that sign now, sealed; null where the webhook is gone. */
  secret: string | null
  previous_secret: string | null
}

export type WaitingEvent = SentEvent & { attempt: number }

/** What signs, and the first of what waits for an answer, oldest first. */
export async function readWaiting(
  tx: Tx,
  { tenantId }: Scope,
  id: string,
  limit: number,
): Promise<{ target: ListenerTarget | undefined; waiting: WaitingEvent[] }> {
  const [targets, waiting] = await Promise.all([
    sql<ListenerTarget>`
      select ${ended} as "isEnded", l.connection, l.webhook_id, coalesce(l.secret, e.secret) as secret,
        case when e.previous_until > clock_timestamp() then e.previous_secret end as previous_secret
      from webhook_listeners l left join webhook_endpoints e on e.tenant_id = l.tenant_id and e.id = l.webhook_id
      where l.tenant_id = ${tenantId} and l.id = ${id}`.execute(tx),
    sql<WaitingEvent>`
      select d.event_id, d.event_type, d.attempt, e.at, e.sequence, e.data::text as data
      from webhook_listener_deliveries d cross join lateral event_at(d.tenant_id, d.event_id) e
      where d.tenant_id = ${tenantId} and d.listener_id = ${id} and d.status = 'pending'
      order by d.event_id limit ${limit}`.execute(tx),
  ])
  return { target: targets.rows[0], waiting: waiting.rows }
}

/** Writes down what was answered. What is reported of an attempt before the present one, or twice, is left out. */
export async function storeResults(
  tx: Tx,
  { tenantId }: Scope,
  id: string,
  results: readonly ReportedResult[],
): Promise<number> {
  const entries = results.map(({ eventId, attempt, status, error, durationMs, reply }) => ({
    event_id: eventId,
    attempt,
    status: succeeded({ status: status ?? undefined }) ? 'delivered' : 'failed',
    code: status,
    error: status === null ? (error ?? 'failed') : null,
    ms: durationMs,
    reply: reply?.replaceAll('\0', '') ?? null,
  }))
  const { rows } = await sql`
    update webhook_listener_deliveries d set status = r.status, last_status = r.code, last_error = r.error,
      duration_ms = r.ms, reply = r.reply, finished_at = clock_timestamp()
    from json_to_recordset(${JSON.stringify(entries)}::json)
      as r (event_id text, attempt integer, status text, code smallint, error text, ms integer, reply text)
    where d.tenant_id = ${tenantId} and d.listener_id = ${id} and d.event_id = r.event_id and d.attempt = r.attempt
      and d.status = 'pending'
    returning d.event_id`.execute(tx)
  return rows.length
}

export type ForwardedRow = {
  listener_id: string
  event_id: string
  event_type: string
  status: DeliveryStatus
  attempt: number
  finished_at: string | null
  duration_ms: number | null
  last_status: number | null
  last_error: ErrorWord | null
  reply: string | null
}

export type ForwardedFilter = { status?: DeliveryStatus | undefined }

/** What was forwarded to a listener and what waits, the newest events first, one more than `limit` when there are more. */
export async function listForwarded(
  tx: Tx,
  { tenantId }: Scope,
  id: string,
  { status }: ForwardedFilter,
  page: { limit: number; behindId: string | undefined },
): Promise<ForwardedRow[]> {
  const isOf = status === undefined ? sql`` : sql`and status = ${status}`
  const behind = page.behindId === undefined ? sql`` : sql`and event_id < ${page.behindId}`
  const { rows } = await sql<ForwardedRow>`
    select listener_id, event_id, event_type, status, attempt, finished_at, duration_ms, last_status, last_error, reply
    from webhook_listener_deliveries
    where tenant_id = ${tenantId} and listener_id = ${id} ${isOf} ${behind}
    order by event_id desc limit ${page.limit + 1}`.execute(tx)
  return rows
}

/** Lets an event wait for the listener again. One that waits already is left as it is; undefined where it was never sent there. */
export async function forwardAgain(
  tx: Tx,
  { tenantId }: Scope,
  id: string,
  eventId: string,
): Promise<ForwardedRow | undefined> {
  const { rows } = await sql<ForwardedRow>`
    update webhook_listener_deliveries set status = 'pending', finished_at = null,
      attempt = attempt + case when status = 'pending' then 0 else 1 end
    where tenant_id = ${tenantId} and listener_id = ${id} and event_id = ${eventId}
    returning listener_id, event_id, event_type, status, attempt, finished_at, duration_ms, last_status, last_error,
      reply`.execute(tx)
  return rows[0]
}
