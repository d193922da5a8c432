// Logging in with a passkey alone: it says whose it is and asks who uses it, so it stands for password and second factor.
import type { Static } from 'typebox'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { type Assertion, provePasskey, requireSite } from '../factors/index.ts'
import { type From, openLogin } from './opening.ts'
import type { LoggedIn, Mode } from './session.ts'
import { countRefusal } from './sign_in.ts'
import { findMember, findPasskeyOwner } from './store.ts'

export type PasskeyLogin = {
  assertion: Static<typeof Assertion>
  /** Which organization it is for; the one used last when not said. */
  organizationId?: number | undefined
  modes: readonly Mode[]
  from: From
  nowMs: number
}

/**
 * Opens one session a mode, in their order. Tries are not counted against the account: nobody guesses a signature.
 * @throws Problem `passkeys_unavailable`, `passkey_refused`, `membership_required`, and those of `openLogin`
 */
export async function logInByPasskey(services: Services, login: PasskeyLogin): Promise<LoggedIn> {
  const { assertion, organizationId: wanted, modes, from, nowMs } = login
  const { db } = services
  requireSite(services)
  const owner = await findPasskeyOwner(db, assertion.id, wanted ?? null)
  if (owner === undefined) throw new Problem('passkey_refused')
  const { account_id: accountId, organization_id: organizationId } = owner
  const scope = { organizationId, tenantId: 0, person: { accountId } }
  // In a transaction of its own: what was used is used up, whatever becomes of the login.
  const [account, verdict] = await db.inTenant(scope, async tx => [
    await findMember(tx, scope, owner.user_id),
    await provePasskey(tx, services, { scope, userId: owner.user_id, asked: from.asked, nowMs }, assertion),
  ])
  if (account === undefined) throw new Problem('passkey_refused')
  const refused = Array.isArray(verdict) ? undefined : verdict
  if (refused !== undefined || account.disabled) {
    if (refused !== 'passkey_cloned') countRefusal(services, account, refused ?? 'user_disabled', from)
    throw new Problem('passkey_refused')
  }
  if (wanted !== undefined && organizationId !== wanted) throw new Problem('membership_required')
  const amr = verdict as string[]
  const opened = await openLogin(services, { account, modes, from, nowMs, amr, isStrong: true })
  if (opened === undefined) throw new Problem('passkey_refused')
  return opened
}
