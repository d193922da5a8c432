// The authorization server: oidc-provider, set up for OAuth 2.1. What it lets through is decided here; where it keeps things is in
// adapter.ts, and how requests reach it in mount.ts.
import Provider, { type Configuration, errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import type { SigningKeys } from '../../../kernel/access/tokens.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { Keyring } from '../../../kernel/values/keyring.ts'
import { permissions } from '../../../nouns.ts'
import { createAdapter, successorOf } from './adapter.ts'
import type { KnownClient } from './clients_store.ts'
import { documentRules, fetchDocument } from './documents.ts'
import { answersFaults, comparesSecrets, type Guards } from './guards.ts'
import { type ApiLimits, type OAuthLimits, oauthLimits } from './limits.ts'
import { errorPage, errorPagePolicy } from './pages.ts'
import { createRecords, type Records } from './records_store.ts'
import { accessTokenLife, playgroundClient, refreshLife } from './rules.ts'

export type OAuthOptions = {
  services: Services
  signing: SigningKeys
  /** Where people reach the server, without a slash at the end: the issuer is below it. */
  base: string
  registration: 'documents' | 'open' | 'off'
  limits: ApiLimits
}

export type OAuthServer = { provider: Provider; records: Records; base: string; limits: OAuthLimits }

const scopeNames = Object.keys(permissions)

/** Which part of the server an access token is for (RFC 8707 §2); undefined for none of ours. */
export function audienceOf(base: string, resource: string): string | undefined {
  const own = [base, `${base}/`, `${base}/v1`, `${base}/v2`]
  if (own.includes(resource)) return base
  return resource === `${base}/mcp` ? resource : undefined
}

export function createOAuthServer(options: OAuthOptions): OAuthServer {
  const { services, base } = options
  const records = createRecords(services.db, services.keyring)
  const guards: Guards = { services, records, limits: oauthLimits(options.limits), base }
  const tenants = new Map<string, KnownClient>()
  const provider = new Provider(`${base}/oauth`, configurationOf(options, guards, tenants))
  // Behind mount.ts, which writes these headers itself.
  provider.proxy = true
  oneSuccessor(provider, services.keyring)
  comparesSecrets(provider, guards)
  answersFaults(provider, guards)
  provider.use(completesDevices(base))
  provider.use(namesOurScopes)
  return { provider, records, base, limits: guards.limits }
}

function configurationOf(
  { services, signing, base, registration }: OAuthOptions,
  guards: Guards,
  tenants: Map<string, KnownClient>,
): Configuration {
  const { records } = guards
  const mount = new URL(`${base}/oauth`).pathname
  const redirects = [base, ...(base.startsWith('http:') ? loopbackNames.map(name => withHost(base, name)) : [])]
  const ownOrigins = redirects.map(address => new URL(address).origin)
  return {
    adapter: createAdapter({
      services,
      records,
      playground: {
        client_id: playgroundClient,
        client_name: 'Tandem Playground',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: [...new Set(redirects)].map(origin => `${origin}/playground/authorized`),
        application_type: base.startsWith('http:') ? 'native' : 'web',
      },
      met(clientId, known) {
        if (tenants.size >= 10_000) tenants.clear()
        tenants.set(clientId, known)
      },
    }),
    jwks: { keys: signing.published.map(({ privateJwk }) => ({ ...privateJwk, use: 'sig', alg: 'ES256' })) as never },
    scopes: ['offline_access', ...scopeNames],
    claims: {},
    responseTypes: ['code'],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    pkce: { required: () => true },
    rotateRefreshToken: () => true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    revokeGrantPolicy: () => true,
    allowOmittingSingleRegisteredRedirectUri: false,
    features: featuresOf({ base, registration, kid: signing.published[0].kid }),
    extraClientMetadata: { properties: [], validator: () => {} },
    findAccount: async (_ctx, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    extraTokenClaims: async (ctx, token) => claimsOf(ctx, token, { records, tenants }),
    loadExistingGrant: async ctx => {
      const grantId = ctx.oidc.result?.consent?.grantId
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId)
    },
    // Of our own pages, the Playground: anyone who has a secret may try it there.
    clientBasedCORS: (_ctx, origin, client) =>
      ownOrigins.includes(origin) ||
      (client.tokenEndpointAuthMethod === 'none' &&
        (client.redirectUris ?? []).some(uri => URL.parse(uri)?.origin === origin)),
    interactions: { url: (_ctx, { uid }) => `${base}/authorize/${uid}`, policy: asksAlways() },
    cookies: {
      names: cookieNames(base),
      long: { path: mount, httpOnly: true, sameSite: 'lax' },
      short: { httpOnly: true, sameSite: 'lax' },
    },
    routes,
    ttl: lives,
    fetch: fetchDocument(guards),
    renderError: (ctx, out) => {
      ctx.type = 'html'
      ctx.set('content-security-policy', errorPagePolicy)
      ctx.set('referrer-policy', 'no-referrer')
      ctx.body = errorPage(out)
    },
  }
}

/** With the prefix a browser takes a cookie from a secure page only (RFC 6265bis §4.1.3); `__Host-` would send them to every address. */
function cookieNames(base: string) {
  const prefix = base.startsWith('https:') ? '__Secure-' : ''
  return {
    session: `${prefix}tandem_oauth`,
    interaction: `${prefix}tandem_authorize`,
    resume: `${prefix}tandem_resume`,
  }
}

const routes = {
  authorization: '/authorize',
  device_authorization: '/device_authorization',
  code_verification: '/device',
  introspection: '/introspect',
  pushed_authorization_request: '/par',
  registration: '/register',
  revocation: '/revoke',
}

/** In seconds. */
const lives: NonNullable<Configuration['ttl']> = {
  AccessToken: accessTokenLife,
  ClientCredentials: accessTokenLife,
  AuthorizationCode: 60,
  DeviceCode: 600,
  Interaction: 900,
  Session: 600,
  Grant: refreshLife(false).most,
  RefreshToken: (_ctx, token, client) => {
    const { idle, most } = refreshLife(client.tokenEndpointAuthMethod === 'none')
    return Math.max(1, Math.min(idle, most - token.totalLifetime()))
  },
}

/** @param kid of the key that signs; the others only verify */
function featuresOf({
  base,
  registration,
  kid,
}: Pick<OAuthOptions, 'base' | 'registration'> & { kid: string }): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    dPoP: { enabled: false },
    clientCredentials: { enabled: true },
    deviceFlow: { enabled: true, mask: '****-****', charset: 'base-20' },
    pushedAuthorizationRequests: { enabled: true },
    introspection: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
    revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
    resourceIndicators: {
      enabled: true,
      defaultResource: async (_ctx, _client, oneOf) => (oneOf === undefined ? base : oneOf[0]) as string,
      useGrantedResource: async () => true,
      getResourceServerInfo: async (ctx, resource, client) => {
        const audience = audienceOf(base, resource)
        if (audience === undefined) throw new errors.InvalidTarget(`resource is none of this server: it has ${base}`)
        namesScopes(ctx, client)
        return {
          scope: scopeNames.join(' '),
          audience,
          accessTokenFormat: 'jwt',
          accessTokenTTL: accessTokenLife,
          jwt: { sign: { alg: 'ES256', kid } },
        }
      },
    },
    registration: {
      enabled: registration === 'open',
      idFactory: () => newId('dyn'),
      issueRegistrationAccessToken: false,
    },
    clientIdMetadataDocument: { enabled: registration !== 'off', ack: 'draft-02', ...documentRules },
  }
}

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]']

function withHost(base: string, host: string): string {
  const url = new URL(base)
  url.hostname = host
  return url.href.replace(/\/$/, '')
}

/**
 * Which scopes a request means. One that is not known is refused by name, never dropped; an app that names none means all it was
 * registered with, and a client that nobody registered must name them.
 * @throws InvalidScope
 */
function namesScopes(ctx: KoaContextWithOIDC, client: { clientId: string; scope?: string | undefined }): void {
  const { params, route } = ctx.oidc
  if (params === undefined || params['grant_type'] === 'refresh_token' || /resume|introspect/.test(route)) return
  const asked = String(params['scope'] ?? '')
    .split(' ')
    .filter(Boolean)
  const unknown = asked.filter(scope => scope !== 'offline_access' && !Object.hasOwn(permissions, scope))
  if (unknown.length > 0) {
    const hint = unknown.some(scope => scope.includes(',')) ? '; scopes are parted by spaces, not by commas' : ''
    throw new errors.InvalidScope(`unknown scope: ${unknown.join(', ')}${hint}`, unknown.join(' '))
  }
  const isExchange = params['grant_type'] !== undefined && params['grant_type'] !== 'client_credentials'
  if (asked.some(scope => scope !== 'offline_access') || isExchange) return
  if (client.scope === undefined)
    throw new errors.InvalidScope('no scope was asked for: name what the app needs, such as scope=leads:read', '')
  params['scope'] = client.scope
}

type Claiming = { records: Records; tenants: Map<string, KnownClient> }

/** What our tokens say beside RFC 9068: where they act, by which grant, and when the person had proved who they are. */
async function claimsOf(ctx: KoaContextWithOIDC, token: object, { records, tenants }: Claiming) {
  const { clientId, grantId } = token as { clientId: string; grantId?: string }
  if (grantId === undefined) {
    const known = tenants.get(clientId) ?? (await records.findClient(clientId))
    if (known === undefined) throw new errors.InvalidClient('client not found')
    return { tenant_id: known.tenant_id }
  }
  const standing = await records.useGrant(grantId)
  if (standing === undefined) throw new errors.InvalidGrant('the authorization has ended')
  const { AuthorizationCode, RefreshToken, DeviceCode } = ctx.oidc.entities
  const source = AuthorizationCode ?? DeviceCode ?? RefreshToken
  return { tenant_id: standing.tenant_id, grant_id: grantId, auth_time: source?.authTime }
}

/** Nobody is sent on without being asked: who asks now need not be who was asked before (ASVS 5.0, 10.7.1). */
function asksAlways() {
  const { base, Check } = interactionPolicy
  const policy = base()
  policy
    .get('login')
    ?.checks.add(new Check('always', 'the person is asked each time', ctx => ctx.oidc.result?.login === undefined))
  return policy
}

/** Refresh tokens are made of the ones before: however many ask at once, there is one successor. */
function oneSuccessor({ RefreshToken }: Provider, keyring: Keyring): void {
  const prototype = RefreshToken.prototype as unknown as { generateTokenId(): string }
  const random = prototype.generateTokenId
  prototype.generateTokenId = function () {
    const before = (Provider.ctx?.oidc.entities as { RotatedRefreshToken?: { jti: string } } | undefined)
      ?.RotatedRefreshToken
    return before === undefined ? random.call(this) : successorOf(keyring, before.jti)
  }
}

/** The library lists `openid` among its scopes, and we have no ID tokens: anyone who asked for it would be refused. */
async function namesOurScopes(ctx: KoaContextWithOIDC, next: () => Promise<void>) {
  await next()
  const metadata = ctx.body as { scopes_supported?: string[] } | undefined
  if (ctx.oidc?.route !== 'discovery' || metadata?.scopes_supported === undefined) return
  ctx.body = { ...metadata, scopes_supported: metadata.scopes_supported.filter(scope => scope !== 'openid') }
}

/** A device learns where its person goes, which is a page of the portal, and how long it waits between two questions. */
function completesDevices(base: string) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>) => {
    await next()
    const answer = ctx.body as { user_code?: string; verification_uri?: string } | undefined
    if (ctx.oidc?.route !== 'device_authorization' || answer?.user_code === undefined) return
    ctx.body = {
      ...answer,
      verification_uri: `${base}/device`,
      verification_uri_complete: `${base}/device#${answer.user_code}`,
      interval: 5,
    }
  }
}
