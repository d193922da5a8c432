// Invoices name the lead that they came from: when leads are merged, they name the one that stays.
import { emit } from '../../../kernel/data/events.ts'
import { idsOf, ownIdOf } from '../../../kernel/noun/record_ids.ts'
import { type Follower, tableNamed } from '../../../kernel/noun/registry.ts'
import { dateIn } from '../../../kernel/values/clock.ts'
import { invoiceEvents } from './present.ts'
import { changeInvoice, lockInvoicesOfLeads } from './store.ts'

const ofLead: Follower = {
  of: 'lead',
  async follow(tx, principal, ids, into, nowMs) {
    const { spec } = tableNamed('lead')
    const own = (id: string) => Number(ownIdOf(idsOf(spec), id))
    const today = dateIn(principal.settings.timeZone, nowMs)
    for (const id of await lockInvoicesOfLeads(tx, principal, ids.map(own))) {
      const row = await changeInvoice(tx, principal, id, { lead_id: own(into) }, 1)
      await emit(tx, principal, ...invoiceEvents(row, today, [{ type: 'invoice.updated' }]))
    }
  },
}

export const followers: readonly Follower[] = [ofLead]
