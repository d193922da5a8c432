// The people that mails are exchanged with: leads and contacts, by what every noun says of itself.
export { candidatesFor, isPersonSeen, requirePerson, seenRecord, standing, takesMails } from './store.ts'
