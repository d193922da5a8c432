// What others may use of roles: the one that somebody is to get, and what it is worth.
export {
  type AskedRole,
  type Chosen,
  chosenRole,
  type HeldRole,
  rightsOfMembers,
  roleFaultsOf,
  standingRole,
} from './choice.ts'
export { forgetOrganization } from './forget.ts'
export { RowsShown as Rows, roleId, rowScopesOf, sampleRoleId, sampleRows } from './schemas.ts'
export { findRole, listPeopleWhoMay } from './store.ts'
