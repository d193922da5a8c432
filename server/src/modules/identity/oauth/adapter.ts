// Where the authorization server keeps what it knows: records and clients behind the interface of oidc-provider. Two things are
// stricter than it asks for: only one of many wins a code, and all who refresh at once get the same successor.
import Provider, { type Adapter, type AdapterPayload, type ClientMetadata, errors } from 'oidc-provider'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { Keyring } from '../../../kernel/values/keyring.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import type { KnownClient } from './clients_store.ts'
import { revokeGrants } from './grants_store.ts'
import type { Records } from './records_store.ts'
import { accessTokenLife, grantTypesOf, isNativeAddress, jwtMark, refreshGrace } from './rules.ts'

export type AdapterParts = {
  services: Services
  records: Records
  /** The public client of the portal itself. */
  playground: ClientMetadata
  /** Remembers where a client acts. */
  met(clientId: string, known: KnownClient): void
}

const never = async () => undefined

export function createAdapter(parts: AdapterParts): (kind: string) => Adapter {
  return kind => {
    switch (kind) {
      case 'Client':
        return clientAdapter(parts)
      // Each request for authorization asks the person: there is nothing to remember between two.
      case 'Session':
        return { ...recordAdapter(parts, kind), upsert: never, find: never, findByUid: never, destroy: never }
      case 'AccessToken':
      case 'ClientCredentials':
        return tokenAdapter(parts, kind)
      case 'Grant':
        return { ...recordAdapter(parts, kind), destroy: id => endGrant(parts, id) }
      default:
        return recordAdapter(parts, kind)
    }
  }
}

function recordAdapter({ records }: AdapterParts, kind: string): Adapter {
  const grace = kind === 'RefreshToken' ? refreshGrace : 0
  type Found = Awaited<ReturnType<Records['find']>>
  const payloadOf = (found: Found): AdapterPayload | undefined => {
    if (found === undefined) return undefined
    const { payload, consumedSeconds } = found
    const isConsumed = consumedSeconds !== null && consumedSeconds >= grace
    return isConsumed ? { ...payload, consumed: true } : payload
  }
  return {
    upsert: (id, payload, seconds = accessTokenLife) => records.put(kind, id, { ...payload }, seconds),
    find: async id => payloadOf(await records.find(kind, id)),
    findByUid: async uid => payloadOf(await records.findBy(kind, { uid })),
    findByUserCode: async userCode => payloadOf(await records.findBy(kind, { userCode })),
    async consume(id) {
      const consumed = await records.consume(kind, id, grace)
      if (consumed === 'first' || (consumed === 'grace' && grace > 0)) return
      throw new errors.InvalidGrant(`${kind} was used by another request`)
    },
    destroy: id => records.destroy(kind, id),
    // Whatever ends a grant ends it as a whole: see `Grant.destroy`.
    revokeByGrantId: never,
  }
}

/** Ends a grant, with its tokens, and says so in an event. */
async function endGrant({ services, records }: AdapterParts, id: string): Promise<void> {
  const scope = await records.scopeOfGrant(id)
  if (scope === undefined) return
  const because = Provider.ctx?.oidc.route === 'revocation' ? 'app' : 'reuse'
  await services.db.inTenant(scope, tx => revokeGrants(tx, scope, [id], because, null))
  services.authenticator.forget()
}

/** Access tokens are not stored: one that is asked about is verified, and one that is ended is noted. */
function tokenAdapter({ services, records }: AdapterParts, kind: 'AccessToken' | 'ClientCredentials'): Adapter {
  return {
    upsert: never,
    findByUid: never,
    findByUserCode: never,
    consume: never,
    revokeByGrantId: never,
    async find(value) {
      if (!value.startsWith(jwtMark)) return undefined
      const token = value.slice(jwtMark.length)
      const nowMs = services.clock.now()
      try {
        if (!services.tokens.isOAuth(token)) return undefined
        const claims = await services.tokens.verifyOAuth(token, nowMs)
        if ((claims.grantId === null) !== (kind === 'ClientCredentials')) return undefined
        await services.authenticator.authenticate(token, nowMs)
        const { clientId, grantId, jti, scopes, tenantId } = claims
        const times = { iat: claims.issuedAtMs / 1000, exp: claims.expiresAtMs / 1000 }
        const own = { kind, jti, clientId, scope: scopes.join(' '), extra: { tenant_id: tenantId }, ...times }
        return grantId === null ? own : { ...own, grantId, accountId: claims.subject }
      } catch (error) {
        if (error instanceof Problem && error.entry.status < 500) return undefined
        throw error
      }
    },
    async destroy(jti) {
      await records.revokeToken(jti, services.clock.now() + accessTokenLife * 1000)
      services.authenticator.forget()
    },
  }
}

function clientAdapter({ records, playground, met }: AdapterParts): Adapter {
  return {
    findByUid: never,
    findByUserCode: never,
    consume: never,
    revokeByGrantId: never,
    destroy: never,
    async find(clientId) {
      if (clientId === playground.client_id) return playground
      if (clientId.startsWith('dyn_')) return records.findForeignClient(clientId)
      const known = clientId.startsWith('tdm_app_') ? await records.findClient(clientId) : undefined
      if (known === undefined) return undefined
      met(clientId, known)
      return metadataOf(clientId, known)
    },
    async upsert(clientId, payload) {
      if (!(await records.keepForeignClient(clientId, { ...payload }, 500)))
        throw new errors.TemporarilyUnavailable(
          'too many clients have registered that nobody has used; try again tomorrow',
        )
    },
  }
}

/** A client as the library knows one. In place of secrets stand their hashes: see `comparesSecrets`. */
function metadataOf(clientId: string, known: KnownClient): ClientMetadata {
  const { kind, redirect_uris, scopes } = known
  return {
    client_id: clientId,
    client_name: known.name,
    ...(kind === 'public' ? {} : { client_secret: known.secrets.join('.') || 'none' }),
    token_endpoint_auth_method: kind === 'public' ? 'none' : 'client_secret_basic',
    // Without an address to send people back to there are no codes.
    grant_types: grantTypesOf(kind).filter(type => redirect_uris.length > 0 || type !== 'authorization_code'),
    response_types: redirect_uris.length === 0 ? [] : ['code'],
    redirect_uris,
    application_type: redirect_uris.some(isNativeAddress) ? 'native' : 'web',
    scope: [...scopes, 'offline_access'].join(' '),
    require_pushed_authorization_requests: known.require_par,
  }
}

/** The one successor of a refresh token, no matter who asks for it, and how often. */
export function successorOf(keyring: Keyring, refreshToken: string): string {
  return keyring.mac(`oauth successor:${refreshToken}`).toString('base64url')
}
