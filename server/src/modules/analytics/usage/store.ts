// SQL of usage: counters of requests and of refusals, summed by bucket and group. The requests themselves are not read.
import { type RawBuilder, sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { durationBounds } from '../../../kernel/request_log/usage.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import type { TimeAxis } from '../rules.ts'
import type { Grouping, UsageCell } from './rules.ts'

/** Which requests count; null asks nothing. */
export type UsageFilter = {
  userId: number | null
  endpointId: string | null
  keyId: string | null
  sources: readonly string[]
}

const groupColumns: Record<Grouping, RawBuilder<unknown>> = {
  none: sql`''`,
  endpoint: sql`endpoint_id`,
  key: sql`key_id`,
  status: sql`status_class`,
  source: sql`source`,
}

const durationSums = sql.raw(
  `array[${Array.from({ length: durationBounds.length + 1 }, (_, n) => `sum(durations[${n + 1}])`).join(', ')}]::float8[]`,
)

/** What was counted, by bucket of the axis and by group. */
export async function listUsage(
  tx: Tx,
  scope: Scope,
  { bounds }: TimeAxis,
  filter: UsageFilter,
  grouping: Grouping,
): Promise<UsageCell[]> {
  const instants = bounds.map(isoMs)
  const { rows } = await sql<UsageCell>`
    select width_bucket(hour, ${instants}::timestamptz[]) as bucket, ${groupColumns[grouping]} as grp,
      sum(requests)::bigint as requests,
      coalesce(sum(requests) filter (where status_class = '5xx'), 0)::bigint as errors,
      coalesce(sum(requests) filter (where status_class = '4xx'), 0)::bigint as refused,
      coalesce(sum(requests) filter (where status_class = '429'), 0)::bigint as limited,
      ${durationSums} as durations
    from request_usage
    where tenant_id = ${scope.tenantId} and hour >= ${instants[0]} and hour < ${instants.at(-1)} and ${counts(filter)}
    group by 1, 2`.execute(tx)
  return rows
}

function counts({ userId, endpointId, keyId, sources }: UsageFilter): RawBuilder<unknown> {
  return sql`(${userId}::bigint is null or user_id = ${userId}::bigint)
      and (${endpointId}::text is null or endpoint_id = ${endpointId}::text)
      and (${keyId}::text is null or key_id = ${keyId}::text)
      and source = any (${sources}::text[])`
}

/** Names of keys of the organization, by id. */
export async function listKeyNames(tx: Tx, scope: Scope, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from api_keys where organization_id = ${scope.organizationId} and id = any (${ids}::text[])`.execute(
    tx,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export type RefusalRow = {
  endpoint_id: string
  problem: string
  status: number
  requests: number
  last_request_id: string
  last_at: string
}

/** Refusals by endpoint, problem and status, the most frequent first. */
export async function listRefusals(
  tx: Tx,
  scope: Scope,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  filter: UsageFilter,
  limit: number,
): Promise<RefusalRow[]> {
  const { rows } = await sql<RefusalRow>`
    select endpoint_id, problem, status, sum(requests)::bigint as requests,
      (array_agg(last_request_id order by last_at desc, last_request_id desc))[1] as last_request_id,
      max(last_at) as last_at
    from request_refusals
    where tenant_id = ${scope.tenantId} and hour >= ${isoMs(fromMs)} and hour < ${isoMs(toMs)} and ${counts(filter)}
    group by endpoint_id, problem, status
    order by requests desc, last_at desc limit ${limit}`.execute(tx)
  return rows
}
