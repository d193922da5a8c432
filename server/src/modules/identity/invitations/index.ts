// What other modules use of invitations: ending those of somebody who leaves, and which of them open something.
export { endInvitationsOf } from './ending.ts'
export { listVoidOffers } from './inviting.ts'
export { isOpenAt, type Offer } from './store.ts'
