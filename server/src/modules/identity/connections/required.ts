// Who has to come by the identity provider of an organization.
import type { Tx } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { speaksFor } from '../domains/index.ts'
import { isKeptIn } from '../members/index.ts'
import { addressesOf } from './endpoints.ts'
import { findWorking, isLastWayIn } from './store.ts'

/**
 * Refuses a login that was proved otherwise, where the organization asks for its provider. It does so of people at its verified
 * domains, for whom the provider speaks; others would not get in at all. On the day when the provider is down somebody always gets in:
 * where no Admin is left who is named for that, the owner. Who can take the ownership back, or just did, gets in with a second factor of their
 * own: the provider may be in the hands of who has it now.
 * @returns whether that factor must be proved in this very login
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
    hasFactor,
    nowMs,
  }: {
    organizationId: number
    userId: number
    email: string
    amr: readonly string[]
    hasFactor: boolean
    nowMs: number
  },
): Promise<boolean> {
  if (amr.includes('sso')) return false
  const connection = await findWorking(tx, { organizationId })
  if (connection?.status !== 'enforced' || connection.break_glass.includes(userId)) return false
  if (!(await speaksFor(tx, { organizationId }, email))) return false
  if (await isLastWayIn(tx, { organizationId }, userId, connection.break_glass)) return false
  if (hasFactor && (await isKeptIn(tx, { organizationId }, userId, nowMs))) return true
  const ssoUrl = addressesOf(services, connection.id).startUrl
  throw new Problem('sso_required', {
    message: `The organization lets its people in by ${connection.name} only. Open ${ssoUrl} in a browser.`,
    also: { ssoUrl },
  })
}
