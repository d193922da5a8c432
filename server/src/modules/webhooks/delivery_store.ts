// SQL of deliveries for those who look at them: lists, and one with all its attempts. What waits
// for its first attempt has no row yet: it is read from the jobs.
import { type RawBuilder, sql } from 'kysely'
import type { Scope, Tx } from '../../kernel/data/db.ts'
import type { ErrorWord } from '../../kernel/outbound/outbound.ts'
import { firstIdAt, timeOfId } from '../../kernel/values/ids.ts'
import { callbackTarget, eventsOf } from './delivery_id.ts'
import type { DeliveryStatus } from './rules.ts'

export type DeliveryRow = {
  event_id: string
  event_type: string
  /** What the event is about; null once the event is no longer kept. */
  resource_id: string | null
  /** Of a callback. */
  url: string | null
  status: DeliveryStatus
  attempts: number
  last_at: string | null
  next_at: string | null
  finished_at: string | null
  last_status: number | null
  last_error: ErrorWord | null
}

const columns = sql`event_id, event_type, url, status, attempts, last_at, next_at,
  case when status <> 'pending' then last_at end as finished_at, last_status, last_error`

export type DeliveryFilter = {
  status?: DeliveryStatus | undefined
  /** `message.sent` or `message.*`. */
  eventType?: string | undefined
  eventId?: string | undefined
  /** Of events about this resource. */
  resourceId?: string | undefined
  createdAfter?: string | undefined
  createdBefore?: string | undefined
}

/** Rows one page looks at when a filter matches little. */
const scanRows = 20_000
/** Newest jobs whose events a page looks at. */
const scanJobs = 500
/** An id is made a moment before the time its row records. */
export const slackMs = 60_000

/** Ids of events from `from` on, and below `before`; of one resource, where there is one. */
type Range = { from: string; before: string; resourceId: string | undefined }

function rangeOf(
  { eventId, resourceId, createdAfter: after, createdBefore: before }: DeliveryFilter,
  behindId: string | undefined,
): Range {
  let upper = before === undefined ? 'evt_z' : firstIdAt('evt', Date.parse(before))
  if (behindId !== undefined && behindId < upper) upper = behindId
  const lower = after === undefined ? 'evt_' : firstIdAt('evt', Date.parse(after))
  if (eventId === undefined) return { from: lower, before: upper, resourceId }
  // Nothing lies between an id and itself with a zero behind.
  return { from: eventId > lower ? eventId : lower, before: `${eventId}0` < upper ? `${eventId}0` : upper, resourceId }
}

/** What rows of deliveries have as their target. */
export function targetNumber(tenantId: number, target: string): RawBuilder<unknown> {
  return sql`webhook_target(${tenantId}, ${target})`
}

export function lanesOf(target: string): RawBuilder<unknown> {
  return target === callbackTarget ? sql`lane >= 'cb:' and lane < 'cb;'` : sql`lane = ${target}`
}

export function typeIs(column: RawBuilder<unknown>, types: readonly string[] | undefined | null): RawBuilder<unknown> {
  if (types === undefined || types === null) return sql`true`
  return sql`(${column} = any (${[...types]}::text[]) or split_part(${column}, '.', 1) || '.*' = any (${[...types]}::text[]))`
}

function isIn(
  eventId: RawBuilder<unknown>,
  tenantId: number,
  { from, before, resourceId }: Range,
): RawBuilder<unknown> {
  const between = sql`${eventId} >= ${from} and ${eventId} < ${before}`
  if (resourceId === undefined) return between
  // As an array, so that each event of the resource is looked up by the key.
  return sql`${between} and ${eventId} = any (array(select e.id from events_of(${tenantId}, ${resourceId}) e))`
}

/**
 * Deliveries to a target, the newest events first, at most one more than `limit`.
 * @param behindId the event of the last one of the page before
 * @returns with `reached`, the event behind which to go on, when the look ended before the range did
 */
export async function listDeliveries(
  tx: Tx,
  { tenantId }: Scope,
  target: string,
  filter: DeliveryFilter,
  page: { limit: number; behindId: string | undefined },
): Promise<{ rows: DeliveryRow[]; reached: string | undefined }> {
  const { status, eventType } = filter
  const range = rangeOf(filter, page.behindId)
  const inRange = sql`tenant_id = ${tenantId} and target = ${targetNumber(tenantId, target)} and ${isIn(sql`event_id`, tenantId, range)}`
  const isOf =
    status === undefined
      ? sql`true`
      : status === 'delivered'
        ? sql`status = 'delivered'`
        : sql`status <> 'delivered' and status = ${status}`
  const scanned = sql`from webhook_deliveries where ${inRange} and ${isOf} order by event_id desc`
  const waiting = status === undefined || status === 'pending' ? waitingIn(tenantId, target, range, page.limit) : null
  const types = eventType === undefined ? undefined : [eventType]
  const { rows } = await sql<DeliveryRow>`
    select found.*, e.resource_id from (
      select * from (
        select ${columns} from (select * ${scanned} limit ${scanRows}) as newest
        ${waiting === null ? sql`` : sql`union all select * from (${waiting}) as waiting`}
      ) as either
      where ${typeIs(sql`event_type`, types)}
      order by event_id desc limit ${page.limit + 1}
    ) as found left join lateral event_at(${tenantId}, found.event_id) e on true
    order by found.event_id desc`.execute(tx)
  if (rows.length > page.limit || types === undefined) return { rows, reached: undefined }
  const end = await sql<{ event_id: string }>`
    select event_id ${scanned} offset ${scanRows - 1} limit 1`.execute(tx)
  const reached = end.rows[0]?.event_id
  return { rows: reached === undefined ? rows : rows.filter(row => row.event_id >= reached), reached }
}

/** Events that wait for their first attempt, in the form of deliveries. */
function waitingIn(tenantId: number, target: string, range: Range, limit: number): RawBuilder<unknown> {
  // Events are written before they are due, so behind a cursor only jobs about as old can hold them.
  const dueBefore =
    range.before === 'evt_z' ? 'infinity' : new Date(timeOfId(range.before.slice(0, 30)) + slackMs).toISOString()
  return sql`
    select e.id as event_id, e.type as event_type, case when ${target} = ${callbackTarget} then e.callback_url end as url,
      'pending' as status, 0::smallint as attempts, null::timestamptz(3) as last_at, null::timestamptz(3) as next_at,
      null::timestamptz(3) as finished_at, null::smallint as last_status, null as last_error
    from (
      select distinct u.event_id
      from (
        select event_ids from webhook_jobs
        where tenant_id = ${tenantId} and ${lanesOf(target)} and tries = 0 and due_at <= ${dueBefore}::timestamptz
        order by due_at desc limit ${scanJobs}
      ) j cross join unnest(j.event_ids) as u (event_id)
      where ${isIn(sql`u.event_id`, tenantId, range)}
        and not exists (select from webhook_deliveries d
          where d.tenant_id = ${tenantId} and d.target = ${targetNumber(tenantId, target)} and d.event_id = u.event_id)
      order by u.event_id desc limit ${limit + 1}
    ) w cross join lateral event_at(${tenantId}, w.event_id) e`
}

/** More of one tenant than there can be. */
const eventsOfOneMs = 10_000

export type LogEntry = { at: string; ms: number; status?: number; error?: ErrorWord; reply?: string }

export type FoundDelivery = DeliveryRow & {
  target: string
  log: LogEntry[]
  at: string
  sequence: number
  data: string
}

/** The delivery of an id, with its event. */
export async function findDelivery(tx: Tx, { tenantId }: Scope, id: string): Promise<FoundDelivery | undefined> {
  const { first, last } = eventsOf(id)
  const { rows } = await sql<FoundDelivery>`
    select e.id as event_id, e.type as event_type, e.resource_id, t.target, e.at, e.sequence, e.data::text as data,
      case when t.target = ${callbackTarget} then e.callback_url end as url, coalesce(d.status, 'pending') as status,
      coalesce(d.attempts, 0) as attempts, d.last_at, d.next_at,
      case when d.status <> 'pending' then d.last_at end as finished_at, d.last_status, d.last_error,
      coalesce(attempts_of(d.log, d.took_ms, d.last_at, d.last_status), '[]') as log
    from event_heads(${tenantId}, ${first}, ${`${last}~`}, ${eventsOfOneMs}) h
    cross join lateral event_at(${tenantId}, h.id) e
    cross join lateral (
      select w.id as target, w.number from webhook_endpoints w where w.tenant_id = ${tenantId}
      union all
      select ${callbackTarget}, 0 where e.callback_url is not null
    ) t
    left join webhook_deliveries d on d.tenant_id = ${tenantId} and d.target = t.number and d.event_id = e.id
    where webhook_delivery_id(e.id, t.target) = ${id}
      and (d.event_id is not null or exists (
        select from webhook_jobs j
        where j.tenant_id = ${tenantId} and e.id = any (j.event_ids)
          and case when t.target = ${callbackTarget} then j.lane >= 'cb:' and j.lane < 'cb;' else j.lane = t.target end))
    limit 1`.execute(tx)
  return rows[0]
}

/** Asks for the first attempt of an event at a webhook, whatever its filter says. */
export async function insertJob(tx: Tx, { tenantId }: Scope, webhookId: string, eventId: string): Promise<void> {
  await sql`
    insert into webhook_jobs (tenant_id, lane, due_at, event_ids)
    values (${tenantId}, ${webhookId}, clock_timestamp(), array[${eventId}])`.execute(tx)
}
