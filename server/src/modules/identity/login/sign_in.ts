// Logging in: who it is, whether guesses have to wait, and how a login goes on that needs more than a password. The endpoints and
// the portal both come here, so throttling, timing and answers are the same whichever door was taken.
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { accountEmail } from '../../../kernel/values/email.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { type FactorProof, proveFactor, stepOfSecret } from '../factors/index.ts'
import { findPasswordMin } from '../security/index.ts'
import { changeOwnPassword } from './account_store.ts'
import { type Brake, brakeOf, factorBrake, forgetStrangers, throttled } from './brake.ts'
import { type Challenge, isOfPassword, readChallenge } from './challenge.ts'
import { type From, openLogin, type Proved, setupSeal } from './opening.ts'
import { hashPassword, needsRehash, passwordFits } from './password.ts'
import type { LoggedIn, Mode } from './session.ts'
import { type Account, findAccount, findMember, renewPasswordHash, useOnce } from './store.ts'
import { refuseWeakOwn } from './weak_password.ts'

export type Login = {
  emailOrAdminId: string
  password: string
  /** Which organization it is for; the one used last when not said. */
  organizationId?: number | undefined
  /** A session is opened for each of these tenants of the organization. */
  modes: readonly Mode[]
  from: From
  nowMs: number
}

/**
 * Checks who it is and opens one session a mode, in the order of `modes`.
 * @throws Problem `invalid_credentials`, `login_throttled`, `login_by_mail_required`, `membership_required`, those of `openLogin` where more is needed, or
 * `unavailable` when too many logins wait
 */
export async function logIn(services: Services, login: Login): Promise<LoggedIn> {
  const { organizationId, modes, from, nowMs } = login
  const { account, brake } = await checkPassword(services, login)
  if (organizationId !== undefined && account.organization_id !== organizationId) {
    throw new Problem('membership_required')
  }
  await brake.succeeded()
  const proved = { account, modes, from, nowMs, amr: ['pwd'], isStrong: false }
  const opened = await openLogin(services, proved).catch(error => {
    if (error instanceof Problem && error.code === 'initial_password_expired')
      countRefusal(services, account, error.code, from)
    throw error
  })
  if (opened === undefined) throw new Problem('invalid_credentials')
  return opened
}

/** What a login that needs more is answered with: what its challenge asks for. */
export type Continuation = FactorProof & {
  challengeToken: string
  newPassword?: string | undefined
  trustDevice?: boolean | undefined
  modes: readonly Mode[]
  from: From
  nowMs: number
}

/**
 * Goes on with a login that needed more than a password.
 * @throws Problem `challenge_expired`, `invalid_second_factor`, `weak_password`, `login_throttled`, and those of `openLogin`
 */
export async function continueLogin(services: Services, sent: Continuation): Promise<LoggedIn> {
  const { modes, from, nowMs } = sent
  const challenge = readChallenge(services.keyring, sent.challengeToken, { ip: from.ip, nowMs })
  const account = await accountOf(services, challenge)
  if (account === undefined || !isOfPassword(challenge, account.password_hash)) throw new Problem('challenge_expired')
  const { amr, isStrong } = challenge
  const proved: Proved = { account, modes, from, nowMs, amr, isStrong, trustDevice: sent.trustDevice }
  const further = await (challenge.need === 'password' ? ownPassword : secondFactor)(services, challenge, proved, sent)
  const until = new Date(challenge.until)
  if (!(await useOnce(services.db, `login challenge ${challenge.nonce}`, until))) throw new Problem('challenge_expired')
  const opened = await openLogin(services, further)
  if (opened === undefined) throw new Problem('challenge_expired')
  return opened
}

async function accountOf({ db }: Services, challenge: Challenge): Promise<Account | undefined> {
  const { organizationId, accountId, userId } = challenge
  const scope = { organizationId, tenantId: 0, person: { accountId } }
  const account = await db.inTenant(scope, tx => findMember(tx, scope, userId))
  return account?.disabled === false ? account : undefined
}

/** @throws Problem `invalid_second_factor` or `login_throttled` */
async function secondFactor(
  services: Services,
  challenge: Challenge,
  proved: Proved,
  sent: Continuation,
): Promise<Proved> {
  const { db, keyring } = services
  const { accountId, organizationId, need } = challenge
  const brake = await factorBrake(services, accountId, proved.nowMs)
  if (brake.waitSeconds > 0) throw throttled(brake.waitSeconds)
  const scope = { organizationId, tenantId: 0, person: { accountId } }
  if (need === 'setup') {
    const secret = setupSeal(keyring).open(String(accountId), challenge.setup as string)
    const step = stepOfSecret(secret, sent.code ?? '', proved.nowMs)
    if (step !== undefined) {
      return { ...proved, amr: [...proved.amr, 'otp', 'mfa'], isStrong: true, made: { secret, step } }
    }
  } else {
    // In a transaction of its own: what was used is used up, whatever becomes of the login.
    const proving = { scope, userId: challenge.userId, asked: proved.from.asked, nowMs: proved.nowMs }
    const how = await db.inTenant(scope, tx => proveFactor(tx, services, proving, sent))
    if (how !== undefined) {
      await brake.succeeded()
      return { ...proved, amr: [...proved.amr, ...how], isStrong: true }
    }
  }
  await brake.failed()
  countRefusal(services, proved.account, 'invalid_second_factor', proved.from)
  throw new Problem('invalid_second_factor')
}

/** @throws Problem `weak_password` or `validation_failed` */
async function ownPassword(
  services: Services,
  challenge: Challenge,
  proved: Proved,
  sent: Continuation,
): Promise<Proved> {
  const { account } = proved
  const newPassword = sent.newPassword ?? ''
  const ownScope = { organizationId: challenge.organizationId, tenantId: 0, person: { accountId: challenge.accountId } }
  const asked = await services.db.inTenant(ownScope, tx => findPasswordMin(tx, challenge.accountId))
  await refuseWeakOwn(
    services,
    newPassword,
    { email: account.email, hasSecondFactor: challenge.isStrong, asked },
    'newPassword',
  )
  if (await passwordFits(account.password_hash, newPassword)) {
    const message = 'is the password that somebody else set; choose one that only you know'
    throw new Problem('weak_password', { details: [{ field: 'newPassword', code: 'not_allowed', message }] })
  }
  const hash = await hashPassword(newPassword)
  await services.db.inTenant(ownScope, tx => changeOwnPassword(tx, challenge.accountId, hash))
  await forgetStrangers(services, challenge.accountId)
  return { ...proved, account: { ...account, password_hash: hash, is_temporary: false } }
}

/** The account of these credentials. @throws Problem `invalid_credentials`, `login_throttled` or `login_by_mail_required` */
async function checkPassword(
  services: Services,
  { emailOrAdminId, password, organizationId, from, nowMs }: Login,
): Promise<{ account: Account; brake: Brake }> {
  const name = accountEmail(emailOrAdminId)
  const { account, folded } = await findAccount(services.db, name, organizationId ?? null)
  const askBrake = async () => {
    const brake = await brakeOf(services, { account, folded, ip: from.ip, device: from.device ?? null, nowMs })
    if (brake.isClosed) {
      if (account !== undefined) countRefusal(services, account, 'login_by_mail_required', from)
      throw new Problem('login_by_mail_required')
    }
    if (brake.waitSeconds > 0) {
      if (account !== undefined) countRefusal(services, account, 'login_throttled', from)
      throw throttled(brake.waitSeconds)
    }
    return brake
  }
  let brake = await askBrake()
  const fits = await passwordFits(account?.password_hash ?? null, password, async () => {
    // Many sent at once would all pass before the first has failed.
    brake = await askBrake()
  })
  if (account === undefined || !fits || account.disabled) {
    const reason = fits ? 'user_disabled' : 'invalid_credentials'
    if (account !== undefined) countRefusal(services, account, reason, from)
    await brake.failed()
    throw new Problem('invalid_credentials')
  }
  if (!needsRehash(account.password_hash)) return { account, brake }
  const renewed = await renewHash(services, account, password)
  return { account: { ...account, password_hash: renewed }, brake }
}

/** For the audit log: somebody whose account it may not have been did not get in. */
export function countRefusal({ refusals }: Services, account: Account, reason: string, { asked }: From): void {
  const by = { organizationId: account.organization_id, type: 'anonymous' } as const
  refusals.count({
    by,
    action: 'user.sign_in_refused',
    reason,
    targets: [{ type: 'user', id: account.user_id }],
    asked,
  })
}

/** Hashes a password again with today's parameters, now that we have it in clear. @returns the hash that holds now */
async function renewHash({ db, log }: Services, account: Account, password: string): Promise<string | null> {
  const { organization_id: organizationId, account_id: accountId, password_hash: before } = account
  try {
    const renewed = await hashPassword(password)
    const scope = { organizationId, tenantId: 0, person: { accountId } }
    const isRenewed = await db.inTenant(scope, tx => renewPasswordHash(tx, account, renewed))
    return isRenewed ? renewed : before
  } catch (err) {
    log.warn({ err }, 'password hash not renewed')
    return before
  }
}
