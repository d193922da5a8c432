// What an organization's security adds to the vocabulary of the product. Gathered by nouns.ts; imports nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const securityPolicy = declareNoun({
  permissions: {
    'security:manage': { allows: 'See and change what the organization asks of logins.', roles: [] },
  },
  events: {
    readWith: 'security:manage',
    types: { 'security_policy.updated': 'What the organization asks of logins changed.' },
  },
  problems: {
    address_not_allowed: problem(
      403,
      'Not from this address',
      'The organization lets people log in from certain addresses only, and this is none of them.',
      'Log in from the network of the organization, or ask an Admin.',
    ),
    would_lock_out: problem(
      422,
      'Would lock you out',
      'The person who asks could not log in any more under what they ask for.',
      'Add the address that you are at, or a second factor to your own account, first.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    securityPolicy: typeof securityPolicy
  }
}
