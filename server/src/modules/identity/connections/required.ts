// Who has to come by the identity provider of an organization.
import type { Tx } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { speaksFor } from '../domains/index.ts'
import { addressesOf } from './endpoints.ts'
import { findWorking, isLastWayIn } from './store.ts'

/**
 * Refuses a login that was proved otherwise, where the organization asks for its provider. It does so of people at its verified
 * domains, for whom the provider speaks; others would not get in at all. On the day when the provider is down somebody always gets in:
 * where no Admin is left who is named for that, the owner.
 * @throws Problem `sso_required`
 */
export async function requireSso(
  tx: Tx,
  services: Pick<Services, 'ownAddress'>,
  {
    organizationId,
    userId,
    email,
    amr,
  }: { organizationId: number; userId: number; email: string; amr: readonly string[] },
): Promise<void> {
  if (amr.includes('sso')) return
  const connection = await findWorking(tx, { organizationId })
  if (connection?.status !== 'enforced' || connection.break_glass.includes(userId)) return
  if (!(await speaksFor(tx, { organizationId }, email))) return
  if (await isLastWayIn(tx, { organizationId }, userId, connection.break_glass)) return
  const ssoUrl = addressesOf(services, connection.id).startUrl
  throw new Problem('sso_required', {
    message: `The organization lets its people in by ${connection.name} only. Open ${ssoUrl} in a browser.`,
    also: { ssoUrl },
  })
}
