// Users of an organization: an Admin creates them, changes their roles, disables them. Whatever takes rights away ends
// the user's sessions, on every node within two seconds.

import { Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { AuditAction } from '../../../kernel/audit/entry.ts'
import { emit } from '../../../kernel/data/events.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { cutPage, Pagination, readCursor, v1Page, v1PageQuery } from '../../../kernel/endpoint/page.ts'
import { requireVersion } from '../../../kernel/endpoint/record.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { Email, IntegerId, OneOf } from '../../../kernel/endpoint/schema.ts'
import { accountEmail } from '../../../kernel/values/email.ts'
import { randomToken } from '../../../kernel/values/ids.ts'
import { type Rights, roles } from '../../../kernel/values/permission.ts'
import { Problem } from '../../../kernel/values/problem.ts'
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
import { refuseLosing, refuseProtected } from '../members/index.ts'
import { endGrantsOf } from '../oauth/index.ts'
import { adminIdOf, lockOrganization } from '../organizations/index.ts'
import { type Chosen, chosenRole, rightsOfMembers, roleFaultsOf, roleId, standingRole } from '../roles/index.ts'
import { getMe } from './me_endpoint.ts'
import { noticeOwner } from './notices.ts'
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
  type UserRow,
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
      'of what somebody else sets; false is for accounts that programs log in with, and never of a password that the server made.',
  }),
)

const RoleFields = {
  role: Type.Optional(
    OneOf(roles, { description: 'What the user may do. Needed of a new one, where roleId is not sent.' }),
  ),
  roleId: Type.Optional(
    Type.String({ ...roleId, description: "In place of role, a role of the organization's own: GET /v2/roles." }),
  ),
}

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
  recent: 'factor',
  keysToo: true,
  audit: 'user.created',
  shared: true,
  handsOut: true,
  bodyLimit: 4_096,
  body: Type.Object({
    email: Email,
    name: Name,
    ...RoleFields,
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
  check: ({ body }) => roleFaultsOf(body, true),
  async handle({ tx, principal, body, services, setVersion, handOut }) {
    const { password } = body
    const email = accountEmail(body.email)
    await refuseRestricted(tx, principal, 'makes nobody who can log in')
    const chosen = await chosenRole(tx, principal, body)
    const { role, role_id } = chosen
    handOut(rightsOfMembers(chosen), body.role === undefined ? 'roleId' : 'role')
    const generatedPassword = password === undefined ? newPassword(email) : undefined
    if (password !== undefined) await refuseWeak(services, password, { email })
    const password_hash = await hashPassword(password ?? (generatedPassword as string))
    const user = await insertUser(tx, principal, {
      email,
      name: body.name.trim(),
      role,
      role_id,
      password_hash,
      // What we made is nobody's to keep.
      is_temporary: body.password === undefined || (body.temporaryPassword ?? true),
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

/**
 * What a change is worth. Anyone who sets how another logs in, or what they may do, could act as them; anyone who shuts them out
 * decides over all they hold. A name is worth nothing.
 */
function handedOut(held: readonly Chosen[], change: Record<string, unknown>): [Rights, string] {
  const field = ['password', 'email', 'role', 'roleId', 'disabled', 'end_keys'].find(name => change[name] !== undefined)
  return field === undefined ? [{ ...rightsOfMembers(), endsAtMs: 0 }, 'name'] : [rightsOfMembers(...held), field]
}

/** 144 random bits; drawn again in the odd case that it looks like a common password. */
function newPassword(email: string): string {
  for (;;) {
    const password = randomToken(18)
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
    role: Type.Optional(OneOf(roles, { description: 'Only users of this role, or of one made of it.' })),
    roleId: Type.Optional(roleId),
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
    'all rights. E-mail and password of a person who is also a member of other organizations are theirs alone, as are those of the owner ' +
    'and of an operator of the installation.',
  permission: 'users:manage',
  recent: 'factor',
  keysToo: true,
  audit: ['user.updated', 'user.role_changed', 'user.password_changed', 'user.disabled', 'user.enabled'],
  shared: true,
  handsOut: true,
  bodyLimit: 4_096,
  params: UserParams,
  body: Type.Object({
    name: Type.Optional(Name),
    email: Type.Optional(Email),
    ...RoleFields,
    disabled: Type.Optional(Type.Boolean()),
    password: Type.Optional(Password),
    temporaryPassword: TemporaryPassword,
    end_keys: Type.Optional(
      Type.Boolean({
        description:
          "Revokes all of the user's API keys, live and test, and what they let apps do, for good. Left out: true when `password` is " +
          'set for somebody else, because anyone who had the old one may have made keys with it; otherwise false.',
      }),
    ),
  }),
  reply: Type.Object({
    user: User,
    ended_keys: Type.Integer({ description: "How many of the user's API keys this ended." }),
  }),
  envelope: 'success',
  versioned: true,
  problems: [
    'not_found',
    'email_taken',
    'account_shared',
    'account_protected',
    'weak_password',
    'last_admin',
    'last_owner',
    'transfer_open',
  ],
  sample: {
    params: { id: 12 },
    body: { role: 'Admin' },
    reply: { user: { ...sampleUser, role: 'Admin', admin_id: 'ADM-000012', version: 2 }, ended_keys: 0 },
  },
  check: ({ body }) => roleFaultsOf(body, false),
  async handle({
    tx,
    principal,
    params,
    body,
    ifMatch,
    asked,
    now,
    setVersion,
    handOut,
    audited,
    afterCommit,
    services,
  }) {
    const { password, temporaryPassword, end_keys, role: _role, roleId: _roleId, ...sent } = body
    const asksRole = body.role !== undefined || body.roleId !== undefined
    const fields = sent.email === undefined ? sent : { ...sent, email: accountEmail(sent.email) }
    const password_hash = password === undefined ? undefined : await validateAndHash(password, fields.email)
    // Changes that may cost an Admin happen one after the other in an organization; always locked before the user.
    const setsLogin = body.password !== undefined || body.email !== undefined
    if (asksRole || setsLogin || body.disabled !== undefined) await lockOrganization(tx, principal)
    const row = requireVersion(await lockUser(tx, principal, params.id), ifMatch)

    const held = await standingRole(tx, principal, row)
    const wanted = asksRole ? await chosenRole(tx, principal, body) : held
    const { email, name, role, role_id } = row
    const before: UserState = { email, name, role, role_id, disabled: row.disabled_at !== null }
    const changed = { ...fields, role: wanted.role, role_id: wanted.role_id }
    const named = fields.name === undefined ? changed : { ...changed, name: fields.name.trim() }
    const verdict = validateChange(before, password === undefined ? named : { ...named, password })
    const endsKeys = end_keys ?? (password !== undefined && row.id !== principal.userId)
    if (setsLogin || asksRole) await refuseRestricted(tx, principal, 'changes nobody who can log in')
    handOut(...handedOut([held, wanted], { ...body, ...(endsKeys ? { end_keys: true } : {}) }))
    if (setsLogin) await refuseProtected(tx, principal, row.id, now)
    if (verdict.losesAdmin) await refuseLosing(tx, principal, row.id, now)
    if (verdict.losesAdmin && (await findOtherAdmins(tx, principal, row.id)) === 0) throw new Problem('last_admin')
    const admin_id = verdict.after.role === 'Admin' ? adminIdOf(row.id) : null
    const differing = (field: 'email' | 'name') =>
      verdict.after[field] === before[field] ? null : verdict.after[field]
    await changeAccount(tx, principal, row.id, {
      email: differing('email'),
      name: differing('name'),
      password_hash: password_hash ?? null,
      is_temporary: temporaryPassword ?? row.id !== principal.userId,
      by_person: row.id === principal.userId,
    })
    const user = verdict.changed ? await changeUser(tx, principal, row.id, { ...verdict.after, admin_id }) : row
    if (verdict.endsSessions) await revokeUserSessions(tx, principal.organizationId, row.id)
    const ended_keys = endsKeys ? await endKeysOf(tx, principal, row.id) : 0
    if (endsKeys) await endGrantsOf(tx, principal, row.id, 'admin')
    if (verdict.forgets || ended_keys > 0) {
      await insertRevocation(tx, 'user', row.id)
      afterCommit(() => services.authenticator.forget())
    }
    setVersion(user.version)
    const shown = presentUser(user)
    const change = { resourceId: user.id, record: shown, change: body, before: presentUser(row) }
    await emitChange(tx, principal, { type: 'user.updated', ...change })
    if (hasOtherRole(before, verdict.after)) await emit(tx, principal, roleChange(principal, row, user))
    if (row.id !== principal.userId) {
      await noticeOwner(
        { tx, principal, asked, now, services, afterCommit },
        before,
        verdict.after,
        password !== undefined,
      )
    }
    audited({ action: actionOf(before, verdict.after, password !== undefined) })
    return { user: shown, ended_keys }

    /** Before any lock is taken: hashing takes as long as a hundred queries. */
    async function validateAndHash(password: string, email: string | undefined): Promise<string> {
      const known = email ?? (await findUser(tx, principal, params.id))?.email
      if (known === undefined) throw new Problem('not_found')
      await refuseWeak(services, password, { email: known })
      return hashPassword(password)
    }
  },
})

const hasOtherRole = (before: UserState, after: UserState) =>
  before.role !== after.role || before.role_id !== after.role_id

/** What one listens for who gives rights elsewhere by it: from which role to which. */
function roleChange({ userId, keyId }: Principal, before: UserRow, after: UserRow) {
  const shown = ({ role, role_id, role_name }: UserRow) => ({ role, roleId: role_id, roleName: role_name })
  const data = { id: after.id, email: after.email, from: shown(before), to: shown(after), by: { userId, keyId } }
  return { type: 'user.role_changed', resourceId: after.id, data } as const
}

/** What the audit log calls a change, by the weightiest part of it. */
function actionOf(before: UserState, after: UserState, hasNewPassword: boolean): AuditAction {
  if (hasOtherRole(before, after)) return 'user.role_changed'
  if (before.disabled !== after.disabled) return after.disabled ? 'user.disabled' : 'user.enabled'
  return hasNewPassword ? 'user.password_changed' : 'user.updated'
}

export const endpoints = [createUser, listAllUsers, getUser, updateUser, getMe]
