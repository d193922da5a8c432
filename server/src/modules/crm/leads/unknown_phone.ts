// A lead of somebody of whom nothing is known but a telephone number: who wrote or called, and is nobody's lead yet.
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { creationOf, insertLead, newRow } from './creation_store.ts'
import type { LeadRow } from './rules.ts'
import { findLeadsByPhone, lockContact, nextLeadId } from './store.ts'

/** Stands in the history of a lead where the number of a user would: nobody made it, it occurred. */
const nobody = 0

/**
 * Adds a lead with this number (E.164 with +) in the given transaction, with status and event as if it had been created by
 * hand; undefined when a lead has the number already, whatever the organization thinks of duplicates. Of transactions that
 * do this at the same time, or are about to refuse duplicates, only one comes to pass.
 * @param source where it came from, such as `sms`
 */
export async function addLeadOfPhone(
  tx: Tx,
  scope: Scope,
  { phone, source }: { phone: string; source: string },
  nowMs: number,
): Promise<LeadRow | undefined> {
  if ((await findLeadsByPhone(tx, scope, phone)).length > 0) return undefined
  await lockContact(tx, scope, { email: null, phone })
  if ((await findLeadsByPhone(tx, scope, phone)).length > 0) return undefined
  const id = await nextLeadId(tx)
  const unknown = { email: null, company: null, owner_id: null, notes: null, priority: 'Warm' } as const
  const row = newRow({ ...unknown, name: phone, phone, source }, id, scope, nowMs)
  const created = await insertLead(tx, creationOf(row, { organizationId: scope.organizationId, userId: nobody }))
  if (created.outcome !== 'created') throw new Error(`a lead without owner and key was not created: ${created.outcome}`)
  return row
}
