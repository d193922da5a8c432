// Where the authorization server is, and what clients that know nothing yet read of it and of what it protects.
import type { OAuthIssuer } from '../../../kernel/access/tokens.ts'
import type { Permission } from '../../../kernel/values/permission.ts'

/** To read what people of sales and service read. Clients ask for more when a request is refused for want of it. */
const readingScopes: readonly Permission[] = [
  'profile:read',
  'leads:read',
  'contacts:read',
  'companies:read',
  'notes:read',
  'tasks:read',
  'messages:read',
  'calls:read',
]

/** @param base where people reach the server; undefined where it does not know */
export function issuerAt(base: string | undefined): OAuthIssuer | undefined {
  return base === undefined ? undefined : { issuer: `${base}/oauth`, audience: base }
}

const resourcePath = '/.well-known/oauth-protected-resource'

export function resourceMetadataAt(base: string | undefined): string | undefined {
  return base === undefined ? undefined : base + resourcePath
}

/** Where a client that has no token reads who gives one (RFC 9728 §2). @param part of the server: `/mcp`, or all of it */
export function resourceDocument(base: string, part: string) {
  return {
    resource: `${base}${part}`,
    authorization_servers: [`${base}/oauth`],
    jwks_uri: `${base}/.well-known/jwks.json`,
    scopes_supported: readingScopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Tandem',
    resource_documentation: `${base}/explorer`,
  }
}
