// Leads name companies and contacts: when these are merged, leads name the one that stays; when they are removed
// for good, none.
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import type { Follower } from '../../../kernel/noun/registry.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { type LeadRow, presentLead } from './rules.ts'
import { changeLead, lockLeadsNaming } from './store.ts'

const follower = (of: string, column: 'company_id' | 'contact_id'): Follower => ({
  of,
  async follow(tx, principal, ids, into, nowMs) {
    await nameInstead(tx, principal, await lockLeadsNaming(tx, principal, column, ids), { [column]: into }, nowMs)
  },
  async empty(tx, scope, ids, limit, nowMs) {
    const leads = await lockLeadsNaming(tx, scope, column, ids, limit)
    await nameInstead(tx, scope, leads, { [column]: null }, nowMs)
    return leads.length
  },
})

type Named = Partial<Pick<LeadRow, 'company_id' | 'contact_id'>>

async function nameInstead(tx: Tx, scope: Scope, leads: readonly LeadRow[], named: Named, nowMs: number) {
  for (const lead of leads) {
    const changed = await changeLead(tx, lead, named, isoMs(nowMs))
    await emit(tx, scope, { type: 'lead.updated', resourceId: lead.id, data: presentLead(changed) })
  }
}

export const followers: readonly Follower[] = [follower('company', 'company_id'), follower('contact', 'contact_id')]
