// Users as the API shows them.
import { type Static, Type } from 'typebox'
import { IntegerId, Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { roles } from '../../../kernel/values/permission.ts'
import type { UserRow } from './store.ts'

export const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  errorMessage: 'must not be empty',
  description: "The person's name.",
})
export const User = Type.Object({
  id: IntegerId,
  email: Type.String(),
  name: Type.String(),
  role: OneOf(roles),
  roleId: Nullable(
    Type.String({ description: "The role of the organization's own that the user has, of which `role` is the base." }),
  ),
  roleName: Nullable(Type.String()),
  admin_id: Nullable(
    Type.String({ description: 'Administrator identifier: an Admin logs in with it like with the e-mail.' }),
  ),
  disabled: Type.Boolean({ description: 'A disabled user cannot log in, and their API keys do not work.' }),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Type.Integer({ description: 'Counts changes; the ETag.' }),
})

export const sampleUser: Static<typeof User> = {
  id: 12,
  email: 'grace@example.com',
  name: 'Grace Hopper',
  role: 'Sales Manager',
  roleId: null,
  roleName: null,
  admin_id: null,
  disabled: false,
  created_at: '2026-11-21T08:44:00.123Z',
  updated_at: '2026-11-21T08:44:00.123Z',
  version: 1,
}

export function presentUser({ disabled_at, role_id, role_name, ...row }: UserRow) {
  return { ...row, roleId: role_id, roleName: role_name, disabled: disabled_at !== null }
}
