// What other modules use of members: whether what somebody owned is still on its way to another one, and what the owner cannot lose.
export { isHandingOver } from './hand_over_store.ts'
export { isKeptIn, isProtected, mayOwn, refuseLosing, refuseProtected, refuseShuttingOut } from './owner.ts'
