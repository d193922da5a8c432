// What legal holds use of requests: those that waited for one go on.
export { privacyQueue } from './queue.ts'
export { wakeHeld } from './store.ts'
