// Record types that are one value, one line each, by the name that they have in events: permissions, events and endpoints follow from
// this list (nouns.ts, catalog.ts). `npm run noun -- --new` adds a line.

export { companies as company } from './modules/crm/companies/noun.ts'
export { contacts as contact } from './modules/crm/contacts/noun.ts'
export { leads as lead } from './modules/crm/leads/noun.ts'
export { notes as note } from './modules/records/notes/noun.ts'
export { tasks as task } from './modules/records/tasks/noun.ts'
