// Sessions of a person: opened by a login, going on by refresh tokens, opened beside others in another organization, ended.
// What the endpoints and the portal both do, so that it is the same whichever door was taken.

import type { Person, Principal } from '../../../kernel/access/principal.ts'
import { accessTokenSeconds } from '../../../kernel/access/tokens.ts'
import { type Asked, recordAudit } from '../../../kernel/audit/record.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { Role } from '../../../kernel/values/permission.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { findPolicy, isAllowedAddress } from '../security/index.ts'
import { findOwnAccount } from './account_store.ts'
import { checkRefresh, secondsToLive } from './rules.ts'
import {
  changeProof,
  changeSessionGeneration,
  endLogins,
  findProofs,
  findSessionScope,
  findTenant,
  findUser,
  insertSession,
  listMemberships,
  lockSession,
  type NewSession,
  revokeSession,
  type SessionProof,
  touchMembership,
  type UserRow,
} from './store.ts'

export type Mode = 'live' | 'test'
export type LoginUser = { id: number; email: string; role: Role; name: string }

/** What a client gets of a session: an access token (a JWT), the seconds it lives, and the next refresh token. */
export type SessionTokens = { accessToken: string; expiresIn: number; refreshToken: string }

export type Opened = {
  user: UserRow
  sessions: { id: string; tenantId: number }[]
  /** Of an app that was set up with the login: shown this once. */
  recoveryCodes?: string[]
}

/** Opens a session for each mode, in their order; the transaction is the organization's. */
export async function insertSessions(
  tx: Tx,
  organizationId: number,
  modes: readonly Mode[],
  proof: SessionProof,
  nowMs: number,
): Promise<Opened['sessions']> {
  const tenantIds = await Promise.all(modes.map(mode => findTenant(tx, organizationId, mode)))
  const sessions = tenantIds.map(tenantId => ({ id: newId('ses'), tenantId }))
  const rows = sessions.map(
    ({ id, tenantId }): NewSession => ({ ...proof, organization_id: organizationId, id, tenant_id: tenantId }),
  )
  await Promise.all([
    ...rows.map(row => insertSession(tx, row)),
    touchMembership(tx, { organizationId, tenantId: 0 }, proof.user_id, nowMs),
  ])
  return sessions
}

export type LoggedIn = { user: LoginUser; organizationId: number; sessions: SessionTokens[]; recoveryCodes?: string[] }

/** What a client gets of sessions that were just opened. */
export async function tokensOfOpened(
  services: Services,
  organizationId: number,
  { user, sessions, recoveryCodes }: Opened,
  nowMs: number,
): Promise<LoggedIn> {
  const tokens = sessions.map(({ id, tenantId }) =>
    tokensOf(services, { id, tenantId, generation: 0, proofs: 0, user }, nowMs),
  )
  const opened = { user: presentUser(user), organizationId, sessions: await Promise.all(tokens) }
  return recoveryCodes === undefined ? opened : { ...opened, recoveryCodes }
}

export type Refreshed = {
  user: LoginUser
  session: SessionTokens
  /** How long the session may still live without another refresh. */
  secondsToLive: number
}

/**
 * Exchanges a refresh token for an access token and the next refresh token. An old token ends the whole session, unless
 * it is the one before and within the grace. With `restSeconds` the session does not rotate again so soon after its last
 * rotation: the newest token is then answered as it is.
 * @throws Problem `invalid_refresh_token`
 */
export async function refreshSession(
  services: Services,
  refreshToken: string,
  { nowMs, restSeconds = 0, asked }: { nowMs: number; restSeconds?: number; asked?: Asked },
): Promise<Refreshed> {
  const named = services.tokens.readRefresh(refreshToken)
  const found = named && (await findSessionScope(services.db, named.sessionId))
  if (named === undefined || found === undefined) throw new Problem('invalid_refresh_token')
  const { sessionId: id } = named
  const scope = { organizationId: found.organization_id, tenantId: found.tenant_id }
  const refreshed = await services.db.inTenant(scope, async tx => {
    const session = await lockSession(tx, scope.organizationId, id)
    if (session === undefined) return undefined
    const policy = await findPolicy(tx, scope)
    const { session_idle_minutes: idle, session_max_hours: most, allowed_addresses: ranges } = policy
    if (session.idle_seconds > idle * 60 || session.age_seconds > most * 3_600) return undefined
    if (asked?.ip != null && !isAllowedAddress(asked.ip, ranges)) return undefined
    const verdict = checkRefresh(session, named.generation, restSeconds)
    if (verdict === 'refuse') return undefined
    if (verdict === 'reuse') {
      // Returned, not thrown: the end of the session must be committed.
      await revokeSession(tx, scope.organizationId, id)
      const by = { organizationId: scope.organizationId, type: 'anonymous', sessionId: id } as const
      const targets = [
        { type: 'session', id },
        { type: 'user', id: session.user_id },
      ]
      await recordAudit(tx, by, { action: 'session.reuse_detected', targets, outcome: 'denied' }, asked)
      return 'reuse' as const
    }
    const generation = verdict === 'keep' ? named.generation : named.generation + 1
    if (verdict === 'rotate') await changeSessionGeneration(tx, scope.organizationId, id, generation)
    const user = await findUser(tx, scope, session.user_id)
    const { proofs } = session
    return user === undefined
      ? undefined
      : { user, generation, proofs, secondsToLive: secondsToLive(session.age_seconds) }
  })
  if (refreshed === 'reuse') services.authenticator.forget()
  if (refreshed === undefined || refreshed === 'reuse') throw new Problem('invalid_refresh_token')
  const { user, generation, proofs, secondsToLive: left } = refreshed
  const session = await tokensOf(services, { id, tenantId: scope.tenantId, generation, proofs, user }, nowMs)
  return { user: presentUser(user), session, secondsToLive: left }
}

/**
 * Ends the login of a refresh token, with all sessions that it opened, on every node within two seconds; a token that names none
 * changes nothing.
 */
export async function endSession(services: Services, refreshToken: string, asked?: Asked): Promise<void> {
  const found = await readSession(services, refreshToken)
  if (found === undefined) return
  const { organizationId, sessionId: id } = found
  await services.db.inTenant(found, async tx => {
    if ((await endLogins(tx, found.accountId, { only: found.loginId })) === 0) return
    const by = { organizationId, type: 'user', id: found.userId, name: found.email, sessionId: id } as const
    await recordAudit(tx, by, { action: 'user.signed_out', targets: [{ type: 'session', id }] }, asked)
  })
  services.authenticator.forget()
}

/** Whose session a refresh token names; undefined when it is none of ours. It may be over. */
export async function readSession(services: Services, refreshToken: string) {
  const named = services.tokens.readRefresh(refreshToken)
  const found = named && (await findSessionScope(services.db, named.sessionId))
  if (named === undefined || found === undefined) return undefined
  return {
    organizationId: found.organization_id,
    tenantId: found.tenant_id,
    sessionId: named.sessionId,
    accountId: found.account_id,
    userId: found.user_id,
    email: found.email,
    loginId: found.login_id,
  }
}

/** What a session says of its person: the organization that it is in, of how many they are a member who may log in, their language. */
export async function describePerson(
  services: Services,
  refreshToken: string,
): Promise<{ organizationName: string; organizations: number; locale: string | null }> {
  const found = await readSession(services, refreshToken)
  if (found === undefined) return { organizationName: '', organizations: 0, locale: null }
  return services.db.inTenant({ ...found, person: found }, async tx => {
    const memberships = await listMemberships(tx, found.accountId)
    const { locale } = await findOwnAccount(tx, found.accountId)
    const own = memberships.find(({ organization_id }) => organization_id === found.organizationId)
    const organizations = memberships.filter(({ disabled }) => !disabled).length
    return { organizationName: own?.organization_name ?? '', organizations, locale }
  })
}

/**
 * Notes that a person proved again who they are, for all sessions of their login, in every organization and on every node. Their tokens of
 * before end: the access tokens after a moment, the refresh tokens at the next refresh.
 * @returns an access token of the session that asked
 */
export async function proveLogin(
  { db, authenticator, tokens }: Services,
  scope: Principal & { person: Person },
  { nowMs, isStrong, how, asked }: { nowMs: number; isStrong: boolean; how: string[]; asked: Asked },
): Promise<Omit<SessionTokens, 'refreshToken'>> {
  const { userId, tenantId, role, sessionId } = scope
  const { accountId, loginId } = scope.person
  const proofs = await db.inTenant(scope, async tx => {
    await changeProof(tx, accountId, loginId, { nowMs, isStrong, how })
    const targets = [{ type: 'session', id: loginId }]
    await recordAudit(tx, scope, { action: 'user.proof_renewed', targets, more: { how: how.join(' ') } }, asked)
    return findProofs(tx, scope, sessionId!)
  })
  authenticator.forget()
  const claims = { sessionId: sessionId!, userId, tenantId, role, proofs }
  return { accessToken: await tokens.signAccess(claims, nowMs), expiresIn: accessTokenSeconds }
}

type Standing = { id: string; tenantId: number; generation: number; proofs: number; user: UserRow }

async function tokensOf(services: Services, session: Standing, nowMs: number): Promise<SessionTokens> {
  const { id, tenantId, generation, proofs, user } = session
  const claims = { sessionId: id, userId: user.id, tenantId, role: user.role, proofs }
  return {
    accessToken: await services.tokens.signAccess(claims, nowMs),
    expiresIn: accessTokenSeconds,
    refreshToken: services.tokens.refreshToken(id, generation),
  }
}

function presentUser({ id, email, role, name }: UserRow): LoginUser {
  return { id, email, role, name }
}
