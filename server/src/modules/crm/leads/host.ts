// Leads hold notes, tasks, files and tags as other nouns do; elsewhere a lead is named `lead:17`.
import type { Host } from '../../../kernel/noun/hosts.ts'
import { removeStatusChanges } from './store.ts'

export const lead: Host = {
  name: 'lead',
  many: 'leads',
  table: 'leads',
  prefix: 'lead:',
  isNumbered: true,
  title: 'name',
  rows: { owner: 'owner_id', unassigned: 'seen', own: ['Sales Executive'] },
  removeRest: removeStatusChanges,
}
