// What others may use of users: whether somebody is one.
export { isUserEmail } from './store.ts'
