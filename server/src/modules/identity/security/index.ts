// What logins ask of an organization's security.
export { isAllowedAddress } from './rules.ts'
export { findPasswordMin, findPolicy, type SecurityPolicy, usualPolicy } from './store.ts'
