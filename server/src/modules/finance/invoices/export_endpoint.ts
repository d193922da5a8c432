// The list of invoices as a file for spreadsheets and bookkeeping: all that its filters let through, in its order, read a page at a time
// while it is sent.
import { Readable } from 'node:stream'
import { type Static, Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import { CsvBytes, csvFile, csvHead, csvQuery } from '../../../kernel/endpoint/csv_file.ts'
import { endpoint, type Services } from '../../../kernel/endpoint/endpoint.ts'
import { SortBy, sortOf } from '../../../kernel/endpoint/list_query.ts'
import type { CursorKey } from '../../../kernel/endpoint/page.ts'
import type { FileReply } from '../../../kernel/endpoint/reply.ts'
import { csvLine, defused } from '../../../kernel/values/csv.ts'
import { asOfToday } from './calendar_store.ts'
import { filterFaults, filterOf, filterQuery } from './list_endpoint.ts'
import { type FoundPage, findPage, sortFields } from './list_store.ts'
import { type PublicInvoice, sampleInvoice } from './present.ts'

const Query = Type.Object({
  ...filterQuery,
  sort: Type.Optional(SortBy(sortFields, '-created_at')),
  ...csvQuery,
})
type Query = Static<typeof Query>

type Value = string | number | null
/** Texts that people wrote are no formulas to a spreadsheet. */
type Column = readonly [name: string, label: string, value: (invoice: PublicInvoice) => Value, isWritten?: 'written']

const isOpen = ({ status }: PublicInvoice) => status === 'Sent' || status === 'Overdue'

const columns: readonly Column[] = [
  ['id', 'ID', invoice => invoice.id],
  ['number', 'Number', invoice => (invoice.number_assigned ? invoice.number : null)],
  ['status', 'Status', invoice => invoice.status],
  ['issue_date', 'Issued', invoice => invoice.issue_date],
  ['due_date', 'Due date', invoice => invoice.due_date],
  ['customer.name', 'Customer', invoice => invoice.customer.name, 'written'],
  ['customer.email', 'E-mail', invoice => invoice.customer.email, 'written'],
  ['customer.address', 'Address', invoice => invoice.customer.address, 'written'],
  ['customer.tax_id', 'Tax number', invoice => invoice.customer.tax_id, 'written'],
  ['currency', 'Currency', invoice => invoice.currency],
  ['subtotal', 'Before tax', invoice => invoice.subtotal],
  ['tax_total', 'Tax', invoice => invoice.tax_total],
  ['amount', 'Total', invoice => invoice.amount],
  ['amount_paid', 'Paid', invoice => invoice.amount_paid],
  // Nothing is due of what was not sent, or was cancelled.
  ['amount_due', 'Still due', invoice => (isOpen(invoice) ? invoice.amount_due : 0)],
  ['lead_id', 'Lead', invoice => invoice.lead_id],
  ['sent_at', 'Sent at', invoice => invoice.sent_at],
  ['paid_at', 'Paid at', invoice => invoice.paid_at],
  ['cancelled_at', 'Cancelled at', invoice => invoice.cancelled_at],
  ['cancel_reason', 'Why cancelled', invoice => invoice.cancel_reason, 'written'],
  ['notes', 'Notes', invoice => invoice.notes, 'written'],
  ['created_at', 'Created at', invoice => invoice.created_at],
  ['updated_at', 'Updated at', invoice => invoice.updated_at],
]

function lineOf(invoice: PublicInvoice): string {
  return csvLine(
    columns.map(([, , value, isWritten]) => {
      const text = String(value(invoice) ?? '')
      return isWritten ? defused(text) : text
    }),
  )
}

const heads = columns.map(([name, label]) => ({ name, label }))

const atOnce = 1_000

export const exportInvoices = endpoint({
  id: 'invoices.export',
  version: 'v1',
  category: 'Finance',
  method: 'GET',
  path: '/api/finance/invoices/export',
  name: 'Export invoices',
  description:
    'All invoices that the filters let through, as CSV (RFC 4180, UTF-8) in the order of the list: customer, dates, and what each comes to, with `amount_due` 0 where nothing is owed. Sent while it is read, so it may be of any length; an invoice that changes meanwhile is as it was or as it is. A text that a spreadsheet would take for a formula has an apostrophe in front.',
  permission: 'invoices:read',
  whileSuspended: true,
  audit: 'invoice.exported',
  logBody: 'refusals',
  envelope: 'file',
  mediaType: 'text/csv',
  hasRanges: false,
  transaction: 'none',
  query: Query,
  reply: CsvBytes,
  check: ({ query }) => filterFaults(query),
  sample: { query: { 'issue_date[gte]': '2026-11-01' }, reply: csvHead(heads, {}) + lineOf(sampleInvoice) },
  async handle({ query, principal, now, services }): Promise<FileReply> {
    return csvFile('invoices', now, () => linesOf(services, principal, query))
  },
})

type PageServices = Pick<Services, 'db' | 'clock'>

/** @throws what the first page does, before anything is sent */
async function linesOf(services: PageServices, principal: Principal, query: Query): Promise<Readable> {
  const first = await readPage(services, principal, query, null)
  async function* lines() {
    yield csvHead(heads, query)
    for (let page = first; ; page = await readPage(services, principal, query, page.next)) {
      const invoices: PublicInvoice[] = JSON.parse(`[${page.items}]`)
      if (invoices.length > 0) yield invoices.map(lineOf).join('')
      if (page.next === null) return
    }
  }
  return Readable.from(lines(), { objectMode: false })
}

/** Each page has a transaction of its own: how fast its reader is keeps no connection. */
function readPage(
  services: PageServices,
  principal: Principal,
  query: Query,
  after: CursorKey | null,
): Promise<FoundPage> {
  const sort = sortOf(query.sort ?? '-created_at', sortFields)
  const request = { filter: filterOf(query), sort, limit: atOnce, offset: 0, after, counts: false }
  return asOfToday(services, principal, services.clock.now(), today => findPage(services.db, principal, today, request))
}
