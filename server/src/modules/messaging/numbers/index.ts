// What others may use of numbers: reading how they are written, and finding one.
export { readAddress, readReceiver, readTelephone } from './rules.ts'
export { findNumber, findNumberByAddress, findNumbersByAddress, firstVoiceNumber } from './store.ts'
