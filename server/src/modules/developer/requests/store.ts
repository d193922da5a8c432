// SQL of the request log.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/db.ts'
import { type IdRange, scanRows } from '../newest.ts'

export type RequestRow = {
  id: string
  at: string
  method: string
  path: string
  endpoint_id: string | null
  status: number
  duration_ms: number
  problem: string | null
  user_id: number | null
  key_id: string | null
  ip: string | null
}

/** What a row must fulfil beyond its id; null asks nothing. */
export type RequestFilter = {
  visibleUser: number | null
  method: string | null
  statusFrom: number | null
  statusTo: number | null
  pathPrefix: string | null
  endpointId: string | null
  keyId: string | null
  userId: number | null
  problem: string | null
  after: string | null
  before: string | null
}

/** Matching rows among the newest `scanRows` of a range, newest first, at most one more than `limit`. */
export async function listRequests(
  tx: Tx,
  scope: Scope,
  range: IdRange,
  filter: RequestFilter,
  limit: number,
): Promise<RequestRow[]> {
  const f = filter
  const { rows } = await sql<RequestRow>`
    select id, at, method, path, endpoint_id, status, duration_ms, problem, user_id, key_id, ip
    from (
      select * from request_log
      where tenant_id = ${scope.tenantId} and id >= ${range.from} and id < ${range.before}
      order by id desc limit ${scanRows}
    ) as newest
    where (${f.visibleUser}::bigint is null or user_id = ${f.visibleUser}::bigint)
      and (${f.method}::text is null or method = ${f.method}::text)
      and (${f.statusFrom}::integer is null or status between ${f.statusFrom}::integer and ${f.statusTo}::integer)
      and (${f.pathPrefix}::text is null or starts_with(path, ${f.pathPrefix}::text))
      and (${f.endpointId}::text is null or endpoint_id = ${f.endpointId}::text)
      and (${f.keyId}::text is null or key_id = ${f.keyId}::text)
      and (${f.userId}::bigint is null or user_id = ${f.userId}::bigint)
      and (${f.problem}::text is null or problem = ${f.problem}::text)
      and (${f.after}::timestamptz is null or at >= ${f.after}::timestamptz)
      and (${f.before}::timestamptz is null or at < ${f.before}::timestamptz)
    order by id desc limit ${limit + 1}`.execute(tx)
  return rows
}

export async function findRequest(tx: Tx, scope: Scope, id: string): Promise<RequestRow | undefined> {
  const row = await tx
    .selectFrom('request_log')
    .select([
      'id',
      'at',
      'method',
      'path',
      'endpoint_id',
      'status',
      'duration_ms',
      'problem',
      'user_id',
      'key_id',
      'ip',
    ])
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row
}
