// Everybody an organization has: people, what apps act as, and who was invited, in one list.
import { type Static, Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { cutPage, readCursor, v2PageQuery } from '../../../kernel/endpoint/page.ts'
import { Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { roles } from '../../../kernel/values/permission.ts'
import { listVoidOffers } from '../invitations/index.ts'
import { findOwnerId } from '../organizations/index.ts'
import { listMembers, type MemberRow, memberKinds, memberStates } from './list_store.ts'

const Member = Type.Object({
  kind: OneOf(memberKinds, { description: 'A person, what an app acts as, or somebody who was invited.' }),
  userId: Nullable(Type.Integer({ description: 'The user; null of an invitation.' })),
  invitationId: Nullable(Type.String()),
  appId: Nullable(Type.String({ description: 'The app that acts as this user.' })),
  name: Type.String({ description: 'Of an invitation its address.' }),
  email: Nullable(Type.String({ description: 'Null of apps.' })),
  role: OneOf(roles),
  roleId: Nullable(
    Type.String({ description: "The role of the organization's own that they have, of which `role` is the base." }),
  ),
  roleName: Nullable(Type.String()),
  state: OneOf(memberStates, {
    description:
      'An invitation is invited, or expired when nobody answered in time, or its sender is disabled or may not give that role any more.',
  }),
  isOwner: Type.Boolean({ description: 'Whether the organization is theirs.' }),
  hasSecondFactor: Nullable(Type.Boolean({ description: 'Null of apps and invitations.' })),
  isShared: Type.Boolean({
    description: 'Whether the account is also a member of other organizations: how it logs in is theirs alone.',
  }),
  lastSeenAt: Nullable(
    Type.String({ format: 'date-time', description: 'When they last logged in or got a token; null when never.' }),
  ),
  expiresAt: Nullable(Type.String({ format: 'date-time', description: 'Until when an invitation can be accepted.' })),
  passwordEndsAt: Nullable(
    Type.String({
      format: 'date-time',
      description:
        'Until when a password that the server or an Admin made logs in, while its person has not replaced it; null of one of their own.',
    }),
  ),
  invitedBy: Nullable(Type.Integer({ description: 'Of an invitation: the user whose it is.' })),
  resentCount: Nullable(Type.Integer({ description: 'How often the mail of an invitation was sent again.' })),
  createdAt: Timestamp,
})

const sampleMember: Static<typeof Member> = {
  kind: 'person',
  userId: 12,
  invitationId: null,
  appId: null,
  name: 'Grace Hopper',
  email: 'grace@example.com',
  role: 'Sales Manager',
  roleId: null,
  roleName: null,
  state: 'active',
  isOwner: false,
  hasSecondFactor: true,
  isShared: false,
  lastSeenAt: '2026-11-21T09:44:00.123Z',
  expiresAt: null,
  passwordEndsAt: null,
  invitedBy: null,
  resentCount: null,
  createdAt: '2026-11-21T08:44:00.123Z',
}

const presentMember = (row: MemberRow, ownerId: number | null) => ({
  kind: row.kind,
  userId: row.user_id,
  invitationId: row.invitation_id,
  appId: row.app_id,
  name: row.name,
  email: row.email,
  role: row.role,
  roleId: row.role_id,
  roleName: row.role_name,
  state: row.state,
  isOwner: row.user_id !== null && row.user_id === ownerId,
  hasSecondFactor: row.has_factor,
  isShared: row.is_shared,
  lastSeenAt: row.last_used_at,
  expiresAt: row.expires_at,
  passwordEndsAt: row.password_ends_at,
  invitedBy: row.invited_by,
  resentCount: row.resent_count,
  createdAt: row.created_at,
})

export const listAllMembers = endpoint({
  id: 'members.list',
  version: 'v2',
  category: 'User',
  method: 'GET',
  path: '/members',
  name: 'List members',
  description:
    'Everybody an organization has, by name: people with when they were last seen and whether they have a second factor, what apps act ' +
    'as, and, for who may manage users, invitations that wait for their answer.',
  permission: 'users:read',
  query: Type.Object({
    kind: Type.Optional(OneOf(memberKinds)),
    role: Type.Optional(OneOf(roles)),
    state: Type.Optional(OneOf(memberStates)),
    userId: Type.Optional(Type.Integer({ minimum: 1, description: 'This user alone.' })),
    q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name or the e-mail.' })),
    ...v2PageQuery,
  }),
  reply: Member,
  envelope: 'page',
  sample: { query: { kind: 'person' }, reply: sampleMember },
  async handle({ tx, principal, query: { limit = 50, cursor, ...filter }, now }) {
    const [name, key] = readCursor(cursor, filter, 'text', 'text') ?? []
    const after = name === undefined || key === undefined ? undefined : ([name, key] as const)
    const withInvitations = principal.permissions.has('users:manage')
    const voidOffers = withInvitations ? await listVoidOffers(tx, principal, now) : []
    const [rows, ownerId] = await Promise.all([
      listMembers(tx, principal, { filter, withInvitations, voidOffers }, { limit, after, nowMs: now }),
      findOwnerId(tx, principal),
    ])
    const cut = cutPage(rows, limit, row => [row.sorted, row.key], filter)
    return { items: cut.rows.map(row => presentMember(row, ownerId)), limit, nextCursor: cut.nextCursor }
  },
})

export const endpoints = [listAllMembers]
