// One answered request as the request log takes it: who asked what from where, which object it was about, and what is
// kept of it beside.
import type { FastifyRequest } from 'fastify'
import type { Principal } from '../access/principal.ts'
import { resourceReader } from '../endpoint/resource.ts'
import { redactQuery, redactText } from '../values/redact.ts'
import type { LoggedRequest } from './logged_request.ts'
import { keepsDetail, requestDetail, sourceOf } from './request_detail.ts'

const maxPathLength = 500
const maxQueryLength = 2_000

/** Reads a request that `principal` made and that was answered with `status`. */
export function requestEntry(
  request: FastifyRequest,
  principal: Principal,
  { status, durationMs }: { status: number; durationMs: number },
): LoggedRequest {
  const { state, headers, method } = request
  const { endpoint, answer } = state
  const source = sourceOf(headers)
  const resource = endpoint === undefined ? null : resourceReader(endpoint)
  return {
    tenantId: principal.tenantId,
    timeZone: principal.settings.timeZone,
    id: request.id,
    atMs: state.now,
    method,
    path: loggedPath(request.originalUrl),
    query: loggedQuery(request.originalUrl),
    endpointId: endpoint?.id ?? null,
    resourceId: resource === null ? null : resource(request.params as Record<string, unknown>, answer),
    status,
    durationMs,
    problem: state.problem ?? null,
    userId: principal.userId,
    keyId: principal.keyId,
    source,
    ip: state.ip,
    detail: keepsDetail(endpoint, { status, source, method })
      ? requestDetail({ status, headers, body: request.rawBody ?? undefined, response: answer })
      : undefined,
  }
}

/** The path as it was sent, without the query, and without a credential that strayed into it. */
function loggedPath(url: string): string {
  const end = url.indexOf('?')
  const path = (end === -1 ? url : url.slice(0, end)).slice(0, maxPathLength)
  return path.includes('_') || path.includes('eyJ') || path.includes('%') ? redactText(path) : path
}

function loggedQuery(url: string): string | null {
  const at = url.indexOf('?')
  if (at === -1 || at === url.length - 1) return null
  const query = redactQuery(url.slice(at + 1))
  return query.length <= maxQueryLength ? query : `${query.slice(0, maxQueryLength - 1)}…`
}
