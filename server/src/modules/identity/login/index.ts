// What others may use of logins: passwords, sessions, and ending what a user or key has open.
export { newDevice, placeKnownMs, readDevice } from './brake.ts'
export { hashPassword } from './password.ts'
export { passwordMaxLength, passwordMinLength, passwordWeakness } from './password_rules.ts'
export { refreshGraceSeconds, sessionIdleSeconds } from './rules.ts'
export {
  endSession,
  type Login,
  type LoginUser,
  logIn,
  type Mode,
  type Refreshed,
  refreshSession,
  type SessionTokens,
} from './session.ts'
export { insertRevocation, revokeUserSessions } from './store.ts'
