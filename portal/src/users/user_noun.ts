// Users as lists and pages draw them. Role and standing are changed by dialogs of their own: much depends on them.
import type { NounDescription, NounRecord } from '../nouns/noun.ts'
import type { Role } from '../session/session.ts'

export const roles: readonly Role[] = ['Admin', 'Sales Manager', 'Sales Executive', 'Finance Manager']

export type UserRecord = NounRecord & {
  id: number
  name: string
  email: string
  role: Role
  /** Of a role of the organization's own, of which `role` is the base. */
  roleId: string | null
  roleName: string | null
  admin_id: string | null
  disabled: boolean
}

export const users: NounDescription = {
  one: 'user',
  many: 'users',
  words: { one: 'user', many: 'users' },
  about: 'Somebody who logs in here, and whose API keys act for them.',
  fields: [
    { name: 'name', label: 'Name', kind: 'text', about: "The person's name.", required: true, maxLength: 200 },
    { name: 'email', label: 'E-mail', kind: 'email', about: 'What the person logs in with.', required: true },
    {
      name: 'role',
      label: 'Role',
      kind: 'choice',
      about: 'What the person may do.',
      choices: roles,
      filters: ['role'],
      fixed: true,
      read: ({ role, roleName }) => roleName ?? role,
    },
    {
      name: 'disabled',
      label: 'Standing',
      kind: 'boolean',
      words: { true: 'disabled', false: 'active' },
      about: 'Whether the person can log in, and whether their API keys work.',
      filters: ['disabled'],
      fixed: true,
    },
    {
      name: 'admin_id',
      label: 'Administrator identifier',
      kind: 'text',
      about: 'An Admin logs in with it as with the e-mail.',
      fixed: true,
    },
  ],
  title: 'name',
  columns: ['name', 'email', 'role', 'disabled', 'created_at'],
  facets: ['role', 'disabled'],
  searched: ['Name', 'E-mail'],
  includes: [],
  verbs: ['create', 'update'],
  permissions: { create: 'users:manage', update: 'users:manage' },
  related: [],
}
