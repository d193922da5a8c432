// What people have open: their sessions in all organizations, to end one or all others, and the way to another organization.
import { Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { Deleted, IntegerId, Nullable, OneOf, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { roles } from '../../../kernel/values/permission.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { endLogins, type LoginRow, listLogins, listMemberships, switchOrganization } from '../login/index.ts'

const Session = Type.Object({
  sessionId: Type.String(),
  isCurrent: Type.Boolean({ description: 'Whether it is the session of this very request.' }),
  organizations: Type.Array(Type.String(), { description: 'Names of the organizations that it was opened for.' }),
  modes: Type.Array(OneOf(['live', 'test'])),
  methods: Type.Array(Type.String(), {
    description: 'How the person proved who they are, in the words of RFC 8176: pwd, otp, hwk, swk, mfa.',
  }),
  ip: Nullable(Type.String({ description: 'The address it was opened from.' })),
  userAgent: Nullable(Type.String({ description: 'What the browser or program called itself.' })),
  createdAt: Timestamp,
  lastUsedAt: Type.String({ format: 'date-time', description: 'Exact to an hour: when it last got an access token.' }),
})

const SessionParams = Type.Object({ sessionId: RecordId('lgn', 'Identifier of the session.') })
const sampleId = 'lgn_01k9r7d3w2v8e6q4n5m1b0c9xz'

function presentSession(row: LoginRow, currentId: string) {
  return {
    sessionId: row.login_id,
    isCurrent: row.login_id === currentId,
    organizations: row.organizations,
    modes: row.modes as ('live' | 'test')[],
    methods: row.amr,
    ip: row.ip,
    userAgent: row.user_agent,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }
}

export const listSessions = endpoint({
  id: 'own_sessions.list',
  version: 'v2',
  category: 'User',
  method: 'GET',
  path: '/users/me/sessions',
  name: 'List sessions',
  description:
    'All that the person has open, in every organization: one for each login, the one used last first. A session ends by itself ' +
    'after 14 days without use, and after 90 days.',
  permission: 'profile:read',
  whileSuspended: true,
  personOnly: true,
  reply: Type.Object({ sessions: Type.Array(Session) }),
  envelope: 'data',
  sample: {
    reply: {
      sessions: [
        {
          sessionId: sampleId,
          isCurrent: true,
          organizations: ['Example GmbH'],
          modes: ['live', 'test'],
          methods: ['pwd', 'otp', 'mfa'],
          ip: '203.0.113.7',
          userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
          createdAt: '2026-11-21T08:44:00.123Z',
          lastUsedAt: '2026-11-21T09:44:00.123Z',
        },
      ],
    },
  },
  async handle({ tx, principal: { person } }) {
    const { accountId, loginId } = person!
    return { sessions: (await listLogins(tx, accountId)).map(row => presentSession(row, loginId)) }
  },
})

export const endOwnSession = endpoint({
  id: 'own_sessions.end',
  version: 'v2',
  category: 'User',
  method: 'DELETE',
  path: '/users/me/sessions/{sessionId}',
  name: 'Revoke a session',
  description: 'What the login opened stops working on every node within two seconds, in every organization and mode.',
  permission: 'profile:update',
  whileSuspended: true,
  personOnly: true,
  params: SessionParams,
  audit: 'session.ended',
  reply: Deleted('sessionId'),
  envelope: 'data',
  problems: ['not_found'],
  sample: { params: { sessionId: sampleId }, reply: { sessionId: sampleId, deleted: true } },
  async handle({ tx, principal: { person }, params: { sessionId }, afterCommit, services }) {
    if ((await endLogins(tx, person!.accountId, { only: sessionId })) === 0) throw new Problem('not_found')
    afterCommit(() => services.authenticator.forget())
    return { sessionId, deleted: true as const }
  },
})

export const endOtherSessions = endpoint({
  id: 'own_sessions.end_others',
  version: 'v2',
  category: 'User',
  method: 'DELETE',
  path: '/users/me/sessions',
  name: 'Revoke all other sessions',
  description: 'Ends all that the person has open but for the session of this request, in every organization and mode.',
  permission: 'profile:update',
  whileSuspended: true,
  personOnly: true,
  audit: 'session.others_ended',
  reply: Type.Object({ endedSessions: Type.Integer({ description: 'How many logins this ended.' }) }),
  envelope: 'data',
  sample: { reply: { endedSessions: 2 } },
  async handle({ tx, principal: { person }, afterCommit, services }) {
    afterCommit(() => services.authenticator.forget())
    return { endedSessions: await endLogins(tx, person!.accountId, { but: person!.loginId }) }
  },
})

export const listOwnOrganizations = endpoint({
  id: 'own_organizations.list',
  version: 'v2',
  category: 'User',
  method: 'GET',
  path: '/users/me/organizations',
  name: 'List organizations',
  description:
    'The organizations that the person is a member of, the one used last first: those POST /v2/auth/switch takes.',
  permission: 'profile:read',
  whileSuspended: true,
  personOnly: true,
  reply: Type.Object({
    organizations: Type.Array(
      Type.Object({
        organizationId: IntegerId,
        name: Type.String(),
        userId: IntegerId,
        role: OneOf(roles, { description: 'What the person may do there.' }),
        isCurrent: Type.Boolean({ description: 'Whether the session of this request is in it.' }),
        lastUsedAt: Nullable(Timestamp),
      }),
    ),
  }),
  envelope: 'data',
  sample: {
    reply: {
      organizations: [
        {
          organizationId: 1,
          name: 'Example GmbH',
          userId: 12,
          role: 'Sales Manager',
          isCurrent: true,
          lastUsedAt: '2026-11-21T08:44:00.123Z',
        },
      ],
    },
  },
  async handle({ tx, principal }) {
    const memberships = await listMemberships(tx, principal.person!.accountId)
    const organizations = memberships
      .filter(({ disabled }) => !disabled)
      .map(one => ({
        organizationId: one.organization_id,
        name: one.organization_name,
        userId: one.user_id,
        role: one.role,
        isCurrent: one.organization_id === principal.organizationId,
        lastUsedAt: one.last_used_at,
      }))
    return { organizations }
  },
})

export const switchTo = endpoint({
  id: 'auth.switch',
  version: 'v2',
  category: 'Authentication',
  method: 'POST',
  path: '/auth/switch',
  name: 'Switch to another organization',
  description:
    'Opens a session in another organization of the person, without asking again who they are, where the login showed what that one asks ' +
    'for. The session of this request goes on; both end together, when either is logged out or ended, and both are as old as the login.',
  permission: 'profile:read',
  whileSuspended: true,
  personOnly: true,
  idempotent: false,
  transaction: 'none',
  body: Type.Object({
    organizationId: IntegerId,
    mode: Type.Optional(OneOf(['live', 'test'], { description: 'Which tenant the token is for; live when left out.' })),
  }),
  reply: Type.Object({
    accessToken: Type.String({ description: 'JWT; send it as Authorization: Bearer <token>. Lives one hour.' }),
    expiresIn: Type.Integer({ description: 'Seconds the access token lives.' }),
    refreshToken: Type.String({ description: 'Gets the next access token; changes at every use.' }),
    organizationId: IntegerId,
    user: Type.Object({ id: IntegerId, email: Type.String(), role: OneOf(roles), name: Type.String() }),
  }),
  envelope: 'data',
  audit: 'organization.entered',
  problems: ['membership_required', 'sso_session', 'sso_required', 'address_not_allowed', 'switch_needs_login'],
  sample: {
    body: { organizationId: 2 },
    reply: {
      accessToken: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
      expiresIn: 3600,
      refreshToken: 'tdm_rt_ses_01k9r7d3w2v8e6q4n5m1b0c9xz.0.c2lnbmF0dXJlc2lnbmF0dXJlc2lnbmF0dXJlc2lnbmF',
      organizationId: 2,
      user: { id: 31, email: 'grace@example.com', role: 'Admin', name: 'Grace Hopper' },
    },
  },
  async handle({ principal, body: { organizationId, mode = 'live' }, now, ip, asked, services }) {
    const { tenantId, sessionId, person } = principal
    const from = {
      organizationId: principal.organizationId,
      tenantId,
      sessionId: sessionId as string,
      accountId: person!.accountId,
    }
    const to = { organizationId, modes: [mode], nowMs: now, from: { ip, asked } }
    const { user, sessions } = await switchOrganization(services, from, to)
    return { ...sessions[0]!, organizationId, user }
  },
})

export const endpoints = [listSessions, endOwnSession, endOtherSessions, listOwnOrganizations, switchTo]
