// What others may use of passwords that are set by a link.
export { openReset } from './store.ts'
