// What other modules use of invitations: ending those of somebody who leaves.
export { endInvitationsOf } from './ending.ts'
