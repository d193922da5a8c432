// What the invoices of a list come to: what is shown above it, and what somebody wants to know who asks what they are owed.
import { Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { DateOnly, OneOf } from '../../../kernel/endpoint/schema.ts'
import { addDays } from '../../../kernel/values/clock.ts'
import { asOfToday } from './calendar_store.ts'
import { filterFaults, filterOf, filterQuery } from './list_endpoint.ts'
import { statuses } from './rules.ts'
import { addUpInvoices } from './totals_store.ts'

/** What is due within so many days is due soon. */
export const soonDays = 7

const sumFields = {
  currency: Type.String({ description: 'ISO 4217 code.' }),
  invoices: Type.Integer({ minimum: 0, description: 'How many there are.' }),
  amount: Type.Number({ description: 'What they come to, with tax, in the major unit of the currency.' }),
  amount_paid: Type.Number({ description: 'What has been paid of it.' }),
  amount_due: Type.Number({ description: 'What is still to be paid of those that are Sent or Overdue; 0 for others.' }),
}

const sampleSum = { currency: 'USD', invoices: 3, amount: 5355, amount_paid: 500, amount_due: 4855 }

export const getInvoiceTotals = endpoint({
  id: 'invoices.totals',
  version: 'v1',
  category: 'Finance',
  method: 'GET',
  path: '/api/finance/invoices/totals',
  name: 'Get totals of invoices',
  description: `What the invoices of a list come to, by currency and status, exact at every moment: with the same filters as the list. \`due_soon\` is what of them is not overdue and due within ${soonDays} days. Filtered by nothing but status it is quick however many invoices there are; with other filters they are added up.`,
  permission: 'invoices:read',
  query: Type.Object(filterQuery),
  reply: Type.Object({
    today: { ...DateOnly, description: "The day in the organization's time zone, by which Overdue goes." },
    due_soon_until: { ...DateOnly, description: 'The last day of what is due soon.' },
    totals: Type.Array(Type.Object({ status: OneOf(statuses), ...sumFields }), {
      description: 'The most invoices first; none where there are none.',
    }),
    due_soon: Type.Array(Type.Object(sumFields)),
  }),
  envelope: 'success',
  transaction: 'none',
  sample: {
    query: { status: 'Sent,Overdue' },
    reply: {
      today: '2026-11-30',
      due_soon_until: '2026-12-07',
      totals: [{ status: 'Sent', ...sampleSum }],
      due_soon: [{ ...sampleSum, invoices: 1, amount: 1785, amount_due: 1285 }],
    },
  },
  check: ({ query }) => filterFaults(query),
  handle: ({ principal, query, now, services }) =>
    asOfToday(services, principal, now, async today => {
      const until = addDays(today, soonDays)
      const found = await services.db.inTenant(principal, tx =>
        addUpInvoices(tx, principal, filterOf(query), { today, until }),
      )
      return found && { today, due_soon_until: until, totals: found.totals, due_soon: found.dueSoon }
    }),
})
