// What other modules may use of timelines: how a message, a call and a mail look in a list of what was exchanged.
export { type Entry, entryOfCall, entryOfMail, entryOfMessage, merged } from './entries.ts'
export { listHung } from './store.ts'
