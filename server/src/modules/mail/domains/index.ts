// What sending mails may use of the domains they are from.
export { keySeal, signMail } from './dkim.ts'
export type { DomainRow } from './rules.ts'
export { listDomains } from './store.ts'
