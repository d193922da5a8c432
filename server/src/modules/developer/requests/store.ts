// SQL of the request log.
import { type RawBuilder, sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { RequestSource } from '../../../kernel/request_log/request_detail.ts'
import { endOfScan, type IdRange, scanRows } from '../newest_store.ts'

const columns = sql.raw(
  'id, at, method, path, endpoint_id, status, duration_ms, problem, user_id, key_id, ip, source, resource_id',
)

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
  source: RequestSource
  resource_id: string | null
}

/** A row with what is kept beside it; `kept_at` is null when nothing is. */
export type RequestDetailRow = RequestRow & {
  query: string | null
  kept_at: string | null
  headers: Record<string, string> | null
  body: string | null
  response: string | null
  note: string | null
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
  sources: readonly string[] | null
  resourceId: string | null
  after: string | null
  before: string | null
}

/**
 * Matching rows among the newest `scanRows` of a range, newest first, at most one more than `limit`. Those of one resource
 * are reached by their own index, however old they are: then the newest `scanRows` are counted among its own.
 */
export async function listRequests(
  tx: Tx,
  scope: Scope,
  range: IdRange,
  filter: RequestFilter,
  limit: number,
): Promise<RequestRow[]> {
  const f = filter
  const { rows } = await sql<RequestRow>`
    select ${columns} from (
      select * from request_log
      where tenant_id = ${scope.tenantId} and id >= ${range.from} and id < ${range.before} ${ofResource(f.resourceId)}
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
      and (${f.sources}::text[] is null or source = any (${f.sources}::text[]))
      and (${f.after}::timestamptz is null or at >= ${f.after}::timestamptz)
      and (${f.before}::timestamptz is null or at < ${f.before}::timestamptz)
    order by id desc limit ${limit + 1}`.execute(tx)
  return rows
}

function ofResource(resourceId: string | null): RawBuilder<unknown> {
  return resourceId === null ? sql`` : sql`and resource_id = ${resourceId}`
}

/** The id of the last row that `listRequests` looks at; undefined when it looks at the whole range. */
export async function endOfList(
  tx: Tx,
  scope: Scope,
  range: IdRange,
  { resourceId }: RequestFilter,
): Promise<string | undefined> {
  if (resourceId === null) return endOfScan(tx, scope, 'request_log', range)
  const { rows } = await sql<{ id: string }>`
    select id from request_log
    where tenant_id = ${scope.tenantId} and id >= ${range.from} and id < ${range.before} ${ofResource(resourceId)}
    order by id desc offset ${scanRows - 1} limit 1`.execute(tx)
  return rows[0]?.id
}

export async function findRequest(tx: Tx, scope: Scope, id: string): Promise<RequestRow | undefined> {
  const { rows } = await sql<RequestRow>`
    select ${columns} from request_log where tenant_id = ${scope.tenantId} and id = ${id}`.execute(tx)
  return rows[0]
}

/** A request with its query and what is kept of its headers and bodies. */
export async function findRequestDetail(tx: Tx, scope: Scope, id: string): Promise<RequestDetailRow | undefined> {
  const { rows } = await sql<RequestDetailRow>`
    select r.*, d.at as kept_at, d.headers, d.body, d.response, d.note
    from (select tenant_id, query, ${columns} from request_log where tenant_id = ${scope.tenantId} and id = ${id}) as r
    left join request_details d on d.tenant_id = r.tenant_id and d.request_id = r.id`.execute(tx)
  return rows[0]
}
