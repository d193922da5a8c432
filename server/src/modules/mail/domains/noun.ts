// What domains of senders add to the vocabulary of the product: what happens, what can go wrong. Gathered by nouns.ts; imports nothing but
// the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const mailDomain = declareNoun({
  events: {
    readWith: 'mail:read',
    types: {
      'mail_domain.created': 'A domain of senders was added, with its DKIM key.',
      'mail_domain.updated': 'A domain of senders was looked up in the DNS.',
      'mail_domain.deleted': 'A domain of senders was deleted; its mails are not signed any more.',
    },
  },
  problems: {
    mail_domain_exists: problem(
      409,
      'Domain exists',
      'The organization has this domain already.',
      'Use its rows: GET /v2/mail/domains lists them.',
    ),
    mail_domain_not_verified: problem(
      422,
      'Domain not verified',
      'The DNS does not have the DKIM key of the domain, so nobody could check what is signed with it.',
      'Copy the rows of GET /v2/mail/domains/{domainId} into the DNS, then POST /v2/mail/domains/{domainId}/verify.',
    ),
    mail_unsigned: problem(
      0,
      'Mail not signed',
      'The mail could not be signed with the key of its domain, and is not sent without.',
      'Delete the domain and add it again: its key cannot be read by this server.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    mailDomain: typeof mailDomain
  }
}
