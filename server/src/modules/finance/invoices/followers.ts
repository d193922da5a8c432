// Invoices name the lead that they came from: when leads are merged, they name the one that stays; when it is removed for good, none.
import { emit } from '../../../kernel/data/events.ts'
import { idsOf, ownIdOf } from '../../../kernel/noun/record_ids.ts'
import { type Follower, tableNamed } from '../../../kernel/noun/registry.ts'
import { dateIn } from '../../../kernel/values/clock.ts'
import { invoiceEvents } from './present.ts'
import { changeInvoice, lockInvoicesOfLeads } from './store.ts'

const own = (id: string) => Number(ownIdOf(idsOf(tableNamed('lead').spec), id))

const ofLead: Follower = {
  of: 'lead',
  async follow(tx, principal, ids, into, nowMs) {
    const today = dateIn(principal.settings.timeZone, nowMs)
    for (const id of await lockInvoicesOfLeads(tx, principal, ids.map(own))) {
      const row = await changeInvoice(tx, principal, id, { lead_id: own(into) }, 1)
      await emit(tx, principal, ...invoiceEvents(row, today, [{ type: 'invoice.updated' }]))
    }
  },
  /** The foreign key empties them lead by lead; here they are locked before, in the order of their ids. */
  async empty(tx, scope, ids) {
    await lockInvoicesOfLeads(tx, scope, ids.map(own))
    return 0
  },
}

export const followers: readonly Follower[] = [ofLead]
