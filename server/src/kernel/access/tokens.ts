// Access and refresh tokens. Access tokens are JWTs (RFC 9068, ES256) whose keys are published as a JWKS; refresh tokens
// are MACs over a session and its generation, so nothing secret is stored and rotation has exactly one successor.
import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  exportJWK,
  importJWK,
  type JWK,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
  SignJWT,
} from 'jose'
import { isId, newId } from '../values/ids.ts'
import type { Keyring } from '../values/keyring.ts'
import { Problem } from '../values/problem.ts'

export const accessTokenSeconds = 3_600
/** How long a token that acts as an API key lives; it has no successor. */
export const keyTokenSeconds = 900
/** The issuer where no public address is set (RFC 9068 §2.2 wants an address, and there is none). */
const nameless = 'tandem'
const audience = 'tandem-api'
/** Of tokens that no endpoint of an organization takes. */
const operatorAudience = 'tandem-operator'
export const operatorTokenSeconds = 900

/** What a signed statement about the audit log says that it is. */
export const sealType = 'audit-seal+jwt'

export type SigningKey = { kid: string; privateKey: CryptoKey; publicKey: CryptoKey; publicJwk: JWK; privateJwk: JWK }
/** The keys of signatures at one moment; another value when they change. */
export type SigningKeys = {
  /** Verify and are published; the first signs. */
  published: readonly [SigningKey, ...SigningKey[]]
  /** Public keys of those that were replaced: they verify what was signed for good, the audit log, and no token. */
  retired: readonly JWK[]
}
/** What a token stands for: a person's session, or an API key (RFC 9068 §2.2: the key is the client). */
export type AccessClaims = {
  userId: number
  tenantId: number
  issuedAtMs: number
  expiresAtMs: number
  phone: PhoneClaim | null
  /** Of a session: of which fresh proof the token is; null where it does not say so. */
  proofs: number | null
} & ({ sessionId: string; keyId: null } | { sessionId: null; keyId: string })
/** Of a token that a phone in a browser works with, and nothing else does. */
export type PhoneClaim = { identity: string; incoming: boolean; outgoing: boolean }

/** What an access token of the authorization server says (RFC 9068 §2.2). */
export type OAuthClaims = {
  clientId: string
  /** What a person let the client do; null where it acts in its own name. */
  grantId: string | null
  /** The user, or the client where it acts in its own name. */
  subject: string
  tenantId: number
  jti: string
  /** A token without scopes may do nothing. */
  scopes: readonly string[]
  issuedAtMs: number
  expiresAtMs: number
}

/** The authorization server of this installation: undefined where it is off. */
export type OAuthIssuer = { issuer: string; audience: string }

export type Tokens = {
  signAccess(
    claims: { sessionId: string; userId: number; tenantId: number; role: string; proofs?: number },
    nowMs: number,
  ): Promise<string>
  /** A token that acts as an API key until `expiresAtMs`, cut to the second. */
  signKeyAccess(
    claims: { keyId: string; userId: number; tenantId: number; role: string; expiresAtMs: number },
    nowMs: number,
  ): Promise<string>
  /** A token for a phone in a browser, made by a session or a key: it dies with its maker. */
  signPhone(
    claims: { userId: number; tenantId: number; role: string; phone: PhoneClaim; expiresAtMs: number } & (
      | { sessionId: string; keyId: null }
      | { sessionId: null; keyId: string }
    ),
    nowMs: number,
  ): Promise<string>
  /** @throws Problem `token_expired` or `invalid_token` */
  verifyAccess(token: string, nowMs: number): Promise<AccessClaims>
  /** A token for those who run the installation, made by a session: it dies with it, and names no tenant. */
  signOperator(claims: { accountId: number; sessionId: string }, nowMs: number): Promise<string>
  /** @throws Problem `token_expired` or `invalid_token` */
  verifyOperator(token: string, nowMs: number): Promise<{ accountId: number; sessionId: string }>
  /** Whether a token says that the authorization server made it. Nothing of it is verified. */
  isOAuth(token: string): boolean
  /** @throws Problem `token_expired` or `invalid_token` */
  verifyOAuth(token: string, nowMs: number): Promise<OAuthClaims>
  /** Signs a statement about the audit log; no token of any kind, and taken for none. */
  signSeal(statement: JWTPayload): Promise<string>
  refreshToken(sessionId: string, generation: number): string
  /** The session and generation a refresh token names, or undefined when it is not one of ours. */
  readRefresh(token: string): { sessionId: string; generation: number } | undefined
  jwks(): { keys: JWK[] }
  /** With the public keys of those that were replaced: an export of the audit log may be signed with them. */
  allKeys(): JWK[]
}

/** A key pair from its private JWK (P-256). */
export async function signingKeyFrom(jwk: JWK): Promise<SigningKey> {
  const { d, key_ops: _, ...publicPart } = jwk
  const publicJwk = { ...publicPart, alg: 'ES256', use: 'sig' }
  return {
    kid: jwk.kid as string,
    privateKey: (await importJWK(jwk, 'ES256')) as CryptoKey,
    publicKey: (await importJWK(publicJwk, 'ES256')) as CryptoKey,
    publicJwk,
    privateJwk: jwk,
  }
}

/** A new private JWK for signing, to be stored. */
export async function newSigningJwk(kid: string): Promise<JWK> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  return { ...(await exportJWK(pair.privateKey)), kid, alg: 'ES256', use: 'sig' }
}

/**
 * Issuers of tokens that are taken: the addresses that this installation had, has, or has in another process. What proves that
 * a token is ours is its signature.
 */
function isIssuer(iss: unknown): boolean {
  return iss === nameless || (typeof iss === 'string' && /^https?:\/\//.test(iss))
}

/**
 * @param signing the keys now; asked each time, for they change while the server runs
 * @param issuer the public address of the server, where there is one
 * @param oauth the authorization server; asked when a token is read, for an address may be known only then
 */
export function createTokens(
  signing: () => SigningKeys,
  keyring: Keyring,
  issuer: string = nameless,
  oauth: () => OAuthIssuer | undefined = () => undefined,
): Tokens {
  const verified = verifierOf(signing)

  function sign(
    claims: JWTPayload,
    userId: number | string,
    nowMs: number,
    expiresAtMs: number,
    to = audience,
  ): Promise<string> {
    const [active] = signing().published
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: active.kid })
      .setIssuer(issuer)
      .setAudience(to)
      .setSubject(String(userId))
      .setIssuedAt(Math.floor(nowMs / 1000))
      .setExpirationTime(Math.floor(expiresAtMs / 1000))
      .sign(active.privateKey)
  }

  return {
    signAccess: ({ sessionId, userId, tenantId, role, proofs = 0 }, nowMs) =>
      sign({ tenant_id: tenantId, role, sid: sessionId, proofs }, userId, nowMs, nowMs + accessTokenSeconds * 1000),

    signKeyAccess: ({ keyId, userId, tenantId, role, expiresAtMs }, nowMs) =>
      sign({ tenant_id: tenantId, role, client_id: keyId, jti: newId('tok') }, userId, nowMs, expiresAtMs),

    signPhone: ({ userId, tenantId, role, phone, expiresAtMs, sessionId, keyId }, nowMs) => {
      const maker = keyId === null ? { sid: sessionId } : { client_id: keyId }
      return sign({ tenant_id: tenantId, role, ...maker, phone, jti: newId('tok') }, userId, nowMs, expiresAtMs)
    },

    async verifyAccess(token, nowMs) {
      const payload = await verified(token, nowMs, { audience, requiredClaims: ['sub', 'tenant_id', 'exp'] })
      if (!isIssuer(payload.iss)) throw new Problem('invalid_token')
      return {
        ...bearerIn(payload),
        phone: phoneIn(payload),
        userId: Number(payload.sub),
        tenantId: Number(payload['tenant_id']),
        issuedAtMs: Number(payload.iat) * 1000,
        expiresAtMs: Number(payload.exp) * 1000,
        proofs: typeof payload['proofs'] === 'number' ? payload['proofs'] : null,
      }
    },

    isOAuth(token) {
      try {
        return decodeJwt(token).iss === oauth()?.issuer
      } catch {
        return false
      }
    },

    async verifyOAuth(token, nowMs) {
      const server = oauth()
      if (server === undefined) throw new Problem('invalid_token')
      const requiredClaims = ['sub', 'client_id', 'jti', 'iat', 'exp', 'tenant_id']
      return oauthClaims(await verified(token, nowMs, { ...server, requiredClaims }))
    },
    signSeal: statement => signAs(sealType, statement, signing().published[0]),

    ...refreshTokens(keyring),
    ...operatorTokens(sign, verified),

    jwks: () => ({ keys: signing().published.map(key => key.publicJwk) }),
    allKeys: () => [...signing().published.map(key => key.publicJwk), ...signing().retired],
  }
}

function signAs(typ: string, statement: JWTPayload, { kid, privateKey }: SigningKey): Promise<string> {
  return new SignJWT(statement).setProtectedHeader({ alg: 'ES256', typ, kid }).sign(privateKey)
}

type Verified = (token: string, nowMs: number, expected: JWTVerifyOptions) => Promise<JWTPayload>

/** @throws Problem `token_expired` or `invalid_token` */
function verifierOf(signing: () => SigningKeys): Verified {
  return async (token, nowMs, expected) => {
    try {
      const { kid } = decodeProtectedHeader(token)
      const key = signing().published.find(one => one.kid === kid)
      if (key === undefined) throw new Problem('invalid_token')
      const options = { ...expected, algorithms: ['ES256'], typ: 'at+jwt', currentDate: new Date(nowMs) }
      return (await jwtVerify(token, key.publicKey, options)).payload
    } catch (error) {
      if (error instanceof Problem) throw error
      if (error instanceof errors.JWTExpired) throw new Problem('token_expired')
      throw new Problem('invalid_token')
    }
  }
}

type Sign = (claims: JWTPayload, subject: string, nowMs: number, expiresAtMs: number, to: string) => Promise<string>

/** Tokens of those who run the installation. */
function operatorTokens(sign: Sign, verified: Verified): Pick<Tokens, 'signOperator' | 'verifyOperator'> {
  return {
    signOperator: ({ accountId, sessionId }, nowMs) => {
      const endsAtMs = nowMs + operatorTokenSeconds * 1_000
      return sign({ sid: sessionId, jti: newId('tok') }, `account:${accountId}`, nowMs, endsAtMs, operatorAudience)
    },

    async verifyOperator(token, nowMs) {
      const expected = { audience: operatorAudience, requiredClaims: ['sub', 'sid', 'exp'] }
      const { iss, sub, sid: sessionId } = await verified(token, nowMs, expected)
      const [, account] = /^account:([1-9]\d{0,14})$/.exec(String(sub)) ?? []
      if (!isIssuer(iss) || account === undefined || typeof sessionId !== 'string') throw new Problem('invalid_token')
      return { accountId: Number(account), sessionId }
    },
  }
}

function refreshTokens(keyring: Keyring): Pick<Tokens, 'refreshToken' | 'readRefresh'> {
  return {
    refreshToken(sessionId, generation) {
      const body = `${sessionId}.${generation}`
      return `tdm_rt_${body}.${keyring.mac(`refresh:${body}`).toString('base64url')}`
    },

    readRefresh(token) {
      const match = /^tdm_rt_(ses_[0-9a-z]{26})\.(\d{1,9})\.([\w-]{43})$/.exec(token)
      if (match === null) return undefined
      const [, sessionId = '', generation = '', sent = ''] = match
      if (!keyring.isMac(`refresh:${sessionId}.${generation}`, Buffer.from(sent, 'base64url'))) return undefined
      return { sessionId, generation: Number(generation) }
    },
  }
}

/** A claim that is there and not understood makes the token worthless: without it, it could do more. */
function phoneIn({ phone }: JWTPayload): PhoneClaim | null {
  if (phone === undefined) return null
  const { identity, incoming, outgoing } = (phone ?? {}) as Partial<PhoneClaim>
  if (typeof identity !== 'string' || typeof incoming !== 'boolean' || typeof outgoing !== 'boolean')
    throw new Problem('invalid_token')
  return { identity, incoming, outgoing }
}

/** Either a session or a key: a token that names both, or neither, is none of ours. */
function bearerIn({
  sid,
  client_id: keyId,
}: JWTPayload): { sessionId: string; keyId: null } | { sessionId: null; keyId: string } {
  if (typeof sid === 'string' && keyId === undefined) return { sessionId: sid, keyId: null }
  if (sid === undefined && typeof keyId === 'string' && isId('key', keyId)) return { sessionId: null, keyId }
  throw new Problem('invalid_token')
}

/** A token that is bound to a key is no bearer token (RFC 9449 §7.1). */
function oauthClaims(payload: JWTPayload): OAuthClaims {
  const { sub, jti, client_id: clientId, grant_id: grantId = null, scope = '', tenant_id: tenantId, cnf } = payload
  const texts = [sub, jti, clientId, scope, ...(grantId === null ? [] : [grantId])]
  if (cnf !== undefined || texts.some(text => typeof text !== 'string') || !Number.isSafeInteger(tenantId))
    throw new Problem('invalid_token')
  return {
    clientId: clientId as string,
    grantId: grantId as string | null,
    subject: sub as string,
    tenantId: tenantId as number,
    jti: jti as string,
    scopes: (scope as string).split(' ').filter(Boolean),
    issuedAtMs: Number(payload.iat) * 1000,
    expiresAtMs: Number(payload.exp) * 1000,
  }
}
