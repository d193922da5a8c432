// Roles of an organization's own, beside the four that everybody has. A change is felt on every node within two seconds.
import { Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { requireVersion } from '../../../kernel/endpoint/record.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { Deleted, OneOf } from '../../../kernel/endpoint/schema.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { isPermission, type Rights, roles } from '../../../kernel/values/permission.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { permissions as sentences } from '../../../nouns.ts'
import { endInvitationsTo } from '../invitations/index.ts'
import { forgetOrganization } from './forget.ts'
import { alwaysHeld, assignableOf, maxRoles, needsAllRows, roleFaults } from './rules.ts'
import {
  Base,
  Description,
  kinds,
  Name,
  Permissions,
  presentBuiltIn,
  presentRole,
  RoleReply,
  Rows,
  roleId,
  rowsOf,
  sampleRole,
  sampleRoleId,
  vocabulary,
} from './schemas.ts'
import {
  changeRole,
  countBuiltIn,
  countRoles,
  findRole,
  insertRole,
  isRoleUsed,
  listRoles,
  type RoleRow,
  type RoleValues,
  removeRole,
} from './store.ts'

const common = { version: 'v2', category: 'Organization', envelope: 'data' } as const
const RoleParams = Type.Object({ roleId })

export const listAllRoles = endpoint({
  ...common,
  id: 'roles.list',
  method: 'GET',
  path: '/roles',
  name: 'List roles',
  description:
    'The four roles that everybody has, then those of the organization’s own by name (at most 50), with what each may do and whose ' +
    'records it sees; and what such a role can be made of.',
  permission: 'users:read',
  reply: Type.Object({
    roles: Type.Array(RoleReply),
    permissions: Type.Array(
      Type.Object({
        permission: OneOf(vocabulary),
        allows: Type.String({ description: 'What it is good for.' }),
        assignable: OneOf(['all', 'admin', 'never'], {
          description: 'Whether all roles may hold it, those made of Admin, or none of the organization’s own.',
        }),
        needsAllRows: Type.Boolean({ description: 'Whether it goes only with seeing all records of every kind.' }),
        always: Type.Boolean({ description: 'Whether every role holds it.' }),
      }),
    ),
    kinds: Type.Array(Type.String(), {
      description: 'Kinds of records of which roles see own ones, those of teams, or all.',
    }),
  }),
  sample: {
    reply: {
      roles: [sampleRole],
      permissions: [
        {
          ...{ permission: 'leads:read', allows: sentences['leads:read'], assignable: 'all' },
          ...{ needsAllRows: false, always: false },
        },
      ],
      kinds: ['leads'],
    },
  },
  async handle({ tx, principal }) {
    const [own, counts] = [await listRoles(tx, principal), await countBuiltIn(tx, principal)]
    return {
      roles: [
        ...roles.map(role => presentBuiltIn(role, counts.get(role) ?? 0)),
        ...own.map(row => presentRole(row, row.members)),
      ],
      permissions: vocabulary.map(permission => ({
        permission,
        allows: sentences[permission],
        assignable: assignableOf(permission),
        needsAllRows: needsAllRows(permission),
        always: alwaysHeld.some(held => held === permission),
      })),
      kinds: kinds.map(({ many }) => many),
    }
  },
})

export const getRole = endpoint({
  ...common,
  id: 'roles.get',
  method: 'GET',
  path: '/roles/{roleId}',
  name: 'Get a role',
  description: 'One role of the organization’s own: what it may do, and whose records it sees.',
  permission: 'users:read',
  params: RoleParams,
  reply: RoleReply,
  versioned: true,
  problems: ['not_found'],
  sample: { params: { roleId: sampleRoleId }, reply: sampleRole },
  async handle({ tx, principal, params, setVersion }) {
    const row = (await listRoles(tx, principal)).find(({ id }) => id === params.roleId)
    if (row === undefined) throw new Problem('not_found')
    setVersion(row.version)
    return presentRole(row, row.members)
  },
})

/** What anyone gets who has the role: they log in, in either mode. */
export function rightsOfRole(...held: readonly Pick<RoleRow, 'permissions'>[]): Rights {
  const permissions = new Set(held.flatMap(role => role.permissions.filter(isPermission)))
  return { permissions, mode: 'live', endsAtMs: null, seesOthers: true }
}

/** @throws Problem `validation_failed`, `role_name_taken` */
function checked({ permissions, name, ...rest }: RoleValues): RoleValues {
  const named = name.trim()
  if (roles.some(role => role.toLowerCase() === named.toLowerCase())) throw new Problem('role_name_taken')
  const faults = roleFaults({ ...rest, permissions })
  if (faults.length > 0) throw invalid(...faults)
  return { ...rest, name: named, permissions: [...new Set([...alwaysHeld, ...permissions])] }
}

export const createRole = endpoint({
  ...common,
  id: 'roles.create',
  method: 'POST',
  path: '/roles',
  name: 'Create a role',
  description:
    'Makes a role of the organization’s own, by who holds every permission of it and sees all records. What the owner alone may do is ' +
    'in none; what decides over logins and roles in those made of Admin only; what reaches records of everybody only in those that see all. At most 50.',
  permission: 'roles:manage',
  shared: true,
  handsOut: true,
  recent: 'login',
  audit: 'role.created',
  status: 201,
  versioned: true,
  body: Type.Object({
    name: Name,
    description: Type.Optional(Description),
    base: Base,
    permissions: Permissions,
    rows: Type.Optional(Rows),
  }),
  reply: RoleReply,
  problems: ['role_limit_reached', 'role_name_taken'],
  sample: {
    body: {
      name: 'Team lead',
      base: 'Sales Executive',
      permissions: ['leads:read', 'leads:update'],
      rows: { leads: 'team' },
    },
    reply: sampleRole,
  },
  async handle({ tx, principal, body, now, handOut, setVersion }) {
    const { name, base, permissions, description = '' } = body
    const values = checked({ name, description, base, permissions, rows: rowsOf(base, body.rows) })
    handOut(rightsOfRole(values), 'permissions')
    if ((await countRoles(tx, principal)) >= maxRoles) throw new Problem('role_limit_reached')
    const row = await insertRole(tx, principal, newId('rol', now), values)
    setVersion(row.version)
    const record = presentRole(row, 0)
    await emitChange(tx, principal, { type: 'role.created', resourceId: row.id, record })
    return record
  },
})

export const updateRole = endpoint({
  ...common,
  id: 'roles.update',
  method: 'PATCH',
  path: '/roles/{roleId}',
  name: 'Update a role',
  description:
    'Changes a role for everybody who has it, on every node within two seconds; they stay logged in. `permissions` replaces the list, ' +
    '`rows` changes the kinds that it names. By who holds every permission that it has before and after, and sees all records.',
  permission: 'roles:manage',
  shared: true,
  handsOut: true,
  recent: 'login',
  audit: 'role.updated',
  versioned: true,
  params: RoleParams,
  body: Type.Object({
    name: Type.Optional(Name),
    description: Type.Optional(Description),
    permissions: Type.Optional(Permissions),
    rows: Type.Optional(Rows),
  }),
  reply: RoleReply,
  problems: ['not_found', 'role_name_taken'],
  sample: { params: { roleId: sampleRoleId }, body: { rows: { leads: 'team' } }, reply: { ...sampleRole, version: 2 } },
  async handle(context) {
    const { tx, principal, params, body, ifMatch, handOut, setVersion } = context
    const old = requireVersion(await findRole(tx, principal, params.roleId, 'update'), ifMatch)
    const { rows, ...fields } = body
    const values = checked({ ...old, ...fields, rows: rowsOf(old.base, { ...old.rows, ...rows }) })
    handOut(rightsOfRole(old, values), body.permissions === undefined ? 'roleId' : 'permissions')
    const row = await changeRole(tx, principal, old.id, values)
    await forgetOrganization(tx, principal, context)
    setVersion(row.version)
    const members = (await listRoles(tx, principal)).find(({ id }) => id === row.id)!.members
    const record = presentRole(row, members)
    await emitChange(tx, principal, {
      ...{ type: 'role.updated', resourceId: row.id, record, change: body },
      before: presentRole(old, members),
    })
    return record
  },
})

export const deleteRole = endpoint({
  ...common,
  id: 'roles.delete',
  method: 'DELETE',
  path: '/roles/{roleId}',
  name: 'Delete a role',
  description:
    'Takes a role away that no member and no open invitation has. Expired invitations to it are revoked, each with its event, and cannot be sent again.',
  permission: 'roles:manage',
  shared: true,
  recent: 'login',
  audit: 'role.deleted',
  versioned: true,
  params: RoleParams,
  reply: Deleted('roleId'),
  problems: ['not_found', 'role_in_use'],
  sample: { params: { roleId: sampleRoleId }, reply: { roleId: sampleRoleId, deleted: true } },
  async handle({ tx, principal, params, ifMatch, now }) {
    const row = requireVersion(await findRole(tx, principal, params.roleId, 'update'), ifMatch)
    if (await isRoleUsed(tx, principal, row.id)) throw new Problem('role_in_use')
    // First, for the entry of the audit log is about the role.
    await emitChange(tx, principal, { type: 'role.deleted', resourceId: row.id, record: presentRole(row, 0) })
    // Sent again, they would give the base, which may do more than the role.
    await endInvitationsTo(tx, principal, row.id, now)
    await removeRole(tx, principal, row.id)
    return { roleId: row.id, deleted: true as const }
  },
})

export const endpoints = [listAllRoles, createRole, getRole, updateRole, deleteRole]
