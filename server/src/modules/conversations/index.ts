// What other modules may use of conversations: what the live stream sends of them.
export { presentSignal, Signal, type SignalRow, signalFilter } from './signals.ts'
