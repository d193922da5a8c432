// Invoices, as lists and pages draw them; and what may be done with one as it is now, which is what the server lets happen.
import type { Invoice } from '@tandem/sdk'
import type { NounDescription, NounField, NounRecord, Said } from '../nouns/noun.ts'
import { t } from './texts.ts'

/** An invoice of a list has neither lines nor payments. */
export type ListedInvoice = Omit<Invoice, 'lines' | 'payments' | 'basis' | 'tax_rounding'>
export const invoiceOf = (record: NounRecord) => record as unknown as Invoice

/** Nobody owes what was not sent, or was cancelled. */
export const isOwed = ({ status }: Pick<Invoice, 'status'>) => status !== 'Draft' && status !== 'Cancelled'

/** Sent, and not paid in full: it waits for money. */
export const isOpen = ({ status }: Pick<Invoice, 'status'>) => status === 'Sent' || status === 'Overdue'

type Described = Omit<NounField, 'label' | 'about'>

const customer = (part: keyof Invoice['customer']) => (record: NounRecord) => invoiceOf(record).customer[part]
type AmountName = 'amount' | 'subtotal' | 'tax_total' | 'amount_paid' | 'amount_due'
const money = (name: AmountName): Described => ({
  name,
  kind: 'money',
  fixed: true,
  read: record => ({ amount: invoiceOf(record)[name], currency: invoiceOf(record).currency }),
})
const bounds = (name: string) => [`${name}[gte]`, `${name}[lte]`]
const when = (name: string): Described => ({ name, kind: 'moment', fixed: true })

/** What they are called stands in the messages of this folder. */
const fields: readonly Described[] = [
  {
    name: 'number',
    kind: 'text',
    fixed: true,
    px: 150,
    sortable: true,
    filters: ['number'],
    read: record => (invoiceOf(record).number_assigned ? invoiceOf(record).number : t('draft', { id: record.id })),
  },
  {
    name: 'customer',
    kind: 'text',
    fixed: true,
    filters: ['customer', 'customer[is]'],
    read: customer('name'),
  },
  {
    name: 'status',
    kind: 'state',
    fixed: true,
    choices: ['Draft', 'Sent', 'Overdue', 'Paid', 'Cancelled'],
    groups: [{ value: 'Sent,Overdue', label: '' }],
    filters: ['status'],
  },
  { ...money('amount'), sortable: true },
  {
    ...money('amount_due'),
    read(record) {
      const { amount_due: amount, currency } = invoiceOf(record)
      return isOwed(invoiceOf(record)) ? { amount, currency } : null
    },
  },
  money('amount_paid'),
  money('subtotal'),
  money('tax_total'),
  {
    name: 'issue_date',
    kind: 'date',
    fixed: true,
    sortable: true,
    filters: bounds('issue_date'),
  },
  {
    name: 'due_date',
    kind: 'date',
    required: true,
    px: 200,
    sortable: true,
    filters: bounds('due_date'),
  },
  { name: 'email', kind: 'email', fixed: true, read: customer('email') },
  {
    name: 'address',
    kind: 'long_text',
    fixed: true,
    read: customer('address'),
  },
  {
    name: 'tax_id',
    kind: 'text',
    fixed: true,
    read: customer('tax_id'),
  },
  { name: 'lead_id', kind: 'ref', of: 'lead' },
  { name: 'notes', kind: 'long_text', maxLength: 2_000 },
  when('sent_at'),
  when('paid_at'),
  when('cancelled_at'),
  {
    name: 'cancel_reason',
    kind: 'long_text',
    fixed: true,
  },
  { name: 'created_at', kind: 'moment', sortable: true, fixed: true },
  { name: 'updated_at', kind: 'moment', fixed: true },
]

const said: Said = {
  name: what => t.of('noun', what),
  field: name => t.of('field', name),
  hint: name => t.of('hint', name),
  choice: (field, value) => t.of('choice', `${field}.${value}`),
}

export const statusText = (status: string): string => said.choice('status', status) ?? status

const titleField = 'number'

export const invoices: NounDescription = {
  one: 'invoice',
  many: 'invoices',
  words: { one: 'invoice', many: 'invoices' },
  about: '',
  said,
  fields: fields.map(field => ({ ...field, label: field.name, about: '' })),
  title: titleField,
  columns: ['number', 'customer', 'status', 'amount', 'amount_due', 'issue_date', 'due_date'],
  facets: ['customer', 'number', 'status'],
  sort: '-created_at',
  moves: { Draft: ['Sent', 'Cancelled'], Sent: ['Paid', 'Cancelled'], Overdue: ['Paid', 'Cancelled'] },
  includes: [],
  verbs: ['create', 'update', 'export'],
  exportsAll: true,
  related: [],
  mayChange(record, field) {
    const { status } = invoiceOf(record)
    return status === 'Draft' || (status !== 'Cancelled' && (field === 'due_date' || field === 'notes'))
  },
}

export type Payment = Invoice['payments'][number]
export type Method = Payment['method']

export const methods: readonly Method[] = ['bank_transfer', 'card', 'cash', 'check', 'direct_debit', 'other']

export const methodName = (method: Method): string => t.of('method', method) ?? method.replaceAll('_', ' ')

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

/** Whether the person may take a payment back: one that counts. */
export const mayReverse = ({ reversed_at: at }: Payment, permissions: ReadonlySet<string>) =>
  at === null && permissions.has('payments:reverse')

/** The action that brings an invoice to a status, on the board. */
export const actionTo: Readonly<Record<string, InvoiceAction>> = { Sent: 'send', Paid: 'pay', Cancelled: 'cancel' }
