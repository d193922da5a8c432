// What the rest of identity may use of organizations.
export { adminIdOf } from './bootstrap_store.ts'
export { findOrganization, findTenants, lockOrganization } from './store.ts'
