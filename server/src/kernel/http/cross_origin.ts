// Pages of other origins (CORS, https://fetch.spec.whatwg.org/#http-cors-protocol). An origin that is let in may send requests with a token
// and read what is answered; cookies have no part in it, and what is asked without a token stays unreadable, a login among it.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { bearerOf } from '../access/bearer.ts'

/** Whether pages of an origin (`https://app.example.com`) are let in. */
export type LetsIn = (origin: string, nowMs: number) => Promise<boolean>

const api = /^\/v[12]\//
const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const maxAgeSeconds = 600
/** What a page may read beside the few headers that it always may. */
const readable =
  'X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Server-Timing, ETag, Idempotent-Replayed, WWW-Authenticate, Content-Disposition, Content-Range'
const token = /^[\w!#$%&'*+.^`|~-]+$/

/** Whether a request comes from a page of elsewhere that has a token, or whose browser asks whether it may send one. */
export function isFromElsewhere({ url, headers, method }: FastifyRequest): boolean {
  const { origin, host } = headers
  if (origin === undefined || !api.test(url) || URL.parse(origin)?.host === host) return false
  if (method !== 'OPTIONS') return bearerOf(headers.authorization) !== undefined
  return headers['access-control-request-method'] !== undefined && askedHeaders(headers).includes('authorization')
}

function askedHeaders(headers: FastifyRequest['headers']): string[] {
  const names = String(headers['access-control-request-headers'] ?? '')
    .toLowerCase()
    .split(/\s*,\s*/)
  return names.filter(name => token.test(name)).slice(0, 30)
}

/** Says what the page may do. @returns whether that was all that was asked, and is answered */
export async function answerElsewhere(request: FastifyRequest, reply: FastifyReply, letsIn: LetsIn): Promise<boolean> {
  const { origin = '' } = request.headers
  reply.header('vary', 'origin')
  if (!(await letsIn(origin, request.state.now))) return false
  reply.header('access-control-allow-origin', origin)
  if (request.method !== 'OPTIONS') {
    reply.header('access-control-expose-headers', readable)
    return false
  }
  // Nothing of it is worth a line in metrics or a log.
  request.state.recorded = true
  reply
    .code(204)
    .header('access-control-allow-methods', methods)
    .header('access-control-allow-headers', askedHeaders(request.headers).join(', '))
    .header('access-control-max-age', String(maxAgeSeconds))
    .header('x-request-id', request.id)
    .send()
  return true
}
