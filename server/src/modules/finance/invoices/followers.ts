// Invoices name the lead that they came from: when leads are merged, they name the one that stays; when it is removed for good, none.
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import { idsOf, ownIdOf } from '../../../kernel/noun/record_ids.ts'
import { type Follower, tableNamed } from '../../../kernel/noun/registry.ts'
import { dateIn } from '../../../kernel/values/clock.ts'
import { invoiceEvents } from './present.ts'
import { changeInvoice, lockInvoicesOfLeads, zoneOf } from './store.ts'

const own = (id: string) => Number(ownIdOf(idsOf(tableNamed('lead').spec), id))

const ofLead: Follower = {
  of: 'lead',
  async follow(tx, principal, ids, into, nowMs) {
    const today = dateIn(principal.settings.timeZone, nowMs)
    await nameLead(tx, principal, await lockInvoicesOfLeads(tx, principal, ids.map(own)), own(into), today)
  },
  /** The foreign key would empty those that are left, which is no change that anybody sees. */
  async empty(tx, scope, ids, limit, nowMs) {
    const invoices = await lockInvoicesOfLeads(tx, scope, ids.map(own), limit)
    if (invoices.length > 0) await nameLead(tx, scope, invoices, null, dateIn(await zoneOf(tx, scope), nowMs))
    return invoices.length
  },
}

async function nameLead(tx: Tx, scope: Scope, invoices: readonly number[], leadId: number | null, today: string) {
  for (const id of invoices) {
    const row = await changeInvoice(tx, scope, id, { lead_id: leadId }, 1)
    await emit(tx, scope, ...invoiceEvents(row, today, [{ type: 'invoice.updated' }]))
  }
}

export const followers: readonly Follower[] = [ofLead]
