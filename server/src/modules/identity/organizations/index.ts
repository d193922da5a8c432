// What the rest of identity may use of organizations.

export { enter, makeOrganization, makeOwner } from './acting_store.ts'
export { withheld } from './archived.ts'
export { adminIdOf } from './bootstrap_store.ts'
export {
  type AnyOrganizationState,
  organizationStates,
  organizationTable,
  type SignUpMode,
  type StateEvent,
  signUpModes,
} from './rules.ts'
export { changeState } from './state_changes.ts'
export { findOrganization, findOwnerId, findTenantOf, findTenants, lockOrganization } from './store.ts'
export { packedTar, type TarEntry, textEntry } from './tar.ts'
