// What users add to the vocabulary of the product: who may do what, what happens, what can go wrong. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'
import { everyone } from '../../../kernel/values/role.ts'

export const user = declareNoun({
  permissions: {
    'profile:read': { allows: 'See your own name, role and rights.', roles: everyone },
    'profile:update': {
      allows: 'Change your own profile, password, second factors and sessions.',
      roles: everyone,
    },
    'users:read': {
      allows: 'List and read the users of the organization.',
      roles: ['Sales Manager', 'Finance Manager'],
    },
    'users:manage': { allows: 'Create users, change their roles, disable them.', roles: [] },
  },
  events: {
    readWith: 'users:read',
    types: {
      'user.created': 'A user was created.',
      'user.role_changed': 'A user has another role; emitted beside user.updated.',
      'user.updated': 'A user changed: name, e-mail, role, password or standing.',
    },
  },
  problems: {
    email_taken: problem(
      409,
      'E-mail in use',
      'An account with this e-mail exists.',
      'Use another e-mail address, or invite the person.',
    ),
    account_shared: problem(
      409,
      'Account of several organizations',
      'The person is also a member of other organizations, so only they can change how they log in.',
      'Let the person change it in their account, or reset their password by mail.',
    ),
    last_admin: problem(
      409,
      'Last Admin',
      'The change would leave the organization without an active Admin.',
      'Make another user Admin first. A role made of Admin does not count.',
    ),
    weak_password: problem(
      422,
      'Password too weak',
      'The password is among the most used ones, in a list of passwords that became known, or contains the e-mail.',
      'Choose another password of at least 10 characters.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    user: typeof user
  }
}
