// Opening, refreshing and ending the sessions of a person: what the endpoints and the portal both do, so that throttling,
// timing and revocation are the same whichever door was taken.

import { accessTokenSeconds } from '../../../kernel/access/tokens.ts'
import type { Db } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { accountEmail } from '../../../kernel/values/email.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { Role } from '../../../kernel/values/permission.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { brakeOf, placesOf } from './brake.ts'
import { hashPassword, needsRehash, passwordFits } from './password.ts'
import { checkRefresh, secondsToLive } from './rules.ts'
import {
  type Account,
  changePasswordHash,
  changeSessionGeneration,
  findAccount,
  findSessionScope,
  findTenant,
  findUser,
  insertSession,
  lockLoginUser,
  lockSession,
  rememberPlaces,
  revokeSession,
  type UserRow,
} from './store.ts'

export type Mode = 'live' | 'test'
export type LoginUser = { id: number; email: string; role: Role; name: string }

/** What a client gets of a session: an access token (a JWT), the seconds it lives, and the next refresh token. */
export type SessionTokens = { accessToken: string; expiresIn: number; refreshToken: string }

export type Login = {
  emailOrAdminId: string
  password: string
  /** A session is opened for each of these tenants of the organization. */
  modes: readonly Mode[]
  /** Client address, counted when the login fails. */
  ip: string
  /** The device of a browser that proved one (`readDevice`); the login makes it known. */
  device?: string | null
  nowMs: number
}

/**
 * Checks who it is and opens one session a mode, in the order of `modes`.
 * @throws Problem `invalid_credentials`, `login_throttled`, or `unavailable` when too many logins wait
 */
export async function logIn(
  services: Services,
  { emailOrAdminId, password, modes, ip, device = null, nowMs }: Login,
): Promise<{ user: LoginUser; sessions: SessionTokens[] }> {
  const { account, folded } = await findAccount(services.db, accountEmail(emailOrAdminId))
  const askBrake = async () => {
    const brake = await brakeOf(services, { account, folded, ip, device, nowMs })
    if (brake.waitSeconds > 0) throw throttled(brake.waitSeconds)
    return brake
  }
  let brake = await askBrake()
  const fits = await passwordFits(account?.password_hash ?? null, password, async () => {
    // Many sent at once would all pass before the first has failed.
    brake = await askBrake()
  })
  const admitted = account !== undefined && fits && !account.disabled
  const places = placesOf(services.pepper, ip, device)
  const opened = admitted ? await openSessions(services.db, account, { modes, places, nowMs }) : undefined
  if (account === undefined || opened === undefined) {
    await brake.failed()
    throw new Problem('invalid_credentials')
  }
  await brake.succeeded()
  if (needsRehash(account.password_hash)) {
    await renewHash(services.db, account, password).catch(err =>
      services.log.warn({ err }, 'password hash not renewed'),
    )
  }
  const { user, sessions } = opened
  const tokens = sessions.map(({ id, tenantId }) => tokensOf(services, { id, tenantId, generation: 0, user }, nowMs))
  return { user: presentUser(user), sessions: await Promise.all(tokens) }
}

/** Places remembered of a user; who logs in from ever new ones must not fill the table. */
const maxPlaces = 50

type Opened = { user: UserRow; sessions: { id: string; tenantId: number }[] }

/** Opens sessions, unless password or account changed since they were checked: no login may outrun its revocation. */
function openSessions(
  db: Db,
  account: Account,
  { modes, places, nowMs }: { modes: readonly Mode[]; places: string[]; nowMs: number },
): Promise<Opened | undefined> {
  const scope = { organizationId: account.organization_id, tenantId: 0 }
  return db.inTenant(scope, async tx => {
    const [user, ...tenantIds] = await Promise.all([
      lockLoginUser(tx, scope, account),
      ...modes.map(mode => findTenant(tx, account.organization_id, mode)),
    ])
    if (user === undefined) return undefined
    await rememberPlaces(tx, account, places, { nowMs, most: maxPlaces })
    const sessions = tenantIds.map(tenantId => ({ id: newId('ses'), tenantId }))
    await Promise.all(
      sessions.map(({ id, tenantId }) =>
        insertSession(tx, { organization_id: account.organization_id, id, user_id: user.id, tenant_id: tenantId }),
      ),
    )
    return { user, sessions }
  })
}

/** Hashes a password again with today's parameters, now that we have it in clear. */
async function renewHash(db: Db, account: Account, password: string): Promise<void> {
  const renewed = await hashPassword(password)
  const scope = { organizationId: account.organization_id, tenantId: 0 }
  await db.inTenant(scope, tx => changePasswordHash(tx, account, renewed))
}

function throttled(seconds: number): Problem {
  return new Problem('login_throttled', {
    message: `Too many failed logins. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    headers: { 'retry-after': String(seconds) },
  })
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
  { nowMs, restSeconds = 0 }: { nowMs: number; restSeconds?: number },
): Promise<Refreshed> {
  const named = services.tokens.readRefresh(refreshToken)
  const found = named && (await findSessionScope(services.db, named.sessionId))
  if (named === undefined || found === undefined) throw new Problem('invalid_refresh_token')
  const { sessionId: id } = named
  const scope = { organizationId: found.organization_id, tenantId: found.tenant_id }
  const refreshed = await services.db.inTenant(scope, async tx => {
    const session = await lockSession(tx, scope.organizationId, id)
    if (session === undefined) return undefined
    const verdict = checkRefresh(session, named.generation, restSeconds)
    if (verdict === 'refuse') return undefined
    if (verdict === 'reuse') {
      // Returned, not thrown: the end of the session must be committed.
      await revokeSession(tx, scope.organizationId, id)
      return 'reuse' as const
    }
    const generation = verdict === 'keep' ? named.generation : named.generation + 1
    if (verdict === 'rotate') await changeSessionGeneration(tx, scope.organizationId, id, generation)
    const user = await findUser(tx, scope, session.user_id)
    return user === undefined ? undefined : { user, generation, secondsToLive: secondsToLive(session.age_seconds) }
  })
  if (refreshed === 'reuse') services.authenticator.forget()
  if (refreshed === undefined || refreshed === 'reuse') throw new Problem('invalid_refresh_token')
  const { user, generation, secondsToLive: left } = refreshed
  const session = await tokensOf(services, { id, tenantId: scope.tenantId, generation, user }, nowMs)
  return { user: presentUser(user), session, secondsToLive: left }
}

/** Ends the session of a refresh token on every node within two seconds; a token that names none changes nothing. */
export async function endSession(services: Services, refreshToken: string): Promise<void> {
  const named = services.tokens.readRefresh(refreshToken)
  const found = named && (await findSessionScope(services.db, named.sessionId))
  if (named === undefined || found === undefined) return
  const scope = { organizationId: found.organization_id, tenantId: found.tenant_id }
  await services.db.inTenant(scope, tx => revokeSession(tx, scope.organizationId, named.sessionId))
  services.authenticator.forget()
}

type Standing = { id: string; tenantId: number; generation: number; user: UserRow }

async function tokensOf(services: Services, session: Standing, nowMs: number): Promise<SessionTokens> {
  const { id, tenantId, generation, user } = session
  const claims = { sessionId: id, userId: user.id, tenantId, role: user.role }
  return {
    accessToken: await services.tokens.signAccess(claims, nowMs),
    expiresIn: accessTokenSeconds,
    refreshToken: services.tokens.refreshToken(id, generation),
  }
}

function presentUser({ id, email, role, name }: UserRow): LoginUser {
  return { id, email, role, name }
}
