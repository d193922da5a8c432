// What the rest of messaging may use of what comes in.
export { overdueParts, receiveInbound } from './jobs.ts'
