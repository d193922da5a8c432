// From one organization into another with the same login: it shows what a login to that one asks for, or is refused there. However often
// somebody switches, the login grows no younger.
import { recordAudit } from '../../../kernel/audit/record.ts'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { requireSso } from '../connections/index.ts'
import { listFactors } from '../factors/index.ts'
import { findPolicy, isAllowedAddress } from '../security/index.ts'
import { isTrustedPlace } from './account_store.ts'
import { placesOf } from './brake.ts'
import type { From } from './opening.ts'
import { sessionMaxSeconds } from './rules.ts'
import { insertSessions, type LoggedIn, type Mode, tokensOfOpened } from './session.ts'
import { type AgedProof, findSessionProof, listMemberships, lockMember } from './store.ts'

/** Whose session it is that switches. */
export type Switching = { organizationId: number; tenantId: number; sessionId: string; accountId: number }

/**
 * Opens sessions in another organization of the same person, or in the same one, beside those there are.
 * @throws Problem `membership_required`, `sso_session`, `sso_required`, `address_not_allowed` or `switch_needs_login`
 */
export async function switchOrganization(
  services: Services,
  from: Switching,
  to: { organizationId: number; modes: readonly Mode[]; nowMs: number; from: From },
): Promise<LoggedIn> {
  const { organizationId, modes, nowMs } = to
  const { found, membership } = await services.db.inTenant(from, async tx => {
    const [found, memberships] = await Promise.all([
      findSessionProof(tx, from.organizationId, from.sessionId),
      listMemberships(tx, from.accountId),
    ])
    return { found, membership: memberships.find(one => one.organization_id === organizationId && !one.disabled) }
  })
  if (found === undefined) throw new Problem('token_revoked')
  if (membership === undefined) throw new Problem('membership_required')
  // The provider of one organization says nothing to another.
  if (found.amr.includes('sso') && organizationId !== from.organizationId) throw new Problem('sso_session')
  const scope = { organizationId, tenantId: 0, person: { accountId: from.accountId } }
  const { age_seconds: _age, ...proof } = found
  const opened = await services.db.inTenant(scope, async tx => {
    const user = await lockMember(tx, scope, membership.user_id)
    if (user === undefined) return undefined
    const who = { organizationId, userId: user.id, email: user.email, amr: proof.amr }
    await requireSso(tx, services, { ...who, hasFactor: proof.amr.includes('mfa'), nowMs })
    await requireStanding(tx, services, scope, { found, from: to.from, nowMs })
    const sessions = await insertSessions(tx, organizationId, modes, { ...proof, user_id: user.id }, nowMs)
    const by = { organizationId, type: 'user', id: user.id, name: user.email, sessionId: sessions[0]!.id } as const
    const entry = { action: 'organization.entered', targets: [{ type: 'organization', id: organizationId }] } as const
    await recordAudit(tx, by, { ...entry, more: { from: from.organizationId } }, to.from.asked)
    return { user, sessions }
  })
  if (opened === undefined) throw new Problem('membership_required')
  return tokensOfOpened(services, organizationId, opened, nowMs)
}

type Shown = { found: AgedProof; from: From; nowMs: number }

/**
 * What an organization asks of a login, and what the account does, asked of a login that was before.
 * @throws Problem `address_not_allowed` or `switch_needs_login`
 */
async function requireStanding(
  tx: Tx,
  { keyring }: Services,
  scope: Scope & { person: { accountId: number } },
  { found, from, nowMs }: Shown,
): Promise<void> {
  const policy = await findPolicy(tx, scope)
  if (!isAllowedAddress(from.ip, policy.allowed_addresses)) throw new Problem('address_not_allowed')
  if (found.age_seconds > Math.min(policy.session_max_hours * 3_600, sessionMaxSeconds)) {
    const message = 'The login is older than the organization allows. Log in to it: POST /v1/api/auth/login.'
    throw new Problem('switch_needs_login', { message })
  }
  const { accountId } = scope.person
  const hasFactor = (await listFactors(tx, accountId)).length > 0
  if (found.amr.includes('mfa') || (hasFactor ? found.factor_at !== null : !policy.require_second_factor)) return
  const days = policy.trust_device_days
  const [device] = from.device == null ? [] : placesOf(keyring, from.ip, from.device)
  if (hasFactor && days > 0 && device !== undefined && (await isTrustedPlace(tx, accountId, device, { nowMs, days })))
    return
  throw new Problem('switch_needs_login')
}
