// What others may use of the suppression list.
export { suppress } from './store.ts'
