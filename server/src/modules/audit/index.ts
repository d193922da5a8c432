// What other modules use of the audit log.
export { hearsAreRecorded } from './policy_store.ts'
