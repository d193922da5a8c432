// Invoices, as lists and pages draw them; and what may be done with one as it is now, which is what the server lets happen.
import type { Invoice } from '@tandem/sdk'
import type { NounDescription, NounField, NounRecord } from '../nouns/noun.ts'

/** An invoice of a list has neither lines nor payments. */
export type ListedInvoice = Omit<Invoice, 'lines' | 'payments' | 'basis' | 'tax_rounding'>
export const invoiceOf = (record: NounRecord) => record as unknown as Invoice

/** Nobody owes what was not sent, or was cancelled. */
export const isOwed = ({ status }: Pick<Invoice, 'status'>) => status !== 'Draft' && status !== 'Cancelled'

/** Sent, and not paid in full: it waits for money. */
export const isOpen = ({ status }: Pick<Invoice, 'status'>) => status === 'Sent' || status === 'Overdue'

const customer = (part: keyof Invoice['customer']) => (record: NounRecord) => invoiceOf(record).customer[part]
type AmountName = 'amount' | 'subtotal' | 'tax_total' | 'amount_paid' | 'amount_due'
const money = (name: AmountName, label: string, about: string): NounField => ({
  name,
  label,
  kind: 'money',
  about,
  fixed: true,
  read: record => ({ amount: invoiceOf(record)[name], currency: invoiceOf(record).currency }),
})
const bounds = (name: string) => [`${name}[gte]`, `${name}[lte]`]
const when = (name: string, label: string, about: string): NounField => ({
  name,
  label,
  kind: 'moment',
  about,
  fixed: true,
})

const fields: readonly NounField[] = [
  {
    name: 'number',
    label: 'Number',
    kind: 'text',
    about: 'Given once and never to another invoice, cancelled ones included.',
    fixed: true,
    px: 150,
    sortable: true,
    filters: ['number'],
    read: record => (invoiceOf(record).number_assigned ? invoiceOf(record).number : `Draft ${record.id}`),
  },
  {
    name: 'customer',
    label: 'Customer',
    kind: 'text',
    about: 'Who is billed.',
    fixed: true,
    filters: ['customer'],
    read: customer('name'),
  },
  {
    name: 'status',
    label: 'Status',
    kind: 'state',
    about: 'Overdue is sent, past its due date, and not fully paid.',
    fixed: true,
    choices: ['Draft', 'Sent', 'Overdue', 'Paid', 'Cancelled'],
    groups: [{ value: 'Sent,Overdue', label: 'Open: sent or overdue' }],
    filters: ['status'],
  },
  { ...money('amount', 'Total', 'With tax.'), sortable: true },
  {
    ...money('amount_due', 'Still due', 'What is still to be paid of what was sent.'),
    read(record) {
      const { amount_due: amount, currency } = invoiceOf(record)
      return isOwed(invoiceOf(record)) ? { amount, currency } : null
    },
  },
  money('amount_paid', 'Paid', 'What has been paid so far.'),
  money('subtotal', 'Before tax', 'The sum of the lines.'),
  money('tax_total', 'Tax', 'The tax in the total.'),
  {
    name: 'issue_date',
    label: 'Issued',
    kind: 'date',
    about: 'The date on the invoice.',
    fixed: true,
    sortable: true,
    filters: bounds('issue_date'),
  },
  {
    name: 'due_date',
    label: 'Due date',
    kind: 'date',
    about: 'It is overdue from the day after.',
    required: true,
    px: 200,
    sortable: true,
    filters: bounds('due_date'),
  },
  { name: 'email', label: 'E-mail', kind: 'email', about: "The customer's.", fixed: true, read: customer('email') },
  {
    name: 'address',
    label: 'Address',
    kind: 'long_text',
    about: "The customer's postal address.",
    fixed: true,
    read: customer('address'),
  },
  {
    name: 'tax_id',
    label: 'Tax number',
    kind: 'text',
    about: "The customer's tax or VAT number.",
    fixed: true,
    read: customer('tax_id'),
  },
  { name: 'lead_id', label: 'Lead', kind: 'ref', of: 'lead', about: 'The lead it came from.' },
  { name: 'notes', label: 'Notes', kind: 'long_text', about: 'Shown on the invoice.', maxLength: 2_000 },
  when('sent_at', 'Sent', 'When it was sent.'),
  when('paid_at', 'Paid up', 'When the last payment arrived.'),
  when('cancelled_at', 'Cancelled', 'When it was cancelled.'),
  {
    name: 'cancel_reason',
    label: 'Why cancelled',
    kind: 'long_text',
    about: 'The reason that was given.',
    fixed: true,
  },
  { name: 'created_at', label: 'Created', kind: 'moment', about: 'When it was created.', sortable: true, fixed: true },
  { name: 'updated_at', label: 'Updated', kind: 'moment', about: 'When it was last changed.', fixed: true },
]

export const invoices: NounDescription = {
  one: 'invoice',
  many: 'invoices',
  words: { one: 'invoice', many: 'invoices' },
  about: 'What a customer is billed.',
  fields,
  title: 'number',
  columns: ['number', 'customer', 'status', 'amount', 'amount_due', 'issue_date', 'due_date'],
  facets: ['customer', 'number', 'status'],
  sort: '-created_at',
  moves: { Draft: ['Sent', 'Cancelled'], Sent: ['Paid', 'Cancelled'], Overdue: ['Paid', 'Cancelled'] },
  includes: [],
  verbs: ['create', 'update'],
  related: [],
  mayChange(record, field) {
    const { status } = invoiceOf(record)
    return status === 'Draft' || (status !== 'Cancelled' && (field === 'due_date' || field === 'notes'))
  },
}

export type Method = Invoice['payments'][number]['method']

export const methodNames: Record<Method, string> = {
  bank_transfer: 'Bank transfer',
  card: 'Card',
  cash: 'Cash',
  check: 'Check',
  direct_debit: 'Direct debit',
  other: 'Other',
}

export type InvoiceAction = 'send' | 'pay' | 'cancel'

/** What the person may do with the invoice now. */
export function actionsOf(invoice: ListedInvoice & Partial<Invoice>, permissions: ReadonlySet<string>) {
  const { status, amount, amount_paid: paid, basis = amount === 0 ? 'none' : 'lines' } = invoice
  const isWaiting = isOpen({ status })
  const may: Record<InvoiceAction, boolean> = {
    send: status === 'Draft' && basis !== 'none' && permissions.has('invoices:send'),
    pay: isWaiting && permissions.has('payments:create'),
    cancel: (isWaiting || status === 'Draft') && paid === 0 && permissions.has('invoices:cancel'),
  }
  return may
}

/** The action that brings an invoice to a status, on the board. */
export const actionTo: Readonly<Record<string, InvoiceAction>> = { Sent: 'send', Paid: 'pay', Cancelled: 'cancel' }
