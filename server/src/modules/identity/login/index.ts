// What the rest of identity may use of logins: passwords, and ending what a user or key has open.
export { hashPassword } from './password.ts'
export { passwordMaxLength, passwordMinLength, passwordWeakness } from './password_rules.ts'
export { insertRevocation, revokeUserSessions } from './store.ts'
