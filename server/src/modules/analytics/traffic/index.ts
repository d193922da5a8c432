// What other figures use of those of messages and calls.
export { listTraffic } from './store.ts'
