// Login, refresh, logout and "who am I": how a person gets and keeps an access token.
import { Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { IntegerId, Nullable, OneOf } from '../../../kernel/endpoint/schema.ts'
import { roles } from '../../../kernel/values/permission.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { logIn, refreshSession } from './session.ts'
import { findUser, revokeSession } from './store.ts'

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
    const { emailOrAdminId, password, mode = 'live' } = body
    const { user, sessions } = await logIn(services, { emailOrAdminId, password, modes: [mode], ip, nowMs: now })
    return { ...sessions[0]!, user }
  },
})

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
    const { session } = await refreshSession(services, body.refreshToken, { nowMs: now })
    return session
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
  description:
    'Who one is: the user behind the token or API key, with the rights it holds and the tenant and mode it belongs to.',
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
