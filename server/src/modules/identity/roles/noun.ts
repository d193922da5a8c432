// What roles of an organization's own add to the vocabulary of the product. Gathered by nouns.ts; imports nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const role = declareNoun({
  permissions: {
    'roles:manage': { allows: "Make, change and delete the organization's own roles.", roles: [] },
  },
  events: {
    readWith: 'users:read',
    types: {
      'role.created': "A role of the organization's own was made.",
      'role.updated': "A role of the organization's own changed: its name, its permissions, or whose records it sees.",
      'role.deleted': "A role of the organization's own was deleted.",
    },
  },
  problems: {
    role_in_use: problem(
      409,
      'Role in use',
      'Members or open invitations have the role.',
      'Give them another role first; GET /v1/api/users?roleId= lists the members.',
    ),
    role_limit_reached: problem(
      409,
      'Too many roles',
      'The organization has 50 roles of its own, and may have no more.',
      'Delete one that nobody has, or change one.',
    ),
    role_name_taken: problem(
      409,
      'Name of a role in use',
      'Another role of the organization, or one of those that everybody has, has this name.',
      'Choose another name.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    role: typeof role
  }
}
