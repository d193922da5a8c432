// The audit of invoice numbers: shows that a year's series has neither gap nor duplicate.
import { Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { dateIn } from '../../../kernel/values/clock.ts'
import { invoiceNumber } from './rules.ts'
import { auditNumbers } from './store.ts'

export const auditInvoiceNumbers = endpoint({
  id: 'invoices.number_audit',
  version: 'v1',
  category: 'Finance',
  method: 'GET',
  path: '/api/finance/invoices/number-audit',
  name: 'Audit invoice numbers',
  description:
    'Compares the invoice numbers of a year with what the series has given out. `gaps` and `duplicates` are always empty unless somebody changed the database by hand; at most 1,000 findings of each are listed.',
  permission: 'invoices:read',
  query: Type.Object({
    year: Type.Optional(
      Type.Integer({
        minimum: 1970,
        maximum: 9999,
        description: "Year of the series; this year in the organization's time zone when left out.",
      }),
    ),
  }),
  reply: Type.Object({
    year: Type.Integer(),
    lastSequence: Type.Integer({ description: 'The last sequence given out; 0 when none was.' }),
    assigned: Type.Integer({ description: 'How many invoices have a number of this year.' }),
    gaps: Type.Array(Type.Object({ from: Type.String(), to: Type.String() }), {
      description: 'Numbers given out that no invoice has, both ends included.',
    }),
    duplicates: Type.Array(Type.String(), { description: 'Numbers that more than one invoice has.' }),
  }),
  envelope: 'success',
  sample: {
    query: { year: 2026 },
    reply: { year: 2026, lastSequence: 42, assigned: 42, gaps: [], duplicates: [] },
  },
  async handle({ tx, principal, query, now }) {
    const year = query.year ?? Number(dateIn(principal.settings.timeZone, now).slice(0, 4))
    const { last, assigned, gaps, duplicates } = await auditNumbers(tx, principal, year)
    return {
      year,
      lastSequence: last,
      assigned,
      gaps: gaps.map(gap => ({ from: invoiceNumber(year, gap.first), to: invoiceNumber(year, gap.last) })),
      duplicates: duplicates.map(sequence => invoiceNumber(year, sequence)),
    }
  },
})
