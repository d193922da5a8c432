// Login, refresh, logout and "who am I": how a person gets and keeps an access token.
import { Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { IntegerId, Nullable, OneOf } from '../../../kernel/endpoint/schema.ts'
import { roles } from '../../../kernel/values/permission.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { Assertion } from '../factors/index.ts'
import { refreshSession } from './session.ts'
import { continueLogin, logIn } from './sign_in.ts'
import { endLogins, findUser } from './store.ts'

export const LoginUser = Type.Object({
  id: IntegerId,
  email: Type.String(),
  role: OneOf(roles),
  name: Type.String(),
})

export const TokenReply = {
  accessToken: Type.String({ description: 'JWT; send it as Authorization: Bearer <token>. Lives one hour.' }),
  expiresIn: Type.Integer({ description: 'Seconds the access token lives.' }),
  refreshToken: Type.String({ description: 'Gets the next access token; changes at every use.' }),
}

export const sampleLogin = {
  accessToken: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  expiresIn: 3600,
  refreshToken: 'tdm_rt_ses_01k9r7d3w2v8e6q4n5m1b0c9xz.0.c2lnbmF0dXJlc2lnbmF0dXJlc2lnbmF0dXJlc2lnbmF',
  user: { id: 1, email: 'admin@tandem.localhost', role: 'Admin', name: 'Administrator' },
} as const

/** What a login may be answered with that needs more than was sent. */
export const furtherNeeds = [
  'second_factor_required',
  'second_factor_setup_required',
  'password_change_required',
  'address_not_allowed',
  'sso_required',
] as const

export const Mode = Type.Optional(
  OneOf(['live', 'test'], { description: 'Which tenant the token is for; live when left out.' }),
)

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
    mode: Mode,
    organizationId: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'Which organization it is for, of people who are members of several; the one used last when left out.',
      }),
    ),
  }),
  reply: Type.Object({ ...TokenReply, user: LoginUser }),
  envelope: 'success',
  transaction: 'none',
  audit: 'user.signed_in',
  problems: [
    'invalid_credentials',
    'login_throttled',
    'login_by_mail_required',
    'membership_required',
    'initial_password_expired',
    ...furtherNeeds,
  ],
  sample: {
    body: { emailOrAdminId: 'admin@tandem.localhost', password: 'correct horse battery staple' },
    reply: sampleLogin,
  },
  async handle({ body, now, ip, asked, services }) {
    const { mode = 'live', ...credentials } = body
    const from = { ip, asked }
    const { user, sessions } = await logIn(services, { ...credentials, modes: [mode], from, nowMs: now })
    return { ...sessions[0]!, user }
  },
})

export const verifyLogin = endpoint({
  id: 'auth.verify_login',
  version: 'v1',
  category: 'Authentication',
  method: 'POST',
  path: '/api/auth/login/verify',
  name: 'Verify a login',
  description:
    'What a login needs beside the password: it was refused with `second_factor_required`, `second_factor_setup_required` or ' +
    '`password_change_required`, and a `challengeToken` that is good for five minutes, once. Answers as the login does.',
  permission: 'public',
  bodyLimit: 16_384,
  body: Type.Object({
    challengeToken: Type.String({ minLength: 1, maxLength: 4_000, description: 'Of the answer that asked for more.' }),
    code: Type.Optional(Type.String({ minLength: 6, maxLength: 6, description: 'The six digits that the app shows.' })),
    recoveryCode: Type.Optional(
      Type.String({ minLength: 20, maxLength: 60, description: 'Instead of a code: one of the recovery codes.' }),
    ),
    assertion: Type.Optional(Assertion),
    newPassword: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'In place of one that somebody else set: 15 characters, or 10 with a second factor.',
      }),
    ),
    mode: Mode,
  }),
  reply: Type.Object({
    ...TokenReply,
    user: LoginUser,
    recoveryCodes: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Where an app that makes codes was set up with this login: each stands for the second factor once. They are never shown again.',
      }),
    ),
  }),
  envelope: 'success',
  transaction: 'none',
  audit: 'user.signed_in',
  problems: [
    'challenge_expired',
    'invalid_second_factor',
    'weak_password',
    'login_throttled',
    'initial_password_expired',
    ...furtherNeeds,
  ],
  sample: { body: { challengeToken: 'tdm_lc_eyJhY2NvdW50SWQiOjF9.c2lnbmF0dXJl', code: '287082' }, reply: sampleLogin },
  async handle({ body: { mode = 'live', ...sent }, now, ip, asked, services }) {
    const from = { ip, asked }
    const opened = await continueLogin(services, { ...sent, modes: [mode], from, nowMs: now })
    const { user, sessions, recoveryCodes } = opened
    return { ...sessions[0]!, user, ...(recoveryCodes && { recoveryCodes }) }
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
  async handle({ body, now, asked, services }) {
    const { session } = await refreshSession(services, body.refreshToken, { nowMs: now, asked })
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
    'Ends the session of the access token, with all that its login opened, also in other organizations: the tokens stop ' +
    'working on every node within two seconds. With an API key there is no session, and nothing happens.',
  permission: 'profile:read',
  whileSuspended: true,
  idempotent: false,
  audit: 'user.signed_out',
  reply: Type.Object({}),
  envelope: 'success',
  sample: { reply: {} },
  async handle({ tx, principal, audited, afterCommit, services }) {
    if (principal.person === null) audited(false)
    else {
      audited({ targets: [{ type: 'session', id: principal.sessionId as string }] })
      await endLogins(tx, principal.person.accountId, { only: principal.person.loginId })
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
  whileSuspended: true,
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

export const endpoints = [login, verifyLogin, refresh, logout, me]
