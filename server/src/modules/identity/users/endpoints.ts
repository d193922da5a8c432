// Users of an organization: an Admin creates them, changes their roles, disables them. Whatever takes rights away ends
// the user's sessions, on every node within two seconds.

import { Type } from 'typebox'
import type { AuditAction } from '../../../kernel/audit/entry.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { cutPage, Pagination, readCursor, v1Page, v1PageQuery } from '../../../kernel/endpoint/page.ts'
import { requireVersion } from '../../../kernel/endpoint/record.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { Email, IntegerId, Nullable, OneOf } from '../../../kernel/endpoint/schema.ts'
import { accountEmail } from '../../../kernel/values/email.ts'
import { randomToken } from '../../../kernel/values/ids.ts'
import { type Rights, type Role, roles } from '../../../kernel/values/permission.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { permissions, rolePermissions } from '../../../nouns.ts'
import { refuseRestricted } from '../../destinations/index.ts'
import { endKeysOf } from '../api_keys/index.ts'
import {
  hashPassword,
  insertRevocation,
  passwordMaxLength,
  passwordMinLength,
  passwordWeakness,
  refuseWeak,
  revokeUserSessions,
} from '../login/index.ts'
import { adminIdOf, lockOrganization } from '../organizations/index.ts'
import { Name, presentUser, sampleUser, User } from './present.ts'
import { type UserState, validateChange } from './rules.ts'
import {
  changeAccount,
  changeAdminId,
  changeUser,
  findOtherAdmins,
  findUser,
  insertUser,
  listUsers,
  lockUser,
} from './store.ts'

const Password = Type.String({
  minLength: passwordMinLength,
  maxLength: passwordMaxLength,
  description: 'At least 10 characters; not one of the most used passwords, and not containing the e-mail.',
})

const TemporaryPassword = Type.Optional(
  Type.Boolean({
    description:
      'Whether the password is good for one login, which asks for another of the person (`password_change_required`). Left out: true ' +
      'of what somebody else sets; false is for accounts that programs log in with.',
  }),
)

const UserParams = Type.Object({ id: IntegerId })

export const createUser = endpoint({
  id: 'users.create',
  version: 'v1',
  category: 'User',
  method: 'POST',
  path: '/api/users',
  name: 'Create a user',
  description:
    'Adds a person to the organization, for live and test mode alike. Without a password one is made and ' +
    'answered as `generatedPassword`, this once. An Admin also gets an administrator identifier, which ' +
    'logs in like the e-mail. Done in live mode, by anyone who holds every permission of the role: an Admin who is ' +
    'logged in, or a key with all rights.',
  permission: 'users:manage',
  audit: 'user.created',
  shared: true,
  handsOut: true,
  bodyLimit: 4_096,
  body: Type.Object({
    email: Email,
    name: Name,
    role: OneOf(roles, { description: 'What the user may do.' }),
    password: Type.Optional(Password),
    temporaryPassword: TemporaryPassword,
  }),
  reply: Type.Object({
    user: User,
    generatedPassword: Type.Optional(Type.String({ description: 'Only when none was sent, and only in this answer.' })),
  }),
  envelope: 'success',
  status: 201,
  versioned: true,
  secretReply: true,
  problems: ['email_taken', 'weak_password'],
  sample: {
    body: { email: 'grace@example.com', name: 'Grace Hopper', role: 'Sales Manager' },
    reply: { user: sampleUser, generatedPassword: 'pX3nQ0r8yVb2KtWm' },
  },
  async handle({ tx, principal, body, setVersion, handOut }) {
    const { role, password } = body
    const email = accountEmail(body.email)
    await refuseRestricted(tx, principal, 'makes nobody who can log in')
    handOut(rightsOf(role), 'role')
    const generatedPassword = password === undefined ? newPassword(email) : undefined
    if (password !== undefined) refuseWeak(password, { email })
    const password_hash = await hashPassword(password ?? (generatedPassword as string))
    const user = await insertUser(tx, principal, {
      email,
      name: body.name.trim(),
      role,
      password_hash,
      is_temporary: body.temporaryPassword ?? true,
    })
    if (role === 'Admin') {
      user.admin_id = adminIdOf(user.id)
      await changeAdminId(tx, principal, user.id, user.admin_id)
    }
    setVersion(user.version)
    const shown = presentUser(user)
    await emitChange(tx, principal, { type: 'user.created', resourceId: user.id, record: shown })
    return { user: shown, generatedPassword }
  },
})

/** What somebody gets who may act as a user of any of these roles: they log in, in either mode. */
function rightsOf(...held: Role[]): Rights {
  return { permissions: new Set(held.flatMap(role => [...rolePermissions[role]])), mode: 'live', endsAtMs: null }
}

/**
 * What a change is worth. Anyone who sets how another logs in, or what they may do, could act as them; anyone who shuts them out
 * decides over all they hold. A name is worth nothing.
 */
function handedOut(before: UserState, after: UserState, change: Record<string, unknown>): [Rights, string] {
  const field = ['password', 'email', 'role', 'disabled', 'end_keys'].find(name => change[name] !== undefined)
  return field === undefined ? [{ ...rightsOf(), endsAtMs: 0 }, 'name'] : [rightsOf(before.role, after.role), field]
}

/** 96 random bits; drawn again in the odd case that it looks like a common password. */
function newPassword(email: string): string {
  for (;;) {
    const password = randomToken(12)
    if (passwordWeakness(password, email) === undefined) return password
  }
}

export const getUser = endpoint({
  id: 'users.get',
  version: 'v1',
  category: 'User',
  method: 'GET',
  path: '/api/users/{id}',
  name: 'Get a user',
  description: 'One user of the organization, with an ETag for a later change.',
  permission: 'users:read',
  params: UserParams,
  reply: Type.Object({ user: User }),
  envelope: 'success',
  versioned: true,
  problems: ['not_found'],
  sample: { params: { id: 12 }, reply: { user: sampleUser } },
  async handle({ tx, principal, params, setVersion }) {
    const user = await findUser(tx, principal, params.id)
    if (user === undefined) throw new Problem('not_found')
    setVersion(user.version)
    return { user: presentUser(user) }
  },
})

export const listAllUsers = endpoint({
  id: 'users.list',
  version: 'v1',
  category: 'User',
  method: 'GET',
  path: '/api/users',
  name: 'List users',
  description: 'The users of the organization, oldest first, with filters and an exact total.',
  permission: 'users:read',
  query: Type.Object({
    role: Type.Optional(OneOf(roles, { description: 'Only users of this role.' })),
    disabled: Type.Optional(Type.Boolean({ description: 'Only disabled (true) or only active (false) users.' })),
    q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name or the e-mail.' })),
    ...v1PageQuery,
  }),
  reply: Type.Object({ users: Type.Array(User), pagination: Pagination }),
  envelope: 'success',
  sample: {
    query: { role: 'Sales Manager', page: 1, limit: 20 },
    reply: { users: [sampleUser], pagination: { page: 1, limit: 20, totalCount: 1, nextCursor: null } },
  },
  async handle({ tx, principal, query }) {
    const { cursor, page: _page, limit: _limit, ...filter } = query
    const { page, limit, offset } = v1Page(query)
    const afterId = readCursor(cursor, filter, 'integer')?.[0]
    const { rows, totalCount } = await listUsers(tx, principal, filter, { limit, offset, afterId })
    const cut = cutPage(rows, limit, row => [row.id], filter)
    return { users: cut.rows.map(presentUser), pagination: { page, limit, totalCount, nextCursor: cut.nextCursor } }
  },
})

export const updateUser = endpoint({
  id: 'users.update',
  version: 'v1',
  category: 'User',
  method: 'PATCH',
  path: '/api/users/{id}',
  name: 'Update a user',
  description:
    'Changes name, e-mail, role, password or standing. Another role, a new password or `disabled` ends ' +
    "the user's sessions on every node within two seconds; the API keys of a disabled user stop as well " +
    'and work again when the user is enabled, unless `end_keys` ended them for good. The last active Admin keeps role and standing. The ' +
    'administrator identifier comes with the role Admin and goes with it. Done in live mode, and, for anything but the ' +
    'name, by anyone who holds every permission of the old and of the new role: an Admin who is logged in, or a key with ' +
    'all rights. E-mail and password of a person who is also a member of other organizations are theirs alone.',
  permission: 'users:manage',
  audit: ['user.updated', 'user.role_changed', 'user.password_changed', 'user.disabled', 'user.enabled'],
  shared: true,
  handsOut: true,
  bodyLimit: 4_096,
  params: UserParams,
  body: Type.Object({
    name: Type.Optional(Name),
    email: Type.Optional(Email),
    role: Type.Optional(OneOf(roles)),
    disabled: Type.Optional(Type.Boolean()),
    password: Type.Optional(Password),
    temporaryPassword: TemporaryPassword,
    end_keys: Type.Optional(
      Type.Boolean({
        description:
          "Revokes all of the user's API keys, live and test, for good. Left out: true when `password` is set for " +
          'somebody else, because anyone who had the old one may have made keys with it; otherwise false.',
      }),
    ),
  }),
  reply: Type.Object({
    user: User,
    ended_keys: Type.Integer({ description: "How many of the user's API keys this ended." }),
  }),
  envelope: 'success',
  versioned: true,
  problems: ['not_found', 'email_taken', 'account_shared', 'weak_password', 'last_admin'],
  sample: {
    params: { id: 12 },
    body: { role: 'Admin' },
    reply: { user: { ...sampleUser, role: 'Admin', admin_id: 'ADM-000012', version: 2 }, ended_keys: 0 },
  },
  async handle({ tx, principal, params, body, ifMatch, setVersion, handOut, audited, afterCommit, services }) {
    const { password, temporaryPassword, end_keys, ...sent } = body
    const fields = sent.email === undefined ? sent : { ...sent, email: accountEmail(sent.email) }
    const password_hash = password === undefined ? undefined : await validateAndHash(password, fields.email)
    // Changes that may cost an Admin happen one after the other in an organization; always locked before the user.
    if (body.role !== undefined || body.disabled !== undefined) await lockOrganization(tx, principal)
    const row = requireVersion(await lockUser(tx, principal, params.id), ifMatch)

    const before: UserState = { email: row.email, name: row.name, role: row.role, disabled: row.disabled_at !== null }
    const named = fields.name === undefined ? fields : { ...fields, name: fields.name.trim() }
    const verdict = validateChange(before, password === undefined ? named : { ...named, password })
    const endsKeys = end_keys ?? (password !== undefined && row.id !== principal.userId)
    if (body.password !== undefined || body.email !== undefined || body.role !== undefined)
      await refuseRestricted(tx, principal, 'changes nobody who can log in')
    handOut(...handedOut(before, verdict.after, { ...body, ...(endsKeys ? { end_keys: true } : {}) }))
    if (verdict.losesAdmin && (await findOtherAdmins(tx, principal, row.id)) === 0) throw new Problem('last_admin')
    const admin_id = verdict.after.role === 'Admin' ? adminIdOf(row.id) : null
    const differing = (field: 'email' | 'name') =>
      verdict.after[field] === before[field] ? null : verdict.after[field]
    await changeAccount(tx, principal, row.id, {
      email: differing('email'),
      name: differing('name'),
      password_hash: password_hash ?? null,
      is_temporary: temporaryPassword ?? row.id !== principal.userId,
    })
    const user = verdict.changed ? await changeUser(tx, principal, row.id, { ...verdict.after, admin_id }) : row
    if (verdict.endsSessions) await revokeUserSessions(tx, principal.organizationId, row.id)
    const ended_keys = endsKeys ? await endKeysOf(tx, principal, row.id) : 0
    if (verdict.forgets || ended_keys > 0) {
      await insertRevocation(tx, 'user', row.id)
      afterCommit(() => services.authenticator.forget())
    }
    setVersion(user.version)
    const shown = presentUser(user)
    await emitChange(tx, principal, {
      type: 'user.updated',
      resourceId: user.id,
      record: shown,
      change: body,
      before: presentUser(row),
    })
    audited({ action: actionOf(before, verdict.after, password !== undefined) })
    return { user: shown, ended_keys }

    /** Before any lock is taken: hashing takes as long as a hundred queries. */
    async function validateAndHash(password: string, email: string | undefined): Promise<string> {
      const known = email ?? (await findUser(tx, principal, params.id))?.email
      if (known === undefined) throw new Problem('not_found')
      refuseWeak(password, { email: known })
      return hashPassword(password)
    }
  },
})

/** What the audit log calls a change, by the weightiest part of it. */
function actionOf(before: UserState, after: UserState, hasNewPassword: boolean): AuditAction {
  if (before.role !== after.role) return 'user.role_changed'
  if (before.disabled !== after.disabled) return after.disabled ? 'user.disabled' : 'user.enabled'
  return hasNewPassword ? 'user.password_changed' : 'user.updated'
}

export const getMe = endpoint({
  id: 'users.me',
  version: 'v2',
  category: 'User',
  method: 'GET',
  path: '/users/me',
  name: 'Get the current user',
  description:
    'The user behind the API key or access token: who it is, in which organization, tenant and mode the ' +
    'credential acts, and what it may do there.',
  permission: 'profile:read',
  reply: Type.Object({
    userId: IntegerId,
    email: Type.String(),
    name: Type.String(),
    role: OneOf(roles),
    adminId: Nullable(Type.String({ description: 'Administrator identifier, for Admins.' })),
    organizationId: IntegerId,
    tenantId: IntegerId,
    mode: OneOf(['live', 'test']),
    keyId: Nullable(Type.String({ description: 'The API key used; null for an access token.' })),
    scopes: Nullable(Type.Array(Type.String(), { description: "The key's scopes; null means all of the role's." })),
    permissions: Type.Array(OneOf(Object.keys(permissions)), { description: 'What this credential may do.' }),
  }),
  envelope: 'data',
  sample: {
    reply: {
      userId: 1,
      email: 'admin@tandem.localhost',
      name: 'Administrator',
      role: 'Admin',
      adminId: 'ADM-000001',
      organizationId: 1,
      tenantId: 1,
      mode: 'live',
      keyId: 'key_01k9r7d3w2v8e6q4n5m1b0c9xz',
      scopes: ['leads:read', 'profile:read'],
      permissions: ['leads:read', 'profile:read'],
    },
  },
  async handle({ tx, principal }) {
    const user = await findUser(tx, principal, principal.userId)
    if (user === undefined) throw new Problem('token_revoked')
    return {
      userId: user.id,
      email: user.email,
      name: user.name,
      role: user.role,
      adminId: user.admin_id,
      organizationId: principal.organizationId,
      tenantId: principal.tenantId,
      mode: principal.mode,
      keyId: principal.keyId,
      scopes: principal.scopes,
      permissions: [...principal.permissions].sort(),
    }
  },
})

export const endpoints = [createUser, listAllUsers, getUser, updateUser, getMe]
