// Who is asking: API keys and access tokens become one kind of principal. Verified credentials are kept in memory; a
// revocation feed that every node reads each second empties what it names, so a revoked key dies everywhere within two.
import type { Db, Scope } from '../data/db.ts'
import type { CustomRole, CustomRoleRow } from '../values/custom_role.ts'
import type { DuplicateMode } from '../values/duplicate_mode.ts'
import { hashOfId, parseApiKey } from '../values/ids.ts'
import type { Keyring } from '../values/keyring.ts'
import { effectivePermissions, isPermission, type Permission, type Role } from '../values/permission.ts'
import { Problem } from '../values/problem.ts'
import type { AccessClaims, OAuthClaims, PhoneClaim, Tokens } from './tokens.ts'

export type Settings = {
  timeZone: string
  currency: string
  /** ISO 3166 country for numbers written without +; null refuses them. */
  defaultCountry: string | null
  duplicateMode: DuplicateMode
  invoiceNumbering: 'on_create' | 'on_issue'
}

/** Of a person who is logged in: whose account it is, in which login, and how fresh the proof is (RFC 9470 §1). */
export type Person = {
  readonly accountId: number
  readonly loginId: string
  /** When they last proved who they are, in milliseconds since 1970. */
  readonly authAtMs: number
  /** The same with everything that the account asks for: a second factor, where it has one. */
  readonly factorAtMs: number | null
}

/** A client that acts: for the person who granted it, or as its own service user. */
export type OAuthClient = {
  readonly clientId: string
  /** Of a registered app. */
  readonly appId: string | null
  readonly grantId: string | null
}

/** What an organization may do: all, or little; of one that is closed there are no principals. */
export type OrganizationState = 'active' | 'suspended' | 'closing'

export type Principal = Scope & {
  readonly kind: 'user' | 'key' | 'app'
  readonly mode: 'live' | 'test'
  readonly userId: number
  readonly email: string
  readonly role: Role
  /** The role of the organization's own that they have, whose base is `role`; null of everybody else. */
  readonly custom: CustomRole | null
  readonly keyId: string | null
  readonly sessionId: string | null
  /** Null of keys, of apps, and of what acts in their place. */
  readonly person: Person | null
  /** Of an access token of the authorization server: whose it is, and what lets it in. */
  readonly client: OAuthClient | null
  /** The scopes of a key or of an OAuth token; null means all of the role's. */
  readonly scopes: readonly string[] | null
  readonly permissions: ReadonlySet<Permission>
  /** Of a token made for a phone in a browser: which phone it is, and what it may do. It may do nothing else. */
  readonly phone: PhoneClaim | null
  /** When a key, a token of it or an OAuth token ends by what is known, in milliseconds since 1970; null when never, and of people. */
  readonly endsAtMs: number | null
  /** Whether it is the short-lived token of a key, not the key itself. */
  readonly isKeyToken: boolean
  readonly settings: Settings
  readonly organizationState: OrganizationState
}

/** What is known of a user in one tenant. */
export type IdentityRow = {
  organization_id: number
  tenant_id: number
  mode: 'live' | 'test'
  revoked: boolean
  user_id: number
  email: string
  role: Role
  custom: CustomRoleRow | null
  disabled: boolean
  time_zone: string
  currency: string
  default_country: string | null
  duplicate_mode: Settings['duplicateMode']
  invoice_numbering: Settings['invoiceNumbering']
  organization_state: OrganizationState
}
type SessionRow = IdentityRow & {
  account_id: number
  login_id: string
  auth_at: string
  factor_at: string | null
  proofs: number
}
type OAuthRow = IdentityRow & { app_id: string | null; scopes: string[]; not_before: string | null }
type KeyRow = Omit<IdentityRow, 'revoked'> & {
  key_id: string
  scopes: string[] | null
  expires_at: string | null
  revoked_at: string | null
}

export type Authenticator = {
  /** The principal of a bearer credential; without a promise when it is known already. */
  authenticate(credential: string, nowMs: number): Principal | Promise<Principal>
  /** Forgets what a revocation names, at once on this node. */
  forget(): void
  /** Reads the revocation feed; resolves when it has been applied. */
  poll(): Promise<void>
  /** When the feed was last read, for readiness. */
  lastPollMs(): number
  close(): Promise<void>
}

export type AuthenticatorOptions = {
  db: Db
  tokens: Tokens
  keyring: Keyring
  clock: { now(): number }
  onError: (error: unknown) => void
  /** The secrets of the installation were changed. */
  onSecrets?: () => void
}

type Revocation = { id: number; kind: string }
type Entry = { principal: Principal; expiresAtMs: number }
const endedMessage =
  'The token was revoked, or the authorization, the app or the user behind it has ended or changed. Authorize the app again.'
const formerMessage =
  'The session was proved again since, which ended this token: use the one that the step-up answered, or refresh.'
/** What was sent just before a fresh proof is answered still. */
export const formerTokenSeconds = 20
const sessionSql = 'select *, session_proofs($1) as proofs from auth_session($1)'
const maxEntries = 50_000
const pollEveryMs = 1_000
const flushUsesEveryMs = 5_000
/** A bound for what the feed cannot report, such as a restore of the database. */
const entryMaxAgeMs = 30_000

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { db, tokens, keyring, clock, onError } = options
  const known = new Map<string, Entry>()
  const uses = new Map<string, number>()
  let seen = new Set<number>()
  let polledMs = clock.now()
  let generation = 0

  async function resolve(credential: string, nowMs: number): Promise<Principal> {
    const startedIn = generation
    const entry = credential.startsWith('tdm_')
      ? await resolveKey(credential, nowMs)
      : await resolveToken(credential, nowMs)
    // A revocation that arrived while the database was asked may not be in the answer: do not keep that.
    if (generation === startedIn) {
      if (known.size >= maxEntries) known.delete(known.keys().next().value as string)
      known.set(credential, { ...entry, expiresAtMs: Math.min(entry.expiresAtMs, nowMs + entryMaxAgeMs) })
    }
    return entry.principal
  }

  async function resolveKey(credential: string, nowMs: number): Promise<Entry> {
    if (parseApiKey(credential) === undefined) throw new Problem('invalid_api_key')
    return entryOf(await findKey(options, credential), nowMs)
  }

  async function resolveToken(credential: string, nowMs: number): Promise<Entry> {
    if (tokens.isOAuth(credential)) return oauthEntry(db, keyring, await tokens.verifyOAuth(credential, nowMs))
    const claims: AccessClaims = await tokens.verifyAccess(credential, nowMs)
    if (claims.keyId !== null) return resolveKeyToken(claims, nowMs)
    const [row] = await db.call<SessionRow>('auth_session_proofs', sessionSql, [claims.sessionId])
    const fits = row?.user_id === claims.userId && row.tenant_id === claims.tenantId
    if (row === undefined || !fits) throw new Problem('invalid_token')
    if (row.revoked || row.disabled) throw new Problem('token_revoked')
    const expiresAtMs = Math.min(claims.expiresAtMs, endOfFormer(claims, row))
    if (expiresAtMs <= nowMs) throw new Problem('token_expired', { message: formerMessage })
    return asPhone({ principal: principalOf(row, sessionOf(claims.sessionId, row)), expiresAtMs }, claims)
  }

  /** A token made of a key is that key, for a while: it dies with the key and narrows with its owner's role. */
  async function resolveKeyToken(
    { keyId, userId, tenantId, expiresAtMs, phone }: AccessClaims & { keyId: string },
    nowMs: number,
  ): Promise<Entry> {
    const rows = await db.call<KeyRow>('auth_api_key_by_id', 'select * from auth_api_key_by_id($1)', [keyId])
    const row = rows[0]
    if (row === undefined || row.user_id !== userId || row.tenant_id !== tenantId) throw new Problem('invalid_token')
    const { principal, expiresAtMs: keyEndsAtMs } = entryOf(row, nowMs)
    const endsAtMs = Math.min(keyEndsAtMs, expiresAtMs)
    return asPhone({ principal: { ...principal, endsAtMs, isKeyToken: true }, expiresAtMs: endsAtMs }, { phone })
  }

  async function poll(): Promise<void> {
    const rows = await db.control<Revocation>('recent_revocations', 'select * from recent_revocations()', [])
    polledMs = clock.now()
    const fresh = rows.filter(row => !seen.has(row.id))
    if (fresh.length > 0) forget()
    if (fresh.some(({ kind }) => kind === 'secrets')) options.onSecrets?.()
    seen = new Set(rows.map(row => row.id))
  }

  function forget(): void {
    generation++
    known.clear()
  }

  async function flushUses(): Promise<void> {
    if (uses.size === 0) return
    const ids = [...uses.keys()]
    const times = [...uses.values()].map(ms => new Date(ms).toISOString())
    uses.clear()
    await db.call('touch_api_keys', 'select touch_api_keys($1, $2)', [ids, times])
  }

  let polling: Promise<void> | undefined
  const pollTimer = setInterval(() => {
    polling ??= poll()
      .catch(onError)
      .finally(() => {
        polling = undefined
      })
  }, pollEveryMs)
  const flushTimer = setInterval(() => void flushUses().catch(onError), flushUsesEveryMs)
  pollTimer.unref()
  flushTimer.unref()

  return {
    authenticate(credential, nowMs) {
      const entry = known.get(credential)
      if (entry === undefined || entry.expiresAtMs <= nowMs) return used(resolve(credential, nowMs), nowMs)
      if (entry.principal.keyId !== null) uses.set(entry.principal.keyId, nowMs)
      return entry.principal
    },
    forget,
    poll,
    lastPollMs: () => polledMs,
    async close() {
      clearInterval(pollTimer)
      clearInterval(flushTimer)
      await polling
      await flushUses().catch(onError)
    },
  }

  async function used(resolving: Promise<Principal>, nowMs: number): Promise<Principal> {
    const principal = await resolving
    if (principal.keyId !== null) uses.set(principal.keyId, nowMs)
    return principal
  }
}

/**
 * The key of this secret. While peppers change there are several hashes: one that is kept under another pepper than that in use is kept
 * under that one from now on.
 * @throws Problem `invalid_api_key`
 */
async function findKey(
  { db, keyring, onError }: Pick<AuthenticatorOptions, 'db' | 'keyring' | 'onError'>,
  credential: string,
): Promise<KeyRow> {
  const find = async (hash: Buffer) =>
    (await db.call<KeyRow>('auth_api_key', 'select * from auth_api_key($1)', [hash]))[0]
  const [hash, ...earlier] = keyring.macs(credential) as [Buffer, ...Buffer[]]
  const found = await find(hash)
  if (found !== undefined) return found
  for (const former of earlier) {
    const row = await find(former)
    if (row === undefined) continue
    const values = [former, hash, keyring.pepperVersion]
    await db.call('rehash_api_key', 'select rehash_api_key($1, $2, $3)', values).catch(onError)
    return row
  }
  // Another request may have done so between two looks.
  const late = earlier.length === 0 ? undefined : await find(hash)
  if (late === undefined) throw new Problem('invalid_api_key')
  return late
}

/** The principal of a key, until the key ends. @throws Problem `key_revoked` or `key_expired` */
function entryOf(row: KeyRow, nowMs: number): Entry {
  const expiresAtMs = timeOf(row.expires_at)
  const revokedAtMs = timeOf(row.revoked_at)
  if (revokedAtMs <= nowMs || row.disabled) throw new Problem('key_revoked')
  if (expiresAtMs <= nowMs) throw new Problem('key_expired')
  const endMs = Math.min(expiresAtMs, revokedAtMs)
  const principal = principalOf(row, { keyId: row.key_id, scopes: row.scopes })
  const endsAtMs = endMs === Number.POSITIVE_INFINITY ? null : endMs
  return { principal: { ...principal, endsAtMs }, expiresAtMs: endMs }
}

/** Rights are those of the role that the grant and the token name both, now. */
async function oauthEntry(db: Db, keyring: Keyring, claims: OAuthClaims): Promise<Entry> {
  const { clientId, grantId, subject, jti, tenantId, issuedAtMs, expiresAtMs } = claims
  const asked = [clientId, grantId, hashOfId(keyring, 'jti', jti)]
  const row = (await db.call<OAuthRow>('auth_oauth', 'select * from auth_oauth($1, $2, $3)', asked))[0]
  const fits = row?.tenant_id === tenantId && subject === (grantId === null ? clientId : String(row.user_id))
  if (row === undefined || !fits) throw new Problem('invalid_token')
  // Tokens know whole seconds only: one of the very second is taken for one from before.
  const isOver = row.not_before !== null && issuedAtMs < Date.parse(row.not_before)
  if (row.revoked || row.disabled || isOver) throw new Problem('token_revoked', { message: endedMessage })
  const scopes = claims.scopes.filter(scope => row.scopes.includes(scope))
  const client = { clientId, appId: row.app_id, grantId }
  return { principal: { ...principalOf(row, { client, scopes }), endsAtMs: expiresAtMs }, expiresAtMs }
}

/** What its maker may do is cut down to what a phone needs. */
function asPhone(entry: Entry, { phone }: Pick<AccessClaims, 'phone'>): Entry {
  if (phone === null) return entry
  const permissions = new Set([...entry.principal.permissions].filter(held => held === 'phone:use'))
  return { ...entry, principal: { ...entry.principal, scopes: ['phone:use'], permissions, phone } }
}

/**
 * When a token ends because its session was proved again since: with a moment for what is under way. A phone's is no token of the session,
 * which only made it; one that does not say of which proof it is, for a node of the version before made it, is taken by its time.
 */
function endOfFormer({ proofs, issuedAtMs, phone }: AccessClaims, { proofs: now, auth_at }: SessionRow): number {
  const provedMs = Date.parse(auth_at)
  const isFormer = proofs === null ? now > 0 && issuedAtMs < provedMs - 1_000 : proofs < now
  return isFormer && phone === null ? provedMs + formerTokenSeconds * 1_000 : Number.POSITIVE_INFINITY
}

function sessionOf(sessionId: string, { account_id, login_id, auth_at, factor_at }: SessionRow) {
  const factorAtMs = factor_at === null ? null : Date.parse(factor_at)
  return { sessionId, person: { accountId: account_id, loginId: login_id, authAtMs: Date.parse(auth_at), factorAtMs } }
}

function timeOf(iso: string | null): number {
  return iso === null ? Number.POSITIVE_INFINITY : Date.parse(iso)
}

/** A permission that there is no more is left out. */
export function customRoleOf(row: CustomRoleRow | null): CustomRole | null {
  return row && { ...row, permissions: new Set(row.permissions.filter(isPermission)) }
}

export function principalOf(
  row: Omit<IdentityRow, 'revoked'>,
  {
    keyId = null,
    sessionId = null,
    person = null,
    client = null,
    scopes = null,
  }: {
    keyId?: string | null
    sessionId?: string | null
    person?: Person | null
    client?: OAuthClient | null
    scopes?: readonly string[] | null
  },
): Principal {
  const custom = customRoleOf(row.custom)
  return {
    kind: client !== null ? 'app' : keyId === null ? 'user' : 'key',
    organizationId: row.organization_id,
    tenantId: row.tenant_id,
    mode: row.mode,
    userId: row.user_id,
    email: row.email,
    role: row.role,
    custom,
    keyId,
    sessionId,
    person,
    client,
    scopes,
    permissions: effectivePermissions({ role: row.role, custom }, scopes),
    phone: null,
    endsAtMs: null,
    isKeyToken: false,
    organizationState: row.organization_state,
    settings: {
      timeZone: row.time_zone,
      currency: row.currency,
      defaultCountry: row.default_country,
      duplicateMode: row.duplicate_mode,
      invoiceNumbering: row.invoice_numbering,
    },
  }
}
