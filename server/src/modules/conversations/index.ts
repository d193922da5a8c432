// What other modules may use of conversations: those that wait for somebody, and what the live stream sends.
export { Conversation, sampleConversation } from './schemas.ts'
export { presentSignal, Signal, type SignalRow, signalFilter } from './signals.ts'
export { listWaiting } from './waiting.ts'
