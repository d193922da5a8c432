// SQL of deliveries that are to be sent again: one, or those of a time.
import { type RawBuilder, sql } from 'kysely'
import type { Scope, Tx } from '../../kernel/data/db.ts'
import { isoMs } from '../../kernel/values/clock.ts'
import { firstIdAt, timeOfId } from '../../kernel/values/ids.ts'
import { callbackTarget } from './delivery_id.ts'
import { type FoundDelivery, lanesOf, slackMs, targetNumber, typeIs } from './delivery_store.ts'

export const replayScopes = ['failed', 'undelivered', 'all'] as const

export type ReplayFilter = {
  scope: (typeof replayScopes)[number]
  /** What the webhook hears of, and what is asked for; null and undefined are all. */
  listensTo: readonly string[] | null
  eventTypes: readonly string[] | undefined
  from: string
  to: string
}

/** Most deliveries one request sends again. */
export const maxReplay = 10_000
/** Events that are looked at by one statement, and statements of one request: what is far apart is looked for by several requests. */
const looks = { pageEvents: 20_000, maxPages: 25, most: maxReplay }
/** How far the clocks of nodes and of the database may be apart. */
const clocksMs = 1_000

/** Where it is sent is known from the event: a callback's address. `next_at` is when it would be tried again by itself, if later. */
type Replayed = { id: string; type: string; callback_url: string | null; next_at: string | null }
type Page = { seen: number; last: string | null; found: Replayed[] }

/**
 * Makes deliveries of a time wait for a new round of attempts, the oldest first, at most `maxReplay`. Those that are due already are
 * left as they are; those that failed and wait for a later attempt are due now.
 * @returns how many, and the time to go on from when there are more
 */
export async function replayRange(
  tx: Tx,
  { tenantId }: Scope,
  target: string,
  { from, to, ...filter }: ReplayFilter,
  bounds: Partial<typeof looks> = {},
): Promise<{ replayed: number; continueFrom: string | null }> {
  const { pageEvents, maxPages, most } = { ...looks, ...bounds }
  const before = firstIdAt('evt', Date.parse(to) + slackMs)
  const wanted = sql`e.at >= ${from}::timestamptz and e.at < ${to}::timestamptz and ${isWanted(target, filter)}`
  const found: Page['found'] = []
  let fromId = firstIdAt('evt', Date.parse(from) - slackMs)
  let next: string | null = null
  for (let pages = 1; ; pages++) {
    const page = await readPage(tx, tenantId, target, { from: fromId, before, pageEvents, most }, wanted)
    found.push(...page.found)
    if (found.length > most) next = found[most]!.id
    else if (pages === maxPages && page.seen === pageEvents) next = page.last
    if (next !== null || page.seen < pageEvents) break
    fromId = `${page.last}0`
  }
  const taken = found.slice(0, most)
  const dropped = await dropPlanned(tx, tenantId, target, taken)
  // What became due while this was read is sent by itself.
  const waiting = taken.filter(event => event.next_at === null || dropped.has(event.id))
  await sendAgain(tx, tenantId, target, waiting)
  return { replayed: Math.min(found.length, most), continueFrom: next === null ? null : goOnFrom(next, from) }
}

/**
 * Where to go on behind what was read in the order of ids: the time of an id, for events that have later ids were recorded later than
 * that, but not in the order of their ids. What is met twice is sent twice at most in scope `all`.
 */
function goOnFrom(id: string, from: string): string {
  const [made, asked] = [timeOfId(id), Date.parse(from)]
  // It has to get on, too.
  return isoMs(made - clocksMs > asked ? made - clocksMs : Math.max(made, asked))
}

/** The next events of a range, and which of them are wanted (a condition on event `e` and its delivery `d`). */
async function readPage(
  tx: Tx,
  tenantId: number,
  target: string,
  ids: { from: string; before: string; pageEvents: number; most: number },
  wanted: RawBuilder<unknown>,
): Promise<Page> {
  const { rows } = await sql<Page>`
    with page as materialized (
      select * from event_heads(${tenantId}, ${ids.from}, ${ids.before}, ${ids.pageEvents})
    )
    select count(*)::integer as seen, max(p.id) as last, (
      select coalesce(json_agg(f order by f.id), '[]') from (
        select e.id, e.type, e.callback_url, case when d.status = 'pending' then d.next_at end as next_at
        from page e
        left join webhook_deliveries d on d.tenant_id = ${tenantId} and d.target = ${targetNumber(tenantId, target)} and d.event_id = e.id
        where e.resource_id is not null and ${wanted}
          and (d.event_id is not null or e.id not in (
            select u.event_id from webhook_jobs j cross join unnest(j.event_ids) as u (event_id)
            where j.tenant_id = ${tenantId} and ${lanesOf(target)} and u.event_id >= ${ids.from} and u.event_id < ${ids.before}))
        order by e.id limit ${ids.most + 1}
      ) f) as found
    from page p`.execute(tx)
  return rows[0]!
}

/** Which events, by their type and by what became of their delivery. */
function isWanted(
  target: string,
  { scope, listensTo, eventTypes }: Pick<ReplayFilter, 'scope' | 'listensTo' | 'eventTypes'>,
): RawBuilder<unknown> {
  // A moment before it is due it may be under way.
  const waits = sql`d.status = 'pending' and d.next_at > clock_timestamp() + interval '1 second'`
  const fared =
    scope === 'failed'
      ? sql`(d.status = 'failed' or ${waits})`
      : scope === 'undelivered'
        ? sql`(d.status is null or d.status = 'failed' or ${waits})`
        : sql`(d.status is distinct from 'pending' or ${waits})`
  return sql`${fared} and ${typeIs(sql`e.type`, listensTo)} and ${typeIs(sql`e.type`, eventTypes)}
    and ${target === callbackTarget ? sql`e.callback_url is not null` : notItsOwn(target)}`
}

/** As queue_deliveries of 0057_message_moves.sql has it. */
function notItsOwn(webhookId: string): RawBuilder<unknown> {
  return sql`e.type <> 'webhook.test' and not (e.type like 'webhook.%' and e.resource_id = ${webhookId})`
}

/** Makes one delivery wait for a new round of attempts, now; a try that was planned for later is dropped. */
export async function replayOne(
  tx: Tx,
  { tenantId }: Scope,
  {
    target,
    event_id,
    event_type,
    url,
    next_at,
  }: Pick<FoundDelivery, 'target' | 'event_id' | 'event_type' | 'url' | 'next_at'>,
): Promise<void> {
  const event = { id: event_id, type: event_type, callback_url: url, next_at }
  await dropPlanned(tx, tenantId, target, [event])
  await sendAgain(tx, tenantId, target, [event])
}

/** The lane of an event whose `url` is known. */
function laneOf(target: string): RawBuilder<unknown> {
  return target === callbackTarget ? sql`'cb:' || substring(e.url from '^[a-z]+://[^/?#]+')` : sql`${target}::text`
}

/** Drops tries that were planned for later. @returns of which events */
async function dropPlanned(
  tx: Tx,
  tenantId: number,
  target: string,
  events: readonly Replayed[],
): Promise<ReadonlySet<string>> {
  const planned = events.filter(event => event.next_at !== null)
  if (planned.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    delete from webhook_jobs j
    using unnest(${planned.map(event => event.id)}::text[], ${planned.map(event => event.callback_url)}::text[],
      ${planned.map(event => event.next_at)}::timestamptz[]) as e (id, url, next_at)
    where j.tenant_id = ${tenantId} and j.lane = ${laneOf(target)} and j.due_at = e.next_at and j.event_ids = array[e.id]
      and j.due_at > clock_timestamp()
    returning e.id`.execute(tx)
  return new Set(rows.map(row => row.id))
}

async function sendAgain(tx: Tx, tenantId: number, target: string, events: readonly Replayed[]): Promise<void> {
  if (events.length === 0) return
  const isCallback = target === callbackTarget
  const given = sql`unnest(${events.map(event => event.id)}::text[], ${events.map(event => event.type)}::text[],
    ${events.map(event => (isCallback ? event.callback_url : null))}::text[]) as e (id, type, url)`
  await sql`
    insert into webhook_deliveries as d (tenant_id, target, event_id, event_type, url, status, attempts, tries, next_at, log)
    select ${tenantId}, ${targetNumber(tenantId, target)}, e.id, e.type, e.url, 'pending', 0, 0, clock_timestamp(), '[]' from ${given}
    on conflict on constraint webhook_deliveries_pkey do update set status = 'pending', tries = 0,
      next_at = clock_timestamp()`.execute(tx)
  const lane = laneOf(target)
  await sql`
    insert into webhook_jobs (tenant_id, lane, due_at, event_ids)
    select ${tenantId}, m.lane, clock_timestamp(), array_agg(m.id order by m.n)
    from (
      select e.id, ${lane} as lane, row_number() over (partition by ${lane} order by e.id) as n from ${given}
    ) m
    group by m.lane, job_of(m.n)`.execute(tx)
}
