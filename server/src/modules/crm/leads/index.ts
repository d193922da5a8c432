// What other modules may use of leads: finding those behind a number, and showing them as the API does.
export { type LeadRow, presentLead } from './rules.ts'
export { findLeadsByPhone } from './store.ts'
