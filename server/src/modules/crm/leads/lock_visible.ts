// The lead that a change is about.
import type { Context } from '../../../kernel/endpoint/endpoint.ts'
import { requireVersion } from '../../../kernel/endpoint/record.ts'
import { type LeadRow, maySee } from './rules.ts'
import { lockLead } from './store.ts'

/** A lead, locked, that the caller sees and that is at the version named in If-Match. */
export async function lockVisible(
  { tx, principal, ifMatch }: Pick<Context<unknown, unknown, unknown>, 'tx' | 'principal' | 'ifMatch'>,
  id: number,
  deleted: 'present' | 'any' = 'present',
): Promise<LeadRow> {
  const lead = await lockLead(tx, principal, id)
  const isThere = lead !== undefined && (deleted === 'any' || lead.deleted_at === null)
  return requireVersion(isThere && maySee(principal, lead) ? lead : undefined, ifMatch)
}
