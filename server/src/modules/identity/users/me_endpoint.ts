// Who asks: what every program begins with, and by what it knows what it may do.
import { Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { IntegerId, Nullable, OneOf } from '../../../kernel/endpoint/schema.ts'
import { roles } from '../../../kernel/values/permission.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { permissions } from '../../../nouns.ts'
import { Rows, rowScopesOf, sampleRows } from '../roles/index.ts'
import { findUser } from './store.ts'

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
  whileSuspended: true,
  reply: Type.Object({
    userId: IntegerId,
    email: Type.String(),
    name: Type.String(),
    role: OneOf(roles),
    roleId: Nullable(Type.String({ description: "The role of the organization's own, of which `role` is the base." })),
    roleName: Nullable(Type.String()),
    rows: Rows,
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
      ...{ role: 'Admin', roleId: null, roleName: null, rows: sampleRows },
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
      roleId: user.role_id,
      roleName: user.role_name,
      rows: rowScopesOf(principal),
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
