// The password of somebody who is logged in, asked for again: what is worth a fresh proof.
import type { Person } from '../../../kernel/access/principal.ts'
import type { Scope } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { findOwnAccount, type OwnAccount } from './account_store.ts'
import { brakeOf, throttled } from './brake.ts'
import { passwordFits } from './password.ts'

/**
 * The account of a person whose password this is. Guesses count like those at the login.
 * @throws Problem `wrong_password` or `login_throttled`
 */
export async function confirmPassword(
  services: Services,
  scope: Scope & { person: Person },
  { password, ip, nowMs, field }: { password: string; ip: string; nowMs: number; field: string },
): Promise<OwnAccount> {
  const account = await services.db.inTenant(scope, tx => findOwnAccount(tx, scope.person.accountId))
  const brake = await brakeOf(services, { account: { account_id: account.id }, folded: '', ip, device: null, nowMs })
  if (brake.waitSeconds > 0) throw throttled(brake.waitSeconds)
  if (await passwordFits(account.password_hash, password)) return account
  await brake.failed()
  throw new Problem('wrong_password', {
    details: [{ field, code: 'wrong', message: 'is not the password of the account' }],
  })
}
