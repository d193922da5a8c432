// What others may use of logins: passwords, sessions, and ending what a user or key has open.

export {
  changeOwnAccount,
  changeOwnPassword,
  type DeviceRow,
  findOwnAccount,
  forgetDevices,
  listDevices,
  lockOwnAccount,
  type OwnAccount,
} from './account_store.ts'
export {
  deviceCookieOf,
  factorBrake,
  failureBrake,
  forgetStrangers,
  newDevice,
  placeKnownMs,
  readDevice,
  throttled,
} from './brake.ts'
export { confirmPassword } from './confirm.ts'
export { knownPasswordsFile, openKnownPasswords } from './known_passwords.ts'
export { type LinkLogin, logInByLink, sendLink } from './link.ts'
export { passwordChangedNotice } from './notices.ts'
export { type From, openLogin } from './opening.ts'
export { logInByPasskey, type PasskeyLogin } from './passkey.ts'
export { hashPassword } from './password.ts'
export { ownPasswordMinLength, passwordMaxLength, passwordMinLength, passwordWeakness } from './password_rules.ts'
export { refreshGraceSeconds, sessionIdleSeconds, sessionMaxSeconds } from './rules.ts'
export {
  describePerson,
  endSession,
  type LoggedIn,
  type LoginUser,
  type Mode,
  proveLogin,
  type Refreshed,
  readSession,
  refreshSession,
  type SessionTokens,
} from './session.ts'
export { type Continuation, continueLogin, countRefusal, type Login, logIn } from './sign_in.ts'
export {
  type Account,
  endLogins,
  findMember,
  findUser,
  insertRevocation,
  type LoginRow,
  listLogins,
  listMemberships,
  type Membership,
  revokeUserSessions,
  useOnce,
} from './store.ts'
export { switchOrganization } from './switching.ts'
export { refuseWeak, refuseWeakOwn } from './weak_password.ts'
