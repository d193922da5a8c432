// What operators and balancers ask of a node: whether it lives, whether it can serve, and how it does; and what finders of a
// vulnerability ask. None of it is limited or logged.
import type { FastifyInstance } from 'fastify'
import { bearerOf, challenge } from '../access/bearer.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { Clock } from '../values/clock.ts'
import { Problem } from '../values/problem.ts'
import { type MetricsAccess, mayReadMetrics, metricsRefusal } from './metrics_access.ts'
import { type Site, send, sendSite } from './send.ts'

export type OperationsOptions = {
  clock: Clock
  metrics: Metrics
  /** Who may read the metrics; see `mayReadMetrics`. */
  metricsAccess: MetricsAccess
  /** Where vulnerabilities are reported: an address with `mailto:` or `https:`. */
  securityContact?: string | undefined
  /** Pages and files served beside the API. */
  site?: Site
  /** Whether this node can serve now; the text says why not. */
  readiness(): Promise<string | undefined>
}

/** What the bare address answers, so that anyone who opens it finds the way. */
const index = JSON.stringify({
  name: 'Tandem',
  catalog: '/v2/catalog',
  openapi: '/v2/openapi.json',
  problems: '/v2/problems',
  health: '/readyz',
})

const expiresMs = 180 * 24 * 3_600_000

/** RFC 9116: where to report to, and until when that holds; never further than a year ahead (§2.5.5). */
function securityText(contact: string, publicUrl: string | undefined, nowMs: number): string {
  const expires = new Date(nowMs + expiresMs).toISOString().replace(/\.\d+/, '')
  const canonical = publicUrl === undefined ? [] : [`Canonical: ${publicUrl}/.well-known/security.txt`]
  return [`Contact: ${contact}`, `Expires: ${expires}`, ...canonical, 'Preferred-Languages: en', ''].join('\n')
}

/** Adds the routes of operators, and what the bare address answers. */
export function addOperations(
  app: FastifyInstance,
  { clock, metrics, metricsAccess, readiness, securityContact, site }: OperationsOptions,
): void {
  const config = { internal: true }
  app.get('/', { config }, async (request, reply) => {
    const page = site?.(request)
    reply.header('vary', 'Accept')
    if (page !== undefined) sendSite(request, reply, page)
    else send(request, reply, 200, index)
    return reply
  })
  if (securityContact !== undefined)
    app.get('/.well-known/security.txt', { config }, async (_request, reply) => {
      return reply.type('text/plain; charset=utf-8').send(securityText(securityContact, app.publicUrl, clock.now()))
    })
  app.get('/healthz', { config }, async (request, reply) => {
    send(request, reply, 200, '{"status":"ok"}')
    return reply
  })
  app.get('/readyz', { config }, async (request, reply) => {
    const reason = await readiness()
    if (reason === undefined) send(request, reply, 200, '{"status":"ready"}')
    else {
      reply.header('retry-after', '1')
      send(request, reply, 503, JSON.stringify({ status: 'unavailable', reason }))
    }
    return reply
  })
  app.get('/metrics', { config }, async (request, reply) => {
    if (!mayReadMetrics(request.raw, bearerOf(request.headers.authorization), metricsAccess))
      throw new Problem('missing_credentials', { ...challenge(), message: metricsRefusal })
    const { contentType, text } = await metrics.render()
    return reply.header('content-type', contentType).send(text)
  })
}
