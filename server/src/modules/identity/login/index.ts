// What others may use of logins: passwords, sessions, and ending what a user or key has open.

export {
  changeOwnAccount,
  changeOwnPassword,
  findOwnAccount,
  lockOwnAccount,
  type OwnAccount,
} from './account_store.ts'
export { factorBrake, newDevice, placeKnownMs, readDevice, throttled } from './brake.ts'
export { confirmPassword } from './confirm.ts'
export type { From } from './opening.ts'
export { logInByPasskey, type PasskeyLogin } from './passkey.ts'
export { hashPassword } from './password.ts'
export { ownPasswordMinLength, passwordMaxLength, passwordMinLength, passwordWeakness } from './password_rules.ts'
export { refreshGraceSeconds, sessionIdleSeconds } from './rules.ts'
export {
  countOrganizations,
  endSession,
  type LoggedIn,
  type LoginUser,
  type Mode,
  proveLogin,
  type Refreshed,
  readSession,
  refreshSession,
  type SessionTokens,
  switchOrganization,
} from './session.ts'
export { type Continuation, continueLogin, type Login, logIn } from './sign_in.ts'
export {
  endLogins,
  insertRevocation,
  type LoginRow,
  listLogins,
  listMemberships,
  type Membership,
  revokeUserSessions,
} from './store.ts'
export { refuseWeak, refuseWeakOwn } from './weak_password.ts'
