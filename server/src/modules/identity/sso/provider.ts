// The identity provider as openid-client talks to it: its document, the way there with code, PKCE, nonce and state (OpenID Connect Core
// 1.0 §3.1, RFC 7636), and what it says of a person, held against all that is known. Every request goes by the one way out.
import * as openid from 'openid-client'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { Outbound } from '../../../kernel/outbound/outbound.ts'
import { addressesOf, type ConnectionRow, secretSeal } from '../connections/index.ts'
import { wayFault } from './faults.ts'

const documentMs = 8_000
const replyBytes = 512 * 1024
/** A proof that was asked for again is no older. */
export const freshSeconds = 300

/** What is kept of a login between the way there and the way back. */
export type Checks = { state: string; nonce: string; verifier: string; isFresh: boolean }

export type Claims = Readonly<Record<string, unknown>> & { sub: string }

/** The provider of a connection. Its document and keys are fetched again for each login: one is enough, and none is out of date. */
export async function openProvider(
  { outbound, keyring }: Pick<Services, 'outbound' | 'keyring'>,
  { id, issuer, client_id, client_secret }: ConnectionRow,
): Promise<openid.Configuration> {
  const isPlain = issuer.startsWith('http:')
  const fetch = fetchBy(outbound)
  const found = await openid.discovery(new URL(issuer), client_id, undefined, openid.None(), {
    [openid.customFetch]: fetch,
    execute: isPlain ? [openid.allowInsecureRequests] : [],
    timeout: documentMs / 1_000,
  })
  const server = found.serverMetadata()
  // The document of another issuer, however much it looks the same: a slash at the end is a difference (Core §3.1.3.7).
  if (server.issuer !== issuer) throw wayFault('issuer_differs', server.issuer)
  const secret = client_secret === null ? undefined : secretSeal(keyring).open(id, client_secret)
  const provider = new openid.Configuration(server, client_id, undefined, authentication(server, secret))
  provider[openid.customFetch] = fetch
  provider.timeout = documentMs / 1_000
  if (isPlain) openid.allowInsecureRequests(provider)
  // The signature is checked although the token came straight from the provider.
  openid.enableNonRepudiationChecks(provider)
  return provider
}

function authentication({ token_endpoint_auth_methods_supported: methods }: openid.ServerMetadata, secret?: string) {
  if (secret === undefined) return openid.None()
  // Basic where the document says nothing (Discovery 1.0 §3).
  const isBasic = methods === undefined || methods.includes('client_secret_basic')
  return isBasic ? openid.ClientSecretBasic(secret) : openid.ClientSecretPost(secret)
}

export function newChecks(isFresh: boolean): Checks {
  return {
    state: openid.randomState(),
    nonce: openid.randomNonce(),
    verifier: openid.randomPKCECodeVerifier(),
    isFresh,
  }
}

/** Where the browser goes. */
export async function wayThere(
  provider: openid.Configuration,
  services: Pick<Services, 'ownAddress'>,
  connection: ConnectionRow,
  { state, nonce, verifier, isFresh }: Checks,
): Promise<URL> {
  return openid.buildAuthorizationUrl(provider, {
    redirect_uri: addressesOf(services, connection.id).redirectUri,
    scope: connection.scopes.join(' '),
    state,
    nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(isFresh && { prompt: 'login', max_age: String(freshSeconds) }),
  })
}

/** What the provider says of the person who came back. Throws what faults.ts explains. */
export async function claimsOf(
  provider: openid.Configuration,
  services: Pick<Services, 'ownAddress'>,
  connection: ConnectionRow,
  { query, checks }: { query: string; checks: Checks },
): Promise<Claims> {
  // The address that was registered, whatever the request says of itself.
  const back = new URL(addressesOf(services, connection.id).redirectUri)
  back.search = query
  const answer = await openid.authorizationCodeGrant(provider, back, {
    expectedState: checks.state,
    expectedNonce: checks.nonce,
    pkceCodeVerifier: checks.verifier,
    idTokenExpected: true,
    ...(checks.isFresh && { maxAge: freshSeconds }),
  })
  return answer.claims() as unknown as Claims
}

/** `fetch`, by the rules of what leaves this server. */
function fetchBy(outbound: Outbound): openid.CustomFetch {
  return async (url, { method, headers, body }) => {
    const reply = await outbound.send({
      method: method === 'POST' ? 'POST' : 'GET',
      url: new URL(url),
      headers: Object.entries(headers).flat(),
      ...(body != null && { body: Buffer.from(typeof body === 'string' ? body : String(body)) }),
      timeoutMs: documentMs,
      maxReplyBytes: replyBytes,
    })
    if (!reply.ok) throw wayFault(reply.error, new URL(url).host)
    if (reply.cut !== undefined) throw wayFault(reply.cut, new URL(url).host)
    const named = Object.entries(reply.headers).flatMap(([name, value]) =>
      [value].flat().flatMap((one): [string, string][] => (one === undefined ? [] : [[name, one]])),
    )
    return new Response(reply.status === 204 ? null : new Uint8Array(reply.body), {
      status: reply.status,
      headers: named,
    })
  }
}
