// What other modules may use of leads: finding those behind a number, and adding one for a number that nobody has.
export { findLeadsByPhone, findVisibleLead } from './store.ts'
export { addLeadsOfPhones } from './unknown_phone.ts'
