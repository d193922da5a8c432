// Writes answers with one call and one header list, past the reply machinery of Fastify: those of the API, which all are
// JSON with the same headers, and the pages and files of a web site beside it on the same origin.
import type { ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { limitHeaders } from '../access/limit.ts'
import { closedHeaders, closedPolicy } from './closed_headers.ts'

/** Answers of so many characters are worth the time that packing takes. */
const packFrom = 16_384
/** Level 4 takes half of level 6's time and packs JSON nearly as well. */
const pack = promisify(gzip)

/** Whether a client takes gzip (RFC 9110 §12.5.3). */
export function takesGzip(header: unknown): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|\s|$))/i.test(String(header ?? ''))
}

/** Answers with JSON and what was set on the reply; the hottest path there is. Large answers are packed behind it. */
export function send(request: FastifyRequest, reply: FastifyReply, status: number, body: string): void {
  if (body.length >= packFrom && request.method !== 'HEAD') {
    const before = reply.getHeader('vary')
    reply.header('vary', before === undefined ? 'accept-encoding' : `${before}, accept-encoding`)
    if (takesGzip(request.headers['accept-encoding'])) {
      reply.hijack()
      void sendPacked(request, reply, status, body)
      return
    }
  }
  const length = String(Buffer.byteLength(body))
  const kind = ['content-type', 'application/json; charset=utf-8', 'content-length', length]
  sendHead(request, reply, status, kind).end(request.method === 'HEAD' ? undefined : body)
}

async function sendPacked(request: FastifyRequest, reply: FastifyReply, status: number, body: string): Promise<void> {
  const packed = await pack(body, { level: 4 })
  const kind = ['content-type', 'application/json; charset=utf-8', 'content-encoding', 'gzip']
  sendHead(request, reply, status, [...kind, 'content-length', String(packed.length)]).end(packed)
}

/** Writes the head every answer of the API has, after the headers of its `kind`, and hands over what the body goes to. */
export function sendHead(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  kind: readonly string[],
): ServerResponse {
  const { state } = request
  const headers = [
    ...kind,
    'cache-control',
    'no-store',
    'x-content-type-options',
    'nosniff',
    'referrer-policy',
    'no-referrer',
    'x-request-id',
    request.id,
    'server-timing',
    `total;dur=${elapsedMs(state.startedMs).toFixed(1)}`,
  ]
  if (!kind.includes('content-security-policy')) headers.push('content-security-policy', closedPolicy)
  if (state.decision !== undefined) {
    const limits = limitHeaders(state.limitName, state.decision)
    for (const name in limits) headers.push(name, limits[name] as string)
  }
  const own = reply.getHeaders()
  for (const name in own) for (const value of [own[name]].flat()) headers.push(name, String(value))
  reply.hijack()
  reply.raw.writeHead(status, headers)
  return reply.raw
}

/** One answer of a site, complete: `headers` is a flat list of names and values, without Content-Length. */
export type SiteAnswer = { status: number; headers: readonly string[]; body: string | Buffer }

/** Answers a GET or HEAD for which there is no route (and `/`), or undefined when it has nothing there. */
export type Site = (request: FastifyRequest) => SiteAnswer | undefined

/** Writes the answer as it is; a HEAD gets its headers only. */
export function sendSite(request: FastifyRequest, reply: FastifyReply, { status, headers, body }: SiteAnswer): void {
  // 304 has no body, and its Content-Length would be that of the body it saves (RFC 9110 §8.6).
  const length = status === 304 ? [] : ['content-length', String(Buffer.byteLength(body))]
  reply.hijack()
  const closed = Object.entries(closedHeaders).filter(([name]) => !headers.includes(name))
  reply.raw.writeHead(status, [...headers, ...closed.flat(), ...length, 'x-request-id', request.id])
  reply.raw.end(request.method === 'HEAD' || status === 304 ? undefined : body)
}

/** Milliseconds since a mark of `performance.now()`. */
export function elapsedMs(startedMs: number): number {
  return performance.now() - startedMs
}
