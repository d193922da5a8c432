// The end of a login by an identity provider: the ticket that came back with the browser opens sessions, as any other login does, with
// what account and organization still ask for.
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { type From, findMember, type LoggedIn, type Mode, openLogin, useOnce } from '../login/index.ts'
import { tickets } from './attempt.ts'

export type SsoLogin = { ticket: string | undefined; modes: readonly Mode[]; from: From; nowMs: number }

/**
 * Opens one session a mode, in their order.
 * @throws Problem `challenge_expired`, and those of `openLogin`
 */
export async function logInBySso(
  services: Services,
  { ticket: sent, modes, from, nowMs }: SsoLogin,
): Promise<LoggedIn> {
  const ticket = tickets.open(services.keyring, sent, nowMs)
  if (ticket === undefined) throw new Problem('challenge_expired')
  if (!(await useOnce(services.db, `sso ticket ${ticket.nonce}`, new Date(ticket.until))))
    throw new Problem('challenge_expired')
  const { organizationId, userId, accountId } = ticket
  const scope = { organizationId, tenantId: 0, person: { accountId } }
  const account = await services.db.inTenant(scope, tx => findMember(tx, scope, userId))
  if (account === undefined || account.disabled) throw new Problem('challenge_expired')
  const { isStrong, authAtMs } = ticket
  const amr = isStrong ? ['sso', 'mfa'] : ['sso']
  const proof = { amr, isStrong, isVouched: isStrong, authAtMs: authAtMs ?? undefined }
  const opened = await openLogin(services, { account, modes, from, nowMs, ...proof })
  if (opened === undefined) throw new Problem('challenge_expired')
  return opened
}
