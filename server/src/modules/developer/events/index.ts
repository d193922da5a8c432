// What the stream shows of events.
export { EventItem, presentEvent, vocabulary } from './endpoints.ts'
export type { EventRow } from './store.ts'
