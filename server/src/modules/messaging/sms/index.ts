// What other modules may use of messages.
export { listMessagesWith } from './conversation.ts'
export { type QueuedSms, queueSms, sendText } from './intake.ts'
export {
  receiveLateAnswers,
  receiveReceipts,
  type SubmitOptions,
  settleRoutesQueue,
  submitQueueOf,
} from './jobs.ts'
export {
  finalStatuses,
  firstEventData,
  initialStatuses,
  type MessageRow,
  messageStatuses,
  messageTable,
  presentMessage,
  readRecipient,
  readSender,
} from './rules.ts'
export { strandedMessages } from './stranded.ts'
