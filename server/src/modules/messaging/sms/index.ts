// What other modules may use of messages.
export { messagesAccepted } from '../meters.ts'
export { type Answer, acceptAnswersIn, acceptSms, acceptTextIn, type SendInput } from './intake.ts'
export {
  leaseMs,
  receiveLateAnswers,
  receiveReceipts,
  type SubmitOptions,
  settleRoutesQueue,
  submitQueueOf,
} from './jobs.ts'
export { listMessagesWith } from './read_store.ts'
export { RouteMemory } from './route_memory.ts'
export {
  finalStatuses,
  firstEventData,
  initialStatuses,
  type MessageRow,
  messageStatuses,
  messageTable,
  presentMessage,
} from './rules.ts'
export { Message, sampleMessage } from './schemas.ts'
export { strandedMessages } from './stranded.ts'
