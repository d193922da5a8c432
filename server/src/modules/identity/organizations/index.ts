// What the rest of identity may use of organizations.
export { adminIdOf } from './bootstrap.ts'
export { findTenants, lockOrganization } from './store.ts'
