// Users as lists and pages draw them. Role and standing are changed by dialogs of their own: much depends on them.
import type { NounDescription, NounRecord } from '../nouns/noun.ts'
import type { Role } from '../session/session.ts'
import { byLanguage } from '../words/words.ts'
import { t } from './texts.ts'

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

const titleField = 'name'

export const users = byLanguage(
  (): NounDescription => ({
    one: 'user',
    many: 'users',
    words: { one: t('noun.one'), many: t('noun.many') },
    about: t('noun.about'),
    fields: [
      { name: 'name', label: t('name'), kind: 'text', about: t('noun.name'), required: true, maxLength: 200 },
      { name: 'email', label: t('email'), kind: 'email', about: t('noun.email'), required: true },
      {
        name: 'role',
        label: t('role'),
        kind: 'choice',
        about: t('noun.role'),
        choices: roles,
        filters: ['role'],
        fixed: true,
        read: ({ role, roleName }) => roleName ?? role,
      },
      {
        name: 'disabled',
        label: t('noun.standing'),
        kind: 'boolean',
        words: { true: t('state.disabled'), false: t('state.active') },
        about: t('noun.standingAbout'),
        filters: ['disabled'],
        fixed: true,
      },
      {
        name: 'admin_id',
        label: t('noun.adminId'),
        kind: 'text',
        about: t('noun.adminIdAbout'),
        fixed: true,
      },
    ],
    title: titleField,
    columns: ['name', 'email', 'role', 'disabled', 'created_at'],
    facets: ['role', 'disabled'],
    searched: [t('name'), t('email')],
    includes: [],
    verbs: ['create', 'update'],
    permissions: { create: 'users:manage', update: 'users:manage' },
    related: [],
  }),
)
