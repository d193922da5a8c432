// Contacts: the people that one deals with, and the companies that they belong to.
import { f } from '../../../kernel/noun/fields.ts'
import { noun } from '../../../kernel/noun/noun.ts'

export const contacts = noun({
  names: ['contact', 'contacts'],
  prefix: 'con',
  category: 'CRM',
  about: 'A person that one deals with, who may belong to companies.',
  fields: {
    name: f.text({ max: 200, required: true, find: true, about: 'Name of the person.' }),
    job_title: f.text({ max: 200, find: true, about: 'What they do, such as Head of purchasing.' }),
    companies: f.refs('company', { prefix: 'cmp', about: 'Companies that they belong to, one of them the main one.' }),
    emails: f.emails({ find: true, label: 'E-mails', about: 'E-mail addresses.' }),
    phones: f.phones({ find: true, about: 'Telephone numbers.' }),
    addresses: f.addresses({ about: 'Postal addresses.' }),
    birthday: f.date({ about: 'Date of birth.' }),
    language: f.language({ about: 'The language to write and speak to them in.' }),
    email_consent: f.boolean({ initial: false, about: 'Whether they agreed to be sent e-mails.' }),
    sms_consent: f.boolean({
      initial: false,
      label: 'SMS consent',
      about: 'Whether they agreed to be sent text messages.',
    }),
    call_consent: f.boolean({ initial: false, about: 'Whether they agreed to be called.' }),
    owner_id: f.user({ about: 'Who looks after them; null while nobody does.' }),
    source: f.text({ max: 100, about: 'Where they came from, such as web or fair.' }),
    notes: f.longText({ max: 10_000, about: 'Free text.' }),
  },
  title: 'name',
  facets: [],
  order: { first: '-created_at', indexed: ['name'] },
  rows: { owner: 'owner_id', unassigned: 'seen', own: ['Sales Executive'] },
  match: ['emails', 'phones'],
  roles: {
    read: ['Sales Manager', 'Sales Executive', 'Finance Manager'],
    create: ['Sales Manager', 'Sales Executive'],
    update: ['Sales Manager', 'Sales Executive'],
    delete: ['Sales Manager'],
  },
  sample: {
    name: 'Ada Lovelace',
    emails: [{ value: 'ada@example.com', label: 'work' }],
    phones: [{ value: '+15550100001' }],
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    contact: typeof contacts
  }
}
