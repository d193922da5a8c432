// What other modules may use of leads: finding those behind a number, showing them as the API does, adding one for a number
// that nobody has.
export { type LeadRow, presentLead } from './rules.ts'
export { findLeadsByPhone } from './store.ts'
export { findVisibleLead, type LeadEventRow, type LeadSnapshot, listLeadEvents } from './timeline_store.ts'
export { addLeadOfPhone } from './unknown_phone.ts'
