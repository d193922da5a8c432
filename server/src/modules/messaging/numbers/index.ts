// What the rest of messaging may use of numbers: reading how they are written, and finding one.
export { readAddress, readReceiver, readTelephone } from './rules.ts'
export { findNumberByAddress } from './store.ts'
