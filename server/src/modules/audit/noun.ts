// What the audit log adds to the vocabulary of the product: who may see it, what can go wrong. Gathered by nouns.ts; imports nothing but
// the kernel.
import { declareNoun, problem } from '../../kernel/values/noun.ts'

export const audit = declareNoun({
  permissions: {
    'audit:read': { allows: 'See the audit log: who did what, from where, with what, before and after.', roles: [] },
    'audit:manage': {
      allows: 'Decide how long the audit log is kept, erase names from it, and send it on.',
      roles: [],
    },
    'audit:export': { allows: 'Export the audit log.', roles: [] },
  },
  events: {
    readWith: 'audit:read',
    types: {
      'audit_policy.updated': 'How long the audit log is kept, or what is in it, changed.',
      'audit_stream.created': 'An address was named that the audit log is sent on to.',
      'audit_stream.updated': 'An address that the audit log is sent on to was changed.',
      'audit_stream.deleted': 'The audit log is not sent on to an address any more.',
    },
  },
  problems: {
    too_many_audit_streams: problem(
      409,
      'Too many audit streams',
      'The organization has 5 streams of its audit log, which is as many as it may have.',
      'Delete one that is not needed.',
    ),
  },
})

declare module '../../kernel/values/noun.ts' {
  interface Nouns {
    audit: typeof audit
  }
}
