// What sending mails may use of senders.
export { listSenders, type SenderRow, senders } from './store.ts'
