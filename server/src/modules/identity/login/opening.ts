// The end of a login: what the account and the organization still ask for, and the sessions that are opened when that is nothing.
import { randomBytes } from 'node:crypto'
import { type Asked, recordAudit } from '../../../kernel/audit/record.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { createSeal } from '../../../kernel/values/seal.ts'
import { addConfirmedTotp, base32, type FactorKind, listFactors, totpUri } from '../factors/index.ts'
import { findPolicy, isAllowedAddress } from '../security/index.ts'
import { isTrustedPlace, trustPlaces } from './account_store.ts'
import { placesOf } from './brake.ts'
import { type Challenge, signChallenge } from './challenge.ts'
import { insertSessions, type LoggedIn, type Mode, tokensOfOpened } from './session.ts'
import { type Account, lockLoginUser, rememberPlaces } from './store.ts'

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
  /** How they proved who they are (RFC 8176), and whether with a second factor. */
  amr: string[]
  isStrong: boolean
  /** A code generator that was set up during this login. */
  made?: { secret: string; step: number } | undefined
  /** Whether this device may stand for the second factor from now on. */
  trustDevice?: boolean | undefined
}

/** Places remembered of an account; who logs in from ever new ones must not fill the table. */
const maxPlaces = 50
const dayMs = 86_400_000
const issuer = 'Tandem'

/**
 * Opens sessions, or says what is asked for beside what was proved.
 * @returns undefined when password or account changed since they were checked
 * @throws Problem `address_not_allowed`, `second_factor_required`, `second_factor_setup_required` or `password_change_required`
 */
export async function openLogin(services: Services, proved: Proved): Promise<LoggedIn | undefined> {
  const { account, nowMs } = proved
  const { account_id: accountId, organization_id: organizationId } = account
  const scope = { organizationId, tenantId: 0, person: { accountId } }
  const opened = await services.db.inTenant(scope, async tx => {
    const user = await lockLoginUser(tx, scope, account)
    if (user === undefined) return undefined
    const standing = await standingOf(tx, services, proved)
    refuseUnproved(services, proved, standing)
    await remember(tx, services, proved, standing.trustDays)
    const at = new Date(nowMs).toISOString()
    const isComplete = proved.isStrong || standing.kinds.length === 0
    const proof = {
      login_id: newId('lgn', nowMs),
      user_id: user.id,
      amr: proved.amr,
      auth_at: at,
      factor_at: isComplete ? at : null,
      ip: proved.from.ip,
      user_agent: agentOf(proved.from),
    }
    const sessions = await insertSessions(tx, organizationId, proved.modes, proof, nowMs)
    // A portal opens one for each mode: that is one login.
    const by = { organizationId, type: 'user', id: user.id, name: user.email, sessionId: sessions[0]!.id } as const
    const targets = sessions.map(({ id }) => ({ type: 'session', id }))
    const more = { modes: proved.modes.join(' '), how: proved.amr.join(' ') }
    await recordAudit(tx, by, { action: 'user.signed_in', targets, more }, proved.from.asked)
    return { user, sessions }
  })
  return opened && tokensOfOpened(services, organizationId, opened, nowMs)
}

type Standing = { kinds: FactorKind[]; isTrusted: boolean; needsFactor: boolean; trustDays: number }

async function standingOf(tx: Tx, { pepper }: Services, { account, from, nowMs }: Proved): Promise<Standing> {
  const policy = await findPolicy(tx, { organizationId: account.organization_id })
  if (!isAllowedAddress(from.ip, policy.allowed_addresses)) throw new Problem('address_not_allowed')
  const kinds = (await listFactors(tx, account.account_id)).map(({ kind }) => kind)
  const trustDays = policy.trust_device_days
  const [device] = from.device == null ? [] : placesOf(pepper, from.ip, from.device)
  const mayTrust = kinds.length > 0 && trustDays > 0 && device !== undefined
  const isTrusted = mayTrust && (await isTrustedPlace(tx, account.account_id, device, { nowMs, days: trustDays }))
  return { kinds, isTrusted, needsFactor: policy.require_second_factor, trustDays }
}

/** @throws Problem that says what is needed, with the token to go on */
function refuseUnproved({ pepper }: Services, proved: Proved, standing: Standing): void {
  const { account, amr, isStrong, from, nowMs } = proved
  const ask = (more: Pick<Challenge, 'need' | 'setup'>) => {
    const { account_id: accountId, organization_id: organizationId, user_id: userId } = account
    const challenge = { accountId, organizationId, userId, amr, isStrong, ...more }
    return signChallenge(pepper, challenge, { passwordHash: account.password_hash, ip: from.ip, nowMs })
  }
  if (standing.kinds.length > 0 && !isStrong && !standing.isTrusted) {
    const methods = [...new Set(standing.kinds), 'recovery_code']
    throw new Problem('second_factor_required', { also: { challengeToken: ask({ need: 'factor' }), methods } })
  }
  if (standing.kinds.length === 0 && !isStrong && standing.needsFactor) {
    const secret = base32(randomBytes(20))
    const challengeToken = ask({ need: 'setup', setup: setupSeal(pepper).close(String(account.account_id), secret) })
    const uri = totpUri({ issuer, account: account.email, secret })
    throw new Problem('second_factor_setup_required', { also: { challengeToken, setup: { secret, uri } } })
  }
  if (account.is_temporary) {
    throw new Problem('password_change_required', { also: { challengeToken: ask({ need: 'password' }) } })
  }
}

/** Seals the secret of an app while it travels in a challenge. */
export function setupSeal(pepper: Buffer) {
  return createSeal(pepper, 'factor setup')
}

async function remember(tx: Tx, { pepper }: Services, proved: Proved, trustDays: number): Promise<void> {
  const { account, from, nowMs, made, trustDevice } = proved
  const { account_id: accountId } = account
  const places = placesOf(pepper, from.ip, from.device ?? null)
  await rememberPlaces(tx, accountId, { places, ip: from.ip, userAgent: agentOf(from) }, { nowMs, most: maxPlaces })
  if (made !== undefined) await addConfirmedTotp(tx, pepper, accountId, made)
  if (trustDevice === true && proved.isStrong && from.device != null && trustDays > 0) {
    await trustPlaces(tx, accountId, places.slice(0, 1), nowMs + trustDays * dayMs)
  }
}

function agentOf({ asked }: From): string | null {
  return asked.userAgent?.slice(0, 300) ?? null
}
