// What others may use of numbers: reading how they are written, finding one, and saying whose it is.
export { directoryOf, forgetDirectory } from '../directory.ts'
export { OwnNumber, sampleNumber } from './endpoints.ts'
export { type NumberRow, presentNumber, readAddress, readReceiver, readTelephone } from './rules.ts'
export {
  findNumber,
  findNumberByAddress,
  findNumbersByAddress,
  firstVoiceNumber,
  lockNumber,
  numberClaims,
  setOwnership,
} from './store.ts'
