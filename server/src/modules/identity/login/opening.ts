// The end of a login: what the account and the organization still ask for, and the sessions that are opened when that is nothing.
import { randomBytes } from 'node:crypto'
import { type Asked, recordAudit } from '../../../kernel/audit/record.ts'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { Keyring } from '../../../kernel/values/keyring.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { createSeal } from '../../../kernel/values/seal.ts'
import { requireSso } from '../connections/index.ts'
import { addConfirmedTotp, base32, type FactorKind, factorAddedNotice, listFactors, totpUri } from '../factors/index.ts'
import { isKeptIn } from '../members/index.ts'
import { mailQueue, notify } from '../notices/index.ts'
import { findPolicy, isAllowedAddress } from '../security/index.ts'
import { findKnownPlaces, isTrustedPlace, type KnownPlaces, trustPlaces } from './account_store.ts'
import { placesOf } from './brake.ts'
import { type Challenge, signChallenge } from './challenge.ts'
import { newDeviceNotice, sessionLimitNotice } from './notices.ts'
import { insertSessions, type LoggedIn, type Mode, tokensOfOpened } from './session.ts'
import {
  type Account,
  endOldestLogins,
  type LoginUserRow,
  lockLoginUser,
  rememberPlaces,
  type UserRow,
} from './store.ts'

/** Where somebody logs in from. */
export type From = {
  /** Client address, counted when the login fails. */
  ip: string
  /** The device of a browser that proved one (`readDevice`); the login makes it known. */
  device?: string | null
  /** For the audit log and the list of sessions: which request it is, by what program. */
  asked: Asked
}

/** What a login has come to. */
export type Proved = {
  account: Account
  /** A session is opened for each of these tenants of the organization. */
  modes: readonly Mode[]
  from: From
  nowMs: number
  /** How they proved who they are (RFC 8176), and whether with a second factor. `sso`: at the provider of the organization. */
  amr: string[]
  isStrong: boolean
  /** The second factor was that of the provider, which none of the account's own stands for. */
  isVouched?: boolean
  /** When they proved it, where that was not now. */
  authAtMs?: number | undefined
  /** A code generator that was set up during this login. */
  made?: { secret: string; step: number } | undefined
  /** Whether this device may stand for the second factor from now on. */
  trustDevice?: boolean | undefined
}

/** Places remembered of an account; who logs in from ever new ones must not fill the table. */
const maxPlaces = 50
/** Logins of an account that may be open at once (ASVS 7.1.2). */
export const maxLogins = 50
const dayMs = 86_400_000
const issuer = 'Tandem'

/**
 * Opens sessions, or says what is asked for beside what was proved.
 * @returns undefined when password or account changed since they were checked
 * @throws Problem `address_not_allowed`, `sso_required`, `second_factor_required`, `second_factor_setup_required`,
 * `challenge_expired`, `password_change_required` or `initial_password_expired`
 */
export async function openLogin(services: Services, proved: Proved): Promise<LoggedIn | undefined> {
  const { account, nowMs } = proved
  const { account_id: accountId, organization_id: organizationId } = account
  const scope = { organizationId, tenantId: 0, person: { accountId } }
  const opened = await services.db.inTenant(scope, async tx => {
    const user = await lockLoginUser(tx, scope, account)
    if (user === undefined) return undefined
    const kinds = (await listFactors(tx, accountId)).map(({ kind }) => kind)
    const who = { organizationId, userId: user.id, email: account.email, amr: proved.amr }
    const asksFactor = await requireSso(tx, services, { ...who, hasFactor: kinds.length > 0, nowMs })
    refuseEnded(user, proved)
    const standing = await standingOf(tx, services, proved, kinds)
    if (asksFactor) standing.isTrusted = false
    // The provider may be in the hands of who owns the organization now.
    const isDoubted = proved.isVouched && kinds.length > 0 && (await isKeptIn(tx, scope, user.id, nowMs))
    // Since it was asked for another one was set up, elsewhere: that one, and its recovery codes, stay.
    if (proved.made !== undefined && standing.kinds.length > 0) throw new Problem('challenge_expired')
    refuseUnproved(services, isDoubted ? { ...proved, isStrong: false } : proved, standing)
    const known = await findKnownPlaces(
      tx,
      accountId,
      placesOf(services.keyring, proved.from.ip, proved.from.device ?? null),
    )
    const recoveryCodes = await remember(tx, services, proved, standing.trustDays)
    const at = new Date(nowMs).toISOString()
    const isComplete = standing.kinds.length === 0 || (proved.isStrong && proved.isVouched !== true)
    const proof = {
      login_id: newId('lgn', nowMs),
      user_id: user.id,
      amr: proved.amr,
      auth_at: new Date(proved.authAtMs ?? nowMs).toISOString(),
      factor_at: isComplete ? at : null,
      ip: proved.from.ip,
      user_agent: agentOf(proved.from),
    }
    const sessions = await insertSessions(tx, organizationId, proved.modes, proof, nowMs)
    await noticeLogin(tx, services, scope, proved, user, known)
    // A portal opens one for each mode: that is one login.
    const by = { organizationId, type: 'user', id: user.id, name: user.email, sessionId: sessions[0]!.id } as const
    const targets = sessions.map(({ id }) => ({ type: 'session', id }))
    const more = { modes: proved.modes.join(' '), how: proved.amr.join(' ') }
    await recordAudit(tx, by, { action: 'user.signed_in', targets, more }, proved.from.asked)
    return { user, sessions, ...(recoveryCodes && { recoveryCodes }) }
  })
  if (opened !== undefined) services.wake(mailQueue)
  return opened && tokensOfOpened(services, organizationId, opened, nowMs)
}

/**
 * A browser that is not known writes to its person, and so does a program at a place that is not known, of accounts that have a browser:
 * those that only programs log in with hear nothing. Beyond the newest logins the oldest end.
 */
async function noticeLogin(
  tx: Tx,
  services: Services,
  scope: Scope,
  { account, from, nowMs, made }: Proved,
  user: UserRow,
  known: KnownPlaces,
): Promise<void> {
  const { account_id: accountId } = account
  const day = new Date(nowMs).toISOString().slice(0, 10)
  const said = { to: user, asked: from.asked, nowMs }
  const isBrowser = from.device != null
  if (!known.isKnown && (isBrowser ? known.hasAny : known.hasDevice)) {
    const detail = isBrowser ? 'with a browser that is new to it' : 'by a program, from a place that is new to it'
    const place = placesOf(services.keyring, from.ip, from.device ?? null)[0]
    const dedupeKey = `new device ${accountId} ${place} ${day}`
    await notify(tx, services, scope, { ...said, notice: newDeviceNotice, detail, dedupeKey })
  }
  if (made !== undefined)
    await notify(tx, services, scope, { ...said, notice: factorAddedNotice, detail: 'an app that makes codes' })
  const ended = await endOldestLogins(tx, accountId, maxLogins)
  if (ended > 0 && known.hasDevice) {
    const dedupeKey = `session limit ${accountId} ${day}`
    await notify(tx, services, scope, { ...said, notice: sessionLimitNotice, detail: String(maxLogins), dedupeKey })
  }
}

type Standing = { kinds: FactorKind[]; isTrusted: boolean; needsFactor: boolean; trustDays: number }

async function standingOf(
  tx: Tx,
  { keyring }: Services,
  { account, from, nowMs }: Proved,
  kinds: FactorKind[],
): Promise<Standing> {
  const policy = await findPolicy(tx, { organizationId: account.organization_id })
  if (!isAllowedAddress(from.ip, policy.allowed_addresses)) throw new Problem('address_not_allowed')
  const trustDays = policy.trust_device_days
  const [device] = from.device == null ? [] : placesOf(keyring, from.ip, from.device)
  const mayTrust = kinds.length > 0 && trustDays > 0 && device !== undefined
  const isTrusted = mayTrust && (await isTrustedPlace(tx, account.account_id, device, { nowMs, days: trustDays }))
  return { kinds, isTrusted, needsFactor: policy.require_second_factor, trustDays }
}

/** What is refused here was the right password: who guesses learns nothing. @throws Problem `initial_password_expired` */
function refuseEnded({ password_ends_at: endsAt }: LoginUserRow, { amr, nowMs }: Proved): void {
  if (endsAt !== null && Date.parse(endsAt) <= nowMs && amr.includes('pwd'))
    throw new Problem('initial_password_expired')
}

/** @throws Problem that says what is needed, with the token to go on */
function refuseUnproved({ keyring }: Services, proved: Proved, standing: Standing): void {
  const { account, amr, isStrong, from, nowMs } = proved
  const ask = (more: Pick<Challenge, 'need' | 'setup'>) => {
    const { account_id: accountId, organization_id: organizationId, user_id: userId } = account
    const challenge = { accountId, organizationId, userId, amr, isStrong, ...more }
    return signChallenge(keyring, challenge, { passwordHash: account.password_hash, ip: from.ip, nowMs })
  }
  if (standing.kinds.length > 0 && !isStrong && !standing.isTrusted) {
    const methods = [...new Set(standing.kinds), 'recovery_code']
    throw new Problem('second_factor_required', { also: { challengeToken: ask({ need: 'factor' }), methods } })
  }
  // Before an app is set up, which is kept when the login is complete.
  if (account.is_temporary && !amr.includes('sso')) {
    throw new Problem('password_change_required', { also: { challengeToken: ask({ need: 'password' }) } })
  }
  if (standing.kinds.length === 0 && !isStrong && standing.needsFactor) {
    const secret = base32(randomBytes(20))
    const challengeToken = ask({ need: 'setup', setup: setupSeal(keyring).close(String(account.account_id), secret) })
    const uri = totpUri({ issuer, account: account.email, secret })
    throw new Problem('second_factor_setup_required', { also: { challengeToken, setup: { secret, uri } } })
  }
}

/** Seals the secret of an app while it travels in a challenge. */
export function setupSeal(keyring: Keyring) {
  return createSeal(keyring, 'factor setup')
}

/** @returns the recovery codes of an app that was set up */
async function remember(
  tx: Tx,
  { keyring }: Services,
  proved: Proved,
  trustDays: number,
): Promise<string[] | undefined> {
  const { account, from, nowMs, made, trustDevice } = proved
  const { account_id: accountId } = account
  const places = placesOf(keyring, from.ip, from.device ?? null)
  await rememberPlaces(tx, accountId, { places, ip: from.ip, userAgent: agentOf(from) }, { nowMs, most: maxPlaces })
  const codes = made === undefined ? undefined : await addConfirmedTotp(tx, keyring, accountId, made)
  if (trustDevice === true && proved.isStrong && from.device != null && trustDays > 0) {
    await trustPlaces(tx, accountId, places.slice(0, 1), nowMs + trustDays * dayMs)
  }
  return codes
}

function agentOf({ asked }: From): string | null {
  return asked.userAgent?.slice(0, 300) ?? null
}
