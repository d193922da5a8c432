// The lead that an invoice came from. As what records name, it is held until the commit: it is merged or moved to the trash after, and
// what was before is named no more.
import type { Principal } from '../../../kernel/access/principal.ts'
import { constraintOf, type Tx } from '../../../kernel/data/db.ts'
import { idsOf, recordIdOf } from '../../../kernel/noun/record_ids.ts'
import { tableNamed, targetNamed } from '../../../kernel/noun/registry.ts'
import { Problem } from '../../../kernel/values/problem.ts'

/** Holds a lead, where there is one to hold. It goes before all locks of invoices. @returns whether it may be named */
export async function holdLead(tx: Tx, principal: Principal, id: number | null | undefined): Promise<boolean> {
  if (id === null || id === undefined) return true
  const named = recordIdOf(idsOf(tableNamed('lead').spec), id)
  return (await targetNamed('lead').facts(tx, principal, [named])).has(named)
}

export function leadNotFound(): Problem {
  const message = 'is no lead of this organization and mode that you see, or is in the trash'
  return new Problem('lead_not_found', { details: [{ field: 'lead_id', code: 'not_found', message }] })
}

/** One that was never there fails on the foreign key first. */
export async function leadChecked<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    throw constraintOf(error) === 'invoices_lead' ? leadNotFound() : error
  }
}
