// What other modules use of invitations: ending those of somebody who leaves or to a role that is deleted, and which of them open something.
export { endInvitationsOf, endInvitationsTo } from './ending.ts'
export { listVoidOffers } from './inviting.ts'
export { isOpenAt, type Offer } from './store.ts'
