// What others may use of users: who they are, and whether somebody is one.
export { Name, presentUser } from './present.ts'
export { addMember, type Kept, keepMember, makeMember } from './provisioning.ts'
export { findOtherAdmins, findUser, isUserEmail, lockUser, type UserRow } from './store.ts'
