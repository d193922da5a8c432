// What the process and the portal use of single sign-on.

export { accountByDomain } from './identities_store.ts'
export { logInBySso } from './log_in.ts'
export { type Beginning, beginSso, registerSso, ticketCookie } from './mount.ts'
