// Leads: people and enquiries of whom nobody knows yet what becomes of them. Their creation is written by hand (creation.ts), as
// concurrent requests share one statement.
import { f } from '../../../kernel/noun/fields.ts'
import { noun } from '../../../kernel/noun/noun.ts'
import {
  decideChange,
  decideCreation,
  decideMerge,
  leadPriorities,
  leadStatuses,
  manualMoves,
  movedFrom,
} from './rules.ts'

export const leads = noun({
  names: ['lead', 'leads'],
  category: 'CRM',
  about: 'A person or an enquiry that may become a customer.',
  fields: {
    name: f.text({ max: 200, required: true, find: true, about: 'Name of the person or enquiry.' }),
    email: f.email({ find: true, label: 'E-mail', about: 'E-mail address; required when there is no phone.' }),
    phone: f.phone({ find: true, about: 'Telephone number; required when there is no e-mail.' }),
    company: f.text({ max: 200, find: true, about: 'Company the person speaks for.' }),
    priority: f.choice(leadPriorities, { initial: 'Warm', anyCase: true, about: 'How urgent the lead is.' }),
    status: f.state(leadStatuses, {
      moves: manualMoves,
      elsewhere: { Converted: 'A lead becomes Converted only by converting it.' },
      about: 'Where the lead stands; a new one is New.',
    }),
    owner_id: f.user({ about: 'The user who works on the lead; null while nobody does.' }),
    source: f.text({ max: 100, about: 'Where the lead came from, such as web or fair.' }),
    notes: f.longText({ max: 10_000, about: 'Free text.' }),
    lost_reason: f.text({
      max: 500,
      label: 'Given up because',
      about: 'Why the lead is Unqualified, where it is required, or Junk.',
    }),
    first_responded_at: f.moment({
      setBy: 'rules',
      label: 'First answer',
      about: 'When the lead first moved on from New; null for one that a file says had done so before.',
    }),
    company_id: f.ref('company', {
      prefix: 'cmp',
      label: 'Company record',
      about: 'The record of the company that the person speaks for.',
    }),
    contact_id: f.ref('contact', { prefix: 'con', setBy: 'rules', about: 'The contact that the lead became.' }),
    converted_at: f.moment({ setBy: 'rules', about: 'When the lead was converted.' }),
  },
  title: 'name',
  facets: ['status', 'priority'],
  order: { first: '-created_at', indexed: [] },
  rows: { owner: 'owner_id', unassigned: 'seen', own: ['Sales Executive'] },
  match: ['email', 'phone'],
  keyFinder: 'find_lead_keys',
  roles: {
    read: ['Sales Manager', 'Sales Executive'],
    create: ['Sales Manager', 'Sales Executive'],
    update: ['Sales Manager', 'Sales Executive'],
    delete: ['Sales Manager'],
  },
  events: { status_changed: 'A lead moved to another status.', converted: 'A lead became a contact.' },
  byHand: ['create'],
  says: {
    update:
      'The status moves by its table, with `lost_reason` where a lead is given up (required for Unqualified); a Sales Executive reopens none. Writes lead.status_changed, with `previousStatus`, for a move, and lead.updated for what else is changed.',
  },
  create: decideCreation,
  change: decideChange,
  moved: movedFrom,
  merge: decideMerge,
  sample: {
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    phone: '+1 555 010 0001',
    company: 'Analytical Engines',
    priority: 'Hot',
    source: 'web',
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    lead: typeof leads
  }
}
