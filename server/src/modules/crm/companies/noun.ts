// Companies: organizations that are customers or may become so.
import { f } from '../../../kernel/noun/fields.ts'
import { noun } from '../../../kernel/noun/noun.ts'
import { changeCompany } from './rules.ts'

const industries = ['Retail', 'Manufacturing', 'Services', 'Public', 'Other'] as const

export const companies = noun({
  names: ['company', 'companies'],
  prefix: 'cmp',
  category: 'CRM',
  about: 'An organization that is a customer or may become one.',
  fields: {
    name: f.text({ max: 200, required: true, find: true, about: 'Name of the company.' }),
    domain: f.domain({ find: true, about: 'Its internet domain, such as example.com.' }),
    phone: f.phone({ find: true, about: 'Main telephone number.' }),
    industry: f.choice(industries, { about: 'Line of business.' }),
    annual_revenue: f.money({ about: 'Revenue of a year.' }),
    addresses: f.addresses({ about: 'Where it is.' }),
    owner_id: f.user({ about: 'Who looks after it; null while nobody does.' }),
    parent_id: f.ref('company', { prefix: 'cmp', about: 'The company that it belongs to.' }),
    notes: f.longText({ max: 10_000, about: 'Free text.' }),
  },
  title: 'name',
  facets: ['industry'],
  order: { first: '-created_at', indexed: ['name'] },
  rows: { owner: 'owner_id', unassigned: 'seen', own: ['Sales Executive'] },
  match: ['domain', 'phone', 'name'],
  roles: {
    read: ['Sales Manager', 'Sales Executive', 'Finance Manager'],
    create: ['Sales Manager', 'Sales Executive'],
    update: ['Sales Manager', 'Sales Executive'],
    delete: ['Sales Manager'],
  },
  change: changeCompany,
  sample: { name: 'Analytical Engines', domain: 'engines.example', industry: 'Manufacturing' },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    company: typeof companies
  }
}
