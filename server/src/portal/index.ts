// What the server offers beside the API: the portal's session and pages for people, and documents for programs.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '../kernel/endpoint.ts'
import { registerDocuments } from './documents.ts'
import { registerSession } from './session.ts'

export { portalFolders, preparePortal } from './build.ts'
export { createPages, readBundle, type Showing } from './pages.ts'

export type PortalOptions = {
  services: Services
  /** Where people reach the server, when it was set. */
  publicUrl: string | undefined
  /** The OpenAPI document, asked for at the first request for something made of it. */
  document: () => object
}

/** Adds the routes that are no endpoints of the API; pages and files need none (see `createPages`). */
export function registerPortal(app: FastifyInstance, { services, publicUrl, document }: PortalOptions): void {
  registerSession(app, services, publicUrl)
  registerDocuments(app, document, request => publicUrl ?? originOf(request))
}

/** Scheme and host a request came by, behind trusted proxies what they report. */
function originOf({ protocol, host }: FastifyRequest): string {
  const address = `${protocol}://${host}`
  // HTTP/1.0 needs no Host.
  return URL.canParse(address) ? new URL(address).origin : 'http://localhost'
}
