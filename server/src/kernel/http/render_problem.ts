// How a problem looks on the wire, in either version.
import { STATUS_CODES } from 'node:http'
import type { Problem } from '../values/problem.ts'

/**
 * The body of a refusal: v1 keeps the founding `{success, error, message}`, v2 its envelope; both carry the same code.
 * @param baseUrl where people reach the server, when that is known: the page of the code is given as an absolute URL then
 */
export function renderProblem(
  problem: Problem,
  version: 'v1' | 'v2',
  requestId: string,
  responseMs: number,
  baseUrl = '',
): string {
  const { code, message, details, entry, also } = problem
  if (version === 'v1') {
    const error = STATUS_CODES[entry.status] ?? 'Error'
    return JSON.stringify({ success: false, error, message, code, details, ...also, requestId })
  }
  return JSON.stringify({
    status: entry.status,
    error: { code, message, details, ...also, retriable: entry.retriable, docUrl: `${baseUrl}/errors/${code}` },
    meta: { requestId, responseTime: `${Math.round(responseMs)}ms` },
  })
}
