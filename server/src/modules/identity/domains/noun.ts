// What domains of organizations add to the vocabulary of the product. Gathered by nouns.ts; imports nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const organizationDomain = declareNoun({
  permissions: {
    'sso:manage': { allows: 'Set up single sign-on: domains and identity providers.', roles: [] },
  },
  events: {
    readWith: 'sso:manage',
    types: {
      'organization_domain.created': 'A domain was added, with the row that the DNS needs.',
      'organization_domain.updated': 'A domain was looked up in the DNS: it was verified, or has lapsed.',
      'organization_domain.deleted':
        'A domain was removed; the organization does not speak for its addresses any more.',
    },
  },
  problems: {
    domain_exists: problem(
      409,
      'Domain exists',
      'The organization has this domain already.',
      'Use its row for the DNS: GET /v2/organization/domains lists it.',
    ),
    domain_taken: problem(
      409,
      'Domain of another organization',
      'Another organization on this server has verified the domain, and one at a time speaks for it.',
      'Let that organization remove the domain, or its row from the DNS, which takes three weeks to be noticed.',
    ),
    domain_not_verified: problem(
      422,
      'No verified domain',
      'No domain of the organization is verified, so no address is known to be its own.',
      'Add a domain (POST /v2/organization/domains), put its row into the DNS, and verify it.',
    ),
    too_many_domains: problem(
      409,
      'Too many domains',
      'An organization has at most 50 domains.',
      'Remove a domain that nobody uses, then add the new one.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    organizationDomain: typeof organizationDomain
  }
}
