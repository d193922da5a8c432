// What other modules may use of messages.
export { receiveInbound, receiveReceipts } from './jobs.ts'
export { finalStatuses, initialStatuses, messageStatuses, messageTable, presentMessage } from './rules.ts'
