// Login, refresh, logout and "who am I": how a person gets and keeps an access token.
import { Type } from 'typebox'
import type { Db } from '../../../kernel/db.ts'
import { endpoint } from '../../../kernel/endpoint.ts'
import { newId } from '../../../kernel/ids.ts'
import { clientKey } from '../../../kernel/limit.ts'
import { type Role, roles } from '../../../kernel/permission.ts'
import { Problem } from '../../../kernel/problem.ts'
import { IntegerId, Nullable, OneOf } from '../../../kernel/schema.ts'
import { accessTokenSeconds } from '../../../kernel/tokens.ts'
import { hashPassword, needsRehash, passwordFits } from './password.ts'
import { judgeRefresh } from './rules.ts'
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
  revokeSession,
  type UserRow,
} from './store.ts'

const LoginUser = Type.Object({
  id: IntegerId,
  email: Type.String(),
  role: OneOf(roles),
  name: Type.String(),
})

const TokenReply = {
  accessToken: Type.String({ description: 'JWT; send it as Authorization: Bearer <token>. Lives one hour.' }),
  expiresIn: Type.Integer({ description: 'Seconds the access token lives.' }),
  refreshToken: Type.String({ description: 'Gets the next access token; changes at every use.' }),
}

export const login = endpoint({
  id: 'auth.login',
  version: 'v1',
  category: 'Authentication',
  method: 'POST',
  path: '/api/auth/login',
  name: 'Log in',
  description:
    'Exchanges e-mail (or administrator identifier) and password for an access token. The token belongs ' +
    'to the live tenant unless `mode` says test.',
  permission: 'public',
  bodyLimit: 4_096,
  body: Type.Object({
    emailOrAdminId: Type.String({ minLength: 1, maxLength: 254, description: 'E-mail or administrator identifier.' }),
    password: Type.String({ minLength: 1, maxLength: 128 }),
    mode: Type.Optional(OneOf(['live', 'test'], { description: 'Which tenant the token is for; live when left out.' })),
  }),
  reply: Type.Object({ ...TokenReply, user: LoginUser }),
  envelope: 'success',
  transaction: 'none',
  problems: ['invalid_credentials', 'login_throttled'],
  sample: {
    body: { emailOrAdminId: 'admin@tandem.localhost', password: 'correct horse battery staple' },
    reply: {
      accessToken: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
      expiresIn: 3600,
      refreshToken: 'tdm_rt_ses_01k9r7d3w2v8e6q4n5m1b0c9xz.0.c2lnbmF0dXJlc2lnbmF0dXJlc2lnbmF0dXJlc2lnbmF',
      user: { id: 1, email: 'admin@tandem.localhost', role: 'Admin', name: 'Administrator' },
    },
  },
  async handle({ body, now, ip, services }) {
    const identifier = body.emailOrAdminId.trim()
    const keys = [`account ${identifier.toLowerCase()}`, `ip ${clientKey(ip)}`]
    const waitSeconds = Math.max(...keys.map(key => services.loginThrottle.retryAfterSeconds(key, now)))
    if (waitSeconds > 0) throw throttled(waitSeconds)
    const account = await findAccount(services.db, identifier)
    const fits = await passwordFits(account?.password_hash ?? null, body.password)
    const admitted = account !== undefined && fits && !account.disabled
    const opened = admitted ? await openSession(services.db, account, body.mode ?? 'live') : undefined
    if (account === undefined || opened === undefined) {
      for (const key of keys) services.loginThrottle.fail(key, now)
      throw new Problem('invalid_credentials')
    }
    services.loginThrottle.succeed(keys[0] as string)
    if (needsRehash(account.password_hash)) {
      await renewHash(services.db, account, body.password).catch(err =>
        services.log.warn({ err }, 'password hash not renewed'),
      )
    }

    const { user, tenantId, sessionId } = opened
    const accessToken = await services.tokens.signAccess({ sessionId, userId: user.id, tenantId, role: user.role }, now)
    return {
      accessToken,
      expiresIn: accessTokenSeconds,
      refreshToken: services.tokens.refreshToken(sessionId, 0),
      user: { id: user.id, email: user.email, role: user.role, name: user.name },
    }
  },
})

type Opened = { user: UserRow; tenantId: number; sessionId: string }

/** Opens a session, unless password or account changed since they were checked: no login may outrun its revocation. */
function openSession(db: Db, account: Account, mode: 'live' | 'test'): Promise<Opened | undefined> {
  const scope = { organizationId: account.organization_id, tenantId: 0 }
  return db.inTenant(scope, async tx => {
    const [user, tenantId] = await Promise.all([
      lockLoginUser(tx, scope, account),
      findTenant(tx, account.organization_id, mode),
    ])
    if (user === undefined) return undefined
    const sessionId = newId('ses')
    await insertSession(tx, {
      organization_id: account.organization_id,
      id: sessionId,
      user_id: user.id,
      tenant_id: tenantId,
    })
    return { user, tenantId, sessionId }
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

const RefreshBody = Type.Object({
  refreshToken: Type.String({
    minLength: 1,
    maxLength: 2_000,
    description: 'The newest refresh token of the session.',
  }),
})

export const refresh = endpoint({
  id: 'auth.refresh',
  version: 'v1',
  category: 'Authentication',
  method: 'POST',
  path: '/api/auth/refresh',
  name: 'Refresh an access token',
  description:
    'Exchanges a refresh token for a new access token and the next refresh token. Using an old refresh ' +
    'token again ends the whole session, except within 20 seconds, when it answers the same successor.',
  permission: 'public',
  bodyLimit: 4_096,
  body: RefreshBody,
  reply: Type.Object(TokenReply),
  envelope: 'success',
  transaction: 'none',
  problems: ['invalid_refresh_token'],
  sample: {
    body: { refreshToken: 'tdm_rt_ses_01k9r7d3w2v8e6q4n5m1b0c9xz.0.c2lnbmF0dXJlc2lnbmF0dXJlc2lnbmF0dXJlc2lnbmF' },
    reply: {
      accessToken: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
      expiresIn: 3600,
      refreshToken: 'tdm_rt_ses_01k9r7d3w2v8e6q4n5m1b0c9xz.1.c2lnbmF0dXJlc2lnbmF0dXJlc2lnbmF0dXJlc2lnbmF',
    },
  },
  async handle({ body, now, services }) {
    const named = services.tokens.readRefresh(body.refreshToken)
    const found = named && (await findSessionScope(services.db, named.sessionId))
    if (named === undefined || found === undefined) throw new Problem('invalid_refresh_token')
    const scope = { organizationId: found.organization_id, tenantId: found.tenant_id }
    const refreshed = await services.db.inTenant(scope, async tx => {
      const session = await lockSession(tx, scope.organizationId, named.sessionId)
      if (session === undefined) return undefined
      const verdict = judgeRefresh(session, named.generation)
      if (verdict === 'refuse') return undefined
      if (verdict === 'reuse') {
        // Returned, not thrown: the end of the session must be committed.
        await revokeSession(tx, scope.organizationId, named.sessionId)
        return 'reuse' as const
      }
      const generation = named.generation + 1
      if (verdict === 'rotate') await changeSessionGeneration(tx, scope.organizationId, named.sessionId, generation)
      const user = await findUser(tx, scope, session.user_id)
      return user === undefined ? undefined : { user, generation }
    })
    if (refreshed === 'reuse') services.authenticator.forget()
    if (refreshed === undefined || refreshed === 'reuse') throw new Problem('invalid_refresh_token')
    const { user, generation } = refreshed
    const claims = { sessionId: named.sessionId, userId: user.id, tenantId: scope.tenantId, role: user.role as Role }
    return {
      accessToken: await services.tokens.signAccess(claims, now),
      expiresIn: accessTokenSeconds,
      refreshToken: services.tokens.refreshToken(named.sessionId, generation),
    }
  },
})

export const logout = endpoint({
  id: 'auth.logout',
  version: 'v1',
  category: 'Authentication',
  method: 'POST',
  path: '/api/auth/logout',
  name: 'Log out',
  description:
    'Ends the session of the access token: the token and its refresh token stop working on every node ' +
    'within two seconds. With an API key there is no session, and nothing happens.',
  permission: 'profile:read',
  idempotent: false,
  reply: Type.Object({}),
  envelope: 'success',
  sample: { reply: {} },
  async handle({ tx, principal, afterCommit, services }) {
    if (principal.sessionId !== null) {
      await revokeSession(tx, principal.organizationId, principal.sessionId)
      afterCommit(() => services.authenticator.forget())
    }
    return {}
  },
})

export const me = endpoint({
  id: 'auth.me',
  version: 'v1',
  category: 'Authentication',
  method: 'GET',
  path: '/api/auth/me',
  name: 'Who am I',
  description: 'The user behind the token or API key, with the rights it holds and the tenant and mode it belongs to.',
  permission: 'profile:read',
  reply: Type.Object({
    user: Type.Object({
      ...LoginUser.properties,
      adminId: Nullable(Type.String({ description: 'Administrator identifier.' })),
    }),
    tenant: Type.Object({ id: IntegerId, mode: OneOf(['live', 'test']) }),
    organizationId: IntegerId,
    permissions: Type.Array(Type.String()),
  }),
  envelope: 'success',
  sample: {
    reply: {
      user: { id: 1, email: 'admin@tandem.localhost', role: 'Admin', name: 'Administrator', adminId: 'ADM-000001' },
      tenant: { id: 1, mode: 'live' },
      organizationId: 1,
      permissions: ['leads:create', 'leads:read'],
    },
  },
  async handle({ tx, principal }) {
    const user = await findUser(tx, principal, principal.userId)
    if (user === undefined) throw new Problem('not_found')
    return {
      user: { id: user.id, email: user.email, role: user.role, name: user.name, adminId: user.admin_id },
      tenant: { id: principal.tenantId, mode: principal.mode },
      organizationId: principal.organizationId,
      permissions: [...principal.permissions].sort(),
    }
  },
})

export const endpoints = [login, refresh, logout, me]
