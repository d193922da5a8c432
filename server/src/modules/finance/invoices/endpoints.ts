// Invoices: draft, read, change, send, cancel. What is issued keeps its figures and its number. Their list and the audit of
// their numbers stand beside this file.
import { Type } from 'typebox'
import { emit } from '../../../kernel/data/events.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { requireRecord, requireVersion } from '../../../kernel/endpoint/record.ts'
import { IntegerId } from '../../../kernel/endpoint/schema.ts'
import { addDays, dateIn, isDate, isoMs } from '../../../kernel/values/clock.ts'
import { type FieldFault, invalid, Problem } from '../../../kernel/values/problem.ts'
import { writeInvoice } from '../invoice_writes.ts'
import { listPayments, presentPayment } from '../payments/index.ts'
import { exportInvoices } from './export_endpoint.ts'
import { listAllInvoices } from './list_endpoint.ts'
import { holdLead, leadChecked, leadNotFound } from './named_lead.ts'
import { auditInvoiceNumbers } from './number_audit_endpoint.ts'
import {
  customerName,
  customerRest,
  type EventDraft,
  Invoice,
  InvoiceWithLines,
  invoiceEvents,
  invoiceFields,
  presentInvoice,
  presentWhole,
  reasonOf,
  sampleInvoice,
  sampleWhole,
} from './present.ts'
import {
  calculateTotals,
  cleanCustomer,
  defaultDueDays,
  moved,
  mustEmitOverdue,
  statusOn,
  validateChange,
} from './rules.ts'
import {
  changeInvoice,
  findInvoice,
  holdCalendar,
  type InvoiceChange,
  type InvoiceRow,
  insertInvoice,
  insertLines,
  listLines,
  lockInvoice,
  removeLines,
} from './store.ts'
import { getInvoiceTotals } from './totals_endpoint.ts'

const InvoiceParams = Type.Object({ id: IntegerId })
const dueDate = 'YYYY-MM-DD; the invoice is overdue from the day after.'
const DueDate = Type.String({ format: 'date', description: dueDate })

/** What the schema cannot say of a date: PostgreSQL knows no year 0. */
function dateFaults(field: string, date: string | undefined): FieldFault[] {
  return date === undefined || isDate(date) ? [] : [{ field, code: 'wrong_format', message: 'must be a calendar date' }]
}

export const createInvoice = endpoint({
  id: 'invoices.create',
  version: 'v1',
  category: 'Finance',
  method: 'POST',
  path: '/api/finance/invoices',
  name: 'Create an invoice',
  description:
    "Makes a Draft from lines (quantity, unit price, tax rate) or a plain amount. Its number is taken at once, without gaps, in the series of the year it is in the organization's time zone; with the setting `on_issue` the draft shows sequence 000000 until it is sent. A draft is never deleted, only cancelled, so that its number stays explained.",
  permission: 'invoices:create',
  bodyLimit: 256 * 1024,
  body: Type.Object({
    customer: Type.Object({ name: customerName, ...customerRest }),
    due_date: Type.Optional({ ...DueDate, description: `${dueDate} ${defaultDueDays} days from now when left out.` }),
    ...invoiceFields,
  }),
  reply: Type.Object({ invoice: InvoiceWithLines }),
  envelope: 'success',
  status: 201,
  transaction: 'none',
  versioned: true,
  problems: ['lead_not_found'],
  sample: {
    body: {
      customer: { name: 'Analytical Engines Ltd', email: 'accounts@example.com' },
      due_date: '2026-12-05',
      lines: [{ description: 'Consulting, November', quantity: 12.5, unit_price: 120, tax_rate: 19 }],
    },
    reply: { invoice: sampleWhole },
  },
  check: ({ body }) => dateFaults('due_date', body.due_date),
  async handle(context) {
    const { principal, body, now } = context
    const { settings } = principal
    const {
      currency = settings.currency,
      tax_rounding = 'per_rate',
      lines,
      amount,
      lead_id = null,
      notes = null,
    } = body
    const calculated = calculateTotals({ currency, tax_rounding, lines, amount })
    if (!calculated.ok) throw invalid(...calculated.faults)
    const { sum } = calculated
    const today = dateIn(settings.timeZone, now)
    const { name, email = null, address = null, tax_id = null } = cleanCustomer(body.customer)
    const invoice = {
      sum,
      tax_rounding,
      customer: { name, email, address, tax_id },
      lead_id,
      notes,
      issue_date: today,
      due_date: body.due_date ?? addDays(today, defaultDueDays),
      numbered: settings.invoiceNumbering === 'on_create',
    }
    return writeInvoice(context, async tx => {
      const [isLeadThere, row] = await Promise.all([
        holdLead(tx, principal, lead_id),
        leadChecked(insertInvoice(tx, principal, invoice)),
      ])
      if (!isLeadThere) throw leadNotFound()
      await Promise.all([
        insertLines(tx, principal, row.id, sum.lines),
        emit(tx, principal, ...invoiceEvents(row, today, [{ type: 'invoice.created' }])),
      ])
      return { reply: { invoice: presentWhole(row, today, sum.lines, []) }, version: row.version }
    })
  },
})

export const getInvoice = endpoint({
  id: 'invoices.get',
  version: 'v1',
  category: 'Finance',
  method: 'GET',
  path: '/api/finance/invoices/{id}',
  name: 'Get an invoice',
  description: 'One invoice with its lines and payments, and an ETag for a later change.',
  permission: 'invoices:read',
  params: InvoiceParams,
  reply: Type.Object({ invoice: InvoiceWithLines }),
  envelope: 'success',
  versioned: true,
  problems: ['not_found'],
  sample: { params: { id: 412 }, reply: { invoice: sampleWhole } },
  async handle({ tx, principal, params, now, setVersion }) {
    const [row, lines, payments] = await Promise.all([
      findInvoice(tx, principal, params.id).then(requireRecord),
      listLines(tx, principal, params.id),
      listPayments(tx, principal, params.id),
    ])
    setVersion(row.version)
    const today = dateIn(principal.settings.timeZone, now)
    return { invoice: presentWhole(row, today, lines, payments.map(presentPayment)) }
  },
})

export const updateInvoice = endpoint({
  id: 'invoices.update',
  version: 'v1',
  category: 'Finance',
  method: 'PATCH',
  path: '/api/finance/invoices/{id}',
  name: 'Update an invoice',
  description:
    'Changes a Draft; fields that are left out stay. `customer` is merged field by field, `lines` replace all lines, and lines and a plain amount replace each other. Once issued, only `due_date` and `notes` can change; a later due date makes an Overdue invoice Sent again. A Cancelled invoice is final.',
  permission: 'invoices:update',
  bodyLimit: 256 * 1024,
  params: InvoiceParams,
  body: Type.Object({
    customer: Type.Optional(Type.Object({ name: Type.Optional(customerName), ...customerRest }, { minProperties: 1 })),
    due_date: Type.Optional(DueDate),
    ...invoiceFields,
  }),
  reply: Type.Object({ invoice: InvoiceWithLines }),
  envelope: 'success',
  versioned: true,
  problems: ['not_found', 'invoice_locked', 'lead_not_found'],
  sample: {
    params: { id: 412 },
    body: { due_date: '2026-12-19', notes: 'Thank you for your business.' },
    reply: {
      invoice: {
        ...sampleWhole,
        due_date: '2026-12-19',
        notes: 'Thank you for your business.',
        updated_at: '2026-11-21T09:02:11.480Z',
        version: 2,
      },
    },
  },
  check: ({ body }) => dateFaults('due_date', body.due_date),
  async handle({ tx, principal, params: { id }, body, now, ifMatch, setVersion }) {
    const today = dateIn(principal.settings.timeZone, now)
    const [isLeadThere, asOf = today, before, lines, payments] = await Promise.all([
      holdLead(tx, principal, body.lead_id),
      body.due_date === undefined ? today : holdCalendar(tx, principal),
      lockInvoice(tx, principal, id).then(row => requireVersion(row, ifMatch)),
      listLines(tx, principal, id),
      listPayments(tx, principal, id),
    ])
    const change = body.customer === undefined ? body : { ...body, customer: cleanCustomer(body.customer) }
    const verdict = validateChange(before, lines, change)
    if (!verdict.ok) throw invalid(...verdict.faults)
    // What stays as it is may name who is gone.
    if (!isLeadThere && verdict.fields.lead_id !== undefined) throw leadNotFound()
    const row = verdict.changed ? await write(verdict) : before
    setVersion(row.version)
    return { invoice: presentWhole(row, today, verdict.sum?.lines ?? lines, payments.map(presentPayment)) }

    async function write({ fields, sum }: Extract<typeof verdict, { ok: true }>): Promise<InvoiceRow> {
      const { customer, ...plain } = fields
      const after = { ...before, ...plain }
      const drafts: EventDraft[] = [{ type: 'invoice.updated' }]
      const [was, is] = [statusOn(before, today), statusOn(after, today)]
      if (was !== is) drafts[0] = { type: 'invoice.updated', previousStatus: was }
      const turnsOverdue = mustEmitOverdue(after, today)
      if (turnsOverdue) drafts.push({ type: 'invoice.overdue', previousStatus: was })
      const { lines: newLines, ...figures } = sum ?? { lines: undefined }
      const changing = changeInvoice(
        tx,
        principal,
        id,
        {
          ...plain,
          ...figures,
          ...(customer === undefined ? {} : { customer: JSON.stringify(customer) }),
          ...(fields.due_date === undefined ? {} : { listed_status: statusOn(after, asOf) }),
          ...(turnsOverdue ? { overdue_emitted_for: after.due_date } : {}),
        },
        drafts.length,
      )
      const row = await leadChecked(changing)
      const events = emit(tx, principal, ...invoiceEvents(row, today, drafts))
      if (newLines === undefined) await events
      else await Promise.all([removeLines(tx, principal, id), insertLines(tx, principal, id, newLines), events])
      return row
    }
  },
})

export const sendInvoice = endpoint({
  id: 'invoices.send',
  version: 'v1',
  category: 'Finance',
  method: 'POST',
  path: '/api/finance/invoices/{id}/send',
  name: 'Send an invoice',
  description:
    'Issues a Draft: from now on its figures, customer and number stay as they are, and it waits for payment as Sent (Overdue when its due date has passed). An invoice with a total of zero is Paid at once. A draft without a number takes its number now, with today as its issue date.',
  permission: 'invoices:send',
  params: InvoiceParams,
  reply: Type.Object({ invoice: Invoice }),
  envelope: 'success',
  transaction: 'none',
  versioned: true,
  problems: ['not_found', 'invalid_transition', 'empty_invoice'],
  sample: {
    params: { id: 412 },
    reply: { invoice: { ...sampleInvoice, status: 'Sent', sent_at: '2026-11-21T09:15:00.000Z', version: 2 } },
  },
  async handle(context) {
    const { principal, params, now, ifMatch } = context
    const today = dateIn(principal.settings.timeZone, now)
    return writeInvoice(context, async tx => {
      const [asOf = today, before] = await Promise.all([
        holdCalendar(tx, principal),
        lockInvoice(tx, principal, params.id).then(row => requireVersion(row, ifMatch)),
      ])
      const sent = moved(before.state, 'issue', 'be sent')
      if (before.basis === 'none') throw new Problem('empty_invoice')
      const settled = before.total_minor === 0
      const after = { ...before, state: settled ? moved(sent, 'settle', 'be paid') : sent }
      const overdue = mustEmitOverdue(after, today)
      const drafts: EventDraft[] = [{ type: 'invoice.sent', previousStatus: 'Draft' }]
      if (overdue) drafts.push({ type: 'invoice.overdue', previousStatus: 'Sent' })
      if (settled) drafts.push({ type: 'invoice.paid', previousStatus: 'Sent' })
      const at = isoMs(now)
      const change: InvoiceChange = {
        state: after.state,
        listed_status: statusOn(after, asOf),
        sent_at: at,
        paid_at: settled ? at : null,
        ...(before.sequence === null ? { takesNumber: true, year: Number(today.slice(0, 4)), issue_date: today } : {}),
        ...(overdue ? { overdue_emitted_for: after.due_date } : {}),
      }
      const row = await changeInvoice(tx, principal, before.id, change, drafts.length)
      await emit(tx, principal, ...invoiceEvents(row, today, drafts))
      return { reply: { invoice: presentInvoice(row, today) }, version: row.version }
    })
  },
})

export const cancelInvoice = endpoint({
  id: 'invoices.cancel',
  version: 'v1',
  category: 'Finance',
  method: 'POST',
  path: '/api/finance/invoices/{id}/cancel',
  name: 'Cancel an invoice',
  description:
    'Ends an invoice that is not Paid and has no payments. It keeps its number, so the series shows no gap, and it can never be opened again.',
  permission: 'invoices:cancel',
  params: InvoiceParams,
  body: Type.Object({
    reason: reasonOf('invoice'),
  }),
  reply: Type.Object({ invoice: Invoice }),
  envelope: 'success',
  transaction: 'none',
  versioned: true,
  problems: ['not_found', 'invalid_transition', 'invoice_has_payments'],
  sample: {
    params: { id: 412 },
    body: { reason: 'Billed twice' },
    reply: {
      invoice: {
        ...sampleInvoice,
        status: 'Cancelled',
        cancelled_at: '2026-11-22T10:00:00.000Z',
        cancel_reason: 'Billed twice',
        version: 2,
      },
    },
  },
  async handle(context) {
    const { principal, params, body, now, ifMatch } = context
    const today = dateIn(principal.settings.timeZone, now)
    return writeInvoice(context, async tx => {
      const before = requireVersion(await lockInvoice(tx, principal, params.id), ifMatch)
      const state = moved(before.state, 'cancel', 'be cancelled')
      if (before.paid_minor > 0) throw new Problem('invoice_has_payments')
      const change = { state, listed_status: state, cancelled_at: isoMs(now), cancel_reason: body.reason.trim() }
      const row = await changeInvoice(tx, principal, before.id, change, 1)
      const drafts: EventDraft = { type: 'invoice.cancelled', previousStatus: statusOn(before, today) }
      await emit(tx, principal, ...invoiceEvents(row, today, [drafts]))
      return { reply: { invoice: presentInvoice(row, today) }, version: row.version }
    })
  },
})

export const endpoints = [
  createInvoice,
  listAllInvoices,
  exportInvoices,
  getInvoiceTotals,
  auditInvoiceNumbers,
  getInvoice,
  updateInvoice,
  sendInvoice,
  cancelInvoice,
]
