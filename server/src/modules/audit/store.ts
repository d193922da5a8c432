// SQL of the audit log: its events with what names people and their places in the chain.
import { type RawBuilder, sql } from 'kysely'
import type { Scope, Tx } from '../../kernel/data/db.ts'
import { containing } from '../../kernel/data/like.ts'
import type { ListedRow } from './present.ts'

export type EventFilters = {
  action?: string | undefined
  actor?: string | undefined
  actorType?: string | undefined
  target?: string | undefined
  outcome?: string | undefined
  ip?: string | undefined
  q?: string | undefined
  /** ISO 8601. */
  from?: string | undefined
  to?: string | undefined
}

const columns =
  sql.raw(`e.id, e.at, e.action, e.actor_type, e.actor_id, e.on_behalf_of, e.outcome, e.reason, e.target_types,
  e.target_ids, e.context, e.before, e.after, e.digests, c.position, c.hash,
  coalesce((select p.hash from audit_chain p where p.organization_id = c.organization_id and p.position = c.position - 1),
    (select x.hash from audit_expired x where x.organization_id = c.organization_id and x.position = c.position - 1)) as previous,
  (select json_agg(json_build_object('field', l.field, 'label', l.label, 'salt', l.salt) order by l.field) from audit_labels l
   where l.organization_id = e.organization_id and l.event_id = e.id) as labels`)
const rows = sql.raw(
  'audit_events e left join audit_chain c on c.organization_id = e.organization_id and c.event_id = e.id',
)

export async function findEvent(tx: Tx, { organizationId }: Scope, id: string): Promise<ListedRow | undefined> {
  const found = await sql<ListedRow>`
    select ${columns} from ${rows} where e.organization_id = ${organizationId} and e.id = ${id}`.execute(tx)
  return found.rows[0]
}

/** Newest first, one more than `limit` when there are more. */
export async function listEvents(
  tx: Tx,
  scope: Scope,
  filters: EventFilters,
  { limit, beforeId }: { limit: number; beforeId: string | undefined },
): Promise<ListedRow[]> {
  const conditions = conditionsOf(scope, filters)
  if (beforeId !== undefined) conditions.push(sql`e.id < ${beforeId}`)
  const found = await sql<ListedRow>`
    select ${columns} from ${rows} where ${sql.join(conditions, sql` and `)} order by e.id desc limit ${limit + 1}`.execute(
    tx,
  )
  return found.rows
}

/** Each filter makes a statement of its own: a plan that must also do without it could not go by its index. */
function conditionsOf({ organizationId }: Scope, filters: EventFilters): RawBuilder<unknown>[] {
  const { action, actor, actorType, target, outcome, ip, q, from, to } = filters
  const conditions = [sql`e.organization_id = ${organizationId}`]
  const labelled = (test: RawBuilder<unknown>) => sql`exists (
    select from audit_labels l where l.organization_id = e.organization_id and l.event_id = e.id and ${test})`
  if (action !== undefined)
    conditions.push(
      action.endsWith('.*') ? sql`starts_with(e.action, ${action.slice(0, -1)})` : sql`e.action = ${action}`,
    )
  if (actor !== undefined) conditions.push(sql`(e.actor_id = ${actor} or e.on_behalf_of = ${actor})`)
  if (actorType !== undefined) conditions.push(sql`e.actor_type = ${actorType}`)
  if (target !== undefined) conditions.push(targetOf(target))
  if (outcome !== undefined) conditions.push(sql`e.outcome = ${outcome}`)
  if (ip !== undefined) conditions.push(labelled(sql`l.field = '/context/ip' and l.label = ${ip}`))
  if (from !== undefined) conditions.push(sql`e.at >= ${from}::timestamptz`)
  if (to !== undefined) conditions.push(sql`e.at < ${to}::timestamptz`)
  if (q !== undefined) {
    const like = containing(q)
    conditions.push(sql`(e.action ilike ${like} or e.reason ilike ${like} or array_to_string(e.target_ids, ' ') ilike ${like}
      or e.before::text ilike ${like} or e.after::text ilike ${like} or ${labelled(sql`l.label ilike ${like}`)})`)
  }
  return conditions
}

/** `user:12`, or an id that says by itself what it is. */
function targetOf(target: string): RawBuilder<unknown> {
  const at = target.indexOf(':')
  const [type, id] = at === -1 ? [undefined, target] : [target.slice(0, at), target.slice(at + 1)]
  const named = sql`e.target_ids @> array[${id}]::text[]`
  return type === undefined ? named : sql`${named} and ${type} = any (e.target_types)`
}
