// What others may use of numbers: reading how they are written, finding one, and saying whose it is.
export { directoryOf, forgetDirectory } from '../directory.ts'
export type { NumberRow } from './rules.ts'
export { OwnNumber, presentNumber, sampleNumber } from './schemas.ts'
export {
  findNumberByAddress,
  findNumbersByAddress,
  firstVoiceNumber,
  holdScopeOf,
  type NumberClaim,
  numberClaims,
  numbers,
  setOwnership,
} from './store.ts'
