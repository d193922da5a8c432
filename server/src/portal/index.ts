// What the server offers beside the API: the portal's session and pages for people, and documents for programs.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { clientKey } from '../kernel/access/limit.ts'
import type { Services } from '../kernel/endpoint/endpoint.ts'
import { Problem } from '../kernel/values/problem.ts'
import { registerDocuments } from './documents.ts'
import { registerSession } from './session.ts'
import { registerUnsubscribe } from './unsubscribe.ts'

export { portalFolders, preparePortal } from './build.ts'
export { openPortal } from './open.ts'
export { createPages, readBundle, type Showing } from './pages.ts'

export type PortalOptions = {
  services: Services
  /** Where people reach the server, when it was set. */
  publicUrl: string | undefined
  /** Requests a minute of one address that make documents again. */
  limitPerIp: number
  /** The OpenAPI document, asked for at the first request for something made of it. */
  document: () => object
}

/** Adds the routes that are no endpoints of the API; pages and files need none (see `createPages`). */
export function registerPortal(
  app: FastifyInstance,
  { services, publicUrl, limitPerIp, document }: PortalOptions,
): void {
  registerSession(app, services, publicUrl)
  registerUnsubscribe(app, services)
  registerDocuments(app, {
    document,
    origin: request => publicUrl ?? originOf(request),
    async charge(request) {
      const decision = await services.limiter.take(clientKey(request.ip), limitPerIp, services.clock.now())
      if (!decision.allowed)
        throw new Problem('rate_limited', { headers: { 'retry-after': String(decision.retryAfterSeconds) } })
    },
  })
}

/** Scheme and host a request came by, behind trusted proxies what they report. */
function originOf({ protocol, host }: FastifyRequest): string {
  const address = `${protocol}://${host}`
  // HTTP/1.0 needs no Host.
  return URL.canParse(address) ? new URL(address).origin : 'http://localhost'
}
