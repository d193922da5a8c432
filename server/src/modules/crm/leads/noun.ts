// What leads add to the vocabulary of the product: who may do what, what happens, what can go wrong. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const lead = declareNoun({
  permissions: {
    'leads:read': {
      allows: 'List and read leads (a Sales Executive: own and unassigned ones).',
      roles: ['Sales Manager', 'Sales Executive'],
    },
    'leads:create': { allows: 'Create leads.', roles: ['Sales Manager', 'Sales Executive'] },
    'leads:update': {
      allows: 'Change leads (a Sales Executive: own ones).',
      roles: ['Sales Manager', 'Sales Executive'],
    },
    'leads:delete': { allows: 'Delete and restore leads.', roles: ['Sales Manager'] },
  },
  events: {
    readWith: 'leads:read',
    types: {
      'lead.created': 'A lead was created.',
      'lead.updated': 'Fields of a lead changed.',
      'lead.status_changed': 'A lead moved to another status.',
      'lead.converted': 'A lead became a contact.',
      'lead.deleted': 'A lead was deleted.',
      'lead.restored': 'A deleted lead was restored.',
      'lead.purged': 'A lead was removed for good, after its time in the trash.',
    },
  },
  problems: {
    duplicate_lead: problem(
      409,
      'Duplicate lead',
      'A lead with this e-mail or phone exists, and duplicates are blocked.',
      'Use the lead named in `details`, or allow duplicates with X-Duplicate-Mode: warn.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    lead: typeof lead
  }
}
