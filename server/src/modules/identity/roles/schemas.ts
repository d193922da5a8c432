// Roles as the API shows them.
import { type Static, Type } from 'typebox'
import { rowScopeOf, type Viewer } from '../../../kernel/access/reach.ts'
import { Nullable, OneOf, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { rowKinds } from '../../../kernel/noun/registry.ts'
import { rowScopes } from '../../../kernel/values/custom_role.ts'
import { type Permission, type Role, roles } from '../../../kernel/values/permission.ts'
import { permissions, rolePermissions } from '../../../nouns.ts'
import type { RoleRow } from './store.ts'

export const vocabulary = Object.keys(permissions) as Permission[]
export const kinds = rowKinds()

/** What a role with this base sees of each kind, where nothing else is said. */
export function rowsOf(
  base: Role,
  said: { readonly [kind: string]: (typeof rowScopes)[number] | undefined } = {},
): Record<string, (typeof rowScopes)[number]> {
  return Object.fromEntries(
    kinds.map(kind => [kind.many, said[kind.many] ?? rowScopeOf({ role: base, custom: null }, kind)]),
  )
}

export const roleId = RecordId('rol', 'Identifier of the role.')
export const sampleRoleId = 'rol_01k9r7d3w2v8e6q4n5m1b0c9xz'

export const Rows = Type.Object(
  Object.fromEntries(
    kinds.map(({ many }) => [
      many,
      Type.Optional(OneOf(rowScopes, { description: `Whose ${many} are seen: own, those of one's teams, or all.` })),
    ]),
  ),
  { description: 'Whose records are seen, by kind; of a kind that is left out what the base sees.' },
)

/** With every kind. */
export const RowsShown = Type.Unsafe<Record<string, (typeof rowScopes)[number]>>(Rows)

/** Whose records of each kind somebody sees. */
export function rowScopesOf(viewer: Viewer): Record<string, (typeof rowScopes)[number]> {
  return Object.fromEntries(kinds.map(kind => [kind.many, rowScopeOf(viewer, kind)]))
}

export const sampleRows = rowsOf('Admin')

export const Permissions = Type.Array(OneOf(vocabulary), {
  maxItems: 500,
  uniqueItems: true,
  description: 'What it may do. profile:read and profile:update are in every role.',
})

export const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', errorMessage: 'must not be empty' })
export const Description = Type.String({ maxLength: 500, description: 'Who it is for.' })
export const Base = OneOf(roles, {
  description: 'The role that /v1 shows of everybody who has it. It stays: copy the role to have another.',
})

export const RoleReply = Type.Object({
  roleId: Nullable(
    Type.String({ description: 'Null of the four roles that everybody has, which are named by `role`.' }),
  ),
  name: Type.String(),
  description: Type.String(),
  base: Base,
  builtIn: Type.Boolean({ description: 'Whether it is one of the four that everybody has, which do not change.' }),
  permissions: Type.Array(OneOf(vocabulary)),
  rows: RowsShown,
  members: Type.Integer({ description: 'How many members have it.' }),
  version: Type.Integer(),
  createdAt: Nullable(Timestamp),
  updatedAt: Nullable(Timestamp),
})

export function presentRole(row: RoleRow, members: number): Static<typeof RoleReply> {
  return {
    roleId: row.id,
    name: row.name,
    description: row.description,
    base: row.base,
    builtIn: false,
    permissions: vocabulary.filter(permission => row.permissions.includes(permission)),
    rows: rowsOf(row.base, row.rows),
    members,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

const about: Record<Role, string> = {
  Admin: 'May do everything.',
  'Sales Manager': 'Sees and changes the customers and conversations of everybody.',
  'Sales Executive': 'Works on own customers, and on those that nobody owns.',
  'Finance Manager': 'Writes invoices and sees who they go to.',
}

export function presentBuiltIn(role: Role, members: number): Static<typeof RoleReply> {
  return {
    ...{ roleId: null, name: role, description: about[role], base: role, builtIn: true },
    permissions: vocabulary.filter(permission => rolePermissions[role].has(permission)),
    ...{ rows: rowsOf(role), members, version: 1, createdAt: null, updatedAt: null },
  }
}

export const sampleRole: Static<typeof RoleReply> = {
  ...{ roleId: sampleRoleId, name: 'Team lead', description: 'Leads a sales team.', base: 'Sales Executive' },
  builtIn: false,
  permissions: ['profile:read', 'profile:update', 'stream:open', 'leads:read', 'leads:update'],
  rows: rowsOf('Sales Executive', { leads: 'team' }),
  ...{ members: 0, version: 1, createdAt: '2026-11-21T08:44:00.123Z', updatedAt: '2026-11-21T08:44:00.123Z' },
}
