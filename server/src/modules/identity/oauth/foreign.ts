// Clients that no organization registered: what their documents and registrations may say.
import { permissions } from '../../../nouns.ts'
import { redirectFault } from './rules.ts'

export type Metadata = Record<string, unknown>

/** What is left of metadata that a client gives of itself: a public client that asks people. @returns a sentence where it cannot be one */
export function cleanMetadata(metadata: Metadata): Metadata | string {
  const uris = metadata['redirect_uris']
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > 20 || uris.some(uri => typeof uri !== 'string'))
    return 'redirect_uris must name 1 to 20 addresses'
  for (const uri of uris as string[]) {
    const fault = redirectFault(uri)
    if (fault !== undefined) return `redirect_uris: ${uri.slice(0, 200)} ${fault}`
  }
  const grants = metadata['grant_types'] ?? ['authorization_code']
  const known = ['authorization_code', 'refresh_token']
  if (!Array.isArray(grants) || grants.some(grant => !known.includes(grant as string)))
    return `grant_types may be ${known.join(' and ')}`
  const name = typeof metadata['client_name'] === 'string' ? metadata['client_name'].trim().slice(0, 100) : ''
  const scopes = typeof metadata['scope'] === 'string' ? metadata['scope'].split(' ') : []
  const asked = scopes.filter(scope => scope === 'offline_access' || Object.hasOwn(permissions, scope))
  return {
    ...(metadata['client_id'] === undefined ? {} : { client_id: metadata['client_id'] }),
    client_name: name === '' ? undefined : name,
    redirect_uris: uris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: (uris as string[]).some(uri => !uri.startsWith('https:')) ? 'native' : 'web',
    ...(asked.length === 0 ? {} : { scope: [...new Set([...asked, 'offline_access'])].join(' ') }),
    ...(isWebAddress(metadata['client_uri']) ? { client_uri: metadata['client_uri'] } : {}),
  }
}

function isWebAddress(value: unknown): boolean {
  return typeof value === 'string' && URL.parse(value)?.protocol === 'https:'
}
