// What the rest of messaging may use of what comes in.
export { assertInjectable } from './handset.ts'
export { overdueParts, receiveInbound } from './jobs.ts'
export { joinedPartsMs } from './rules.ts'
