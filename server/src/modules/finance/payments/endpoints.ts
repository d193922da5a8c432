// Payments on invoices: each is a record of money that arrived; what is due follows from them.
import { Type } from 'typebox'
import { emit } from '../../../kernel/data/events.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { requireRecord, requireVersion } from '../../../kernel/endpoint/record.ts'
import { IntegerId, MomentInput, Nullable, OneOf } from '../../../kernel/endpoint/schema.ts'
import { dateIn, dayStartIn, isoMs } from '../../../kernel/values/clock.ts'
import { minorFromInput, toDecimalText } from '../../../kernel/values/money.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { writeInvoice } from '../invoice_writes.ts'
import {
  AmountInput,
  changeInvoice,
  type EventDraft,
  holdCalendar,
  Invoice,
  type InvoiceRow,
  invoiceEvents,
  lockInvoice,
  moneyFault,
  moved,
  mustEmitOverdue,
  presentInvoice,
  reasonOf,
  sampleInvoice,
  statusOn,
} from '../invoices/index.ts'
import { methods, Payment, presentPayment, samplePayment } from './present.ts'
import { findPayment, insertPayment, lastPaidAt, markReversed } from './store.ts'

/** A payment may be dated into the next day, for clocks and time zones, but not planned. */
const aheadMs = 86_400_000

export const createPayment = endpoint({
  id: 'payments.create',
  version: 'v1',
  category: 'Finance',
  method: 'POST',
  path: '/api/finance/invoices/{id}/payments',
  name: 'Record a payment',
  description:
    'Records money received for an issued invoice, in part or in full. With the last of it the invoice becomes Paid; until then its status stays Sent or Overdue and `payment_state` says partial. More than is due is refused, also when two payments arrive at once.',
  permission: 'payments:create',
  params: Type.Object({ id: IntegerId }),
  body: Type.Object({
    amount: AmountInput,
    currency: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{3}$',
        errorMessage: 'must be an ISO 4217 code, such as USD',
        description: "When sent, it must be the invoice's.",
      }),
    ),
    method: Type.Optional(OneOf(methods, { default: 'other', description: 'How it was paid.' })),
    paid_at: Type.Optional({
      ...MomentInput,
      description:
        "When the money arrived; now when left out. A date alone is that day in the organization's time zone, and stored as its first instant.",
    }),
    reference: Type.Optional(
      Nullable(Type.String({ maxLength: 200, description: 'What the payment can be found by elsewhere.' })),
    ),
  }),
  reply: Type.Object({ payment: Payment, invoice: Invoice }),
  envelope: 'success',
  status: 201,
  transaction: 'none',
  versioned: true,
  problems: ['not_found', 'invalid_transition', 'currency_mismatch', 'overpayment'],
  sample: {
    params: { id: 412 },
    body: { amount: 500, method: 'bank_transfer', reference: 'E2E-2026-11-30-17' },
    reply: {
      payment: samplePayment,
      invoice: {
        ...sampleInvoice,
        status: 'Sent',
        amount_paid: 500,
        amount_due: 1285,
        payment_state: 'partial',
        sent_at: '2026-11-21T09:15:00.000Z',
        updated_at: '2026-11-30T09:12:04.318Z',
        version: 3,
      },
    },
  },
  async handle(context) {
    const { principal, params, body, now, ifMatch } = context
    const { timeZone } = principal.settings
    const paid_at = isoMs(paidAtMs(body.paid_at, timeZone, now))
    const today = dateIn(timeZone, now)
    const { method = 'other', reference = null } = body
    return writeInvoice(context, async tx => {
      const before = requireVersion(await lockInvoice(tx, principal, params.id), ifMatch)
      const settledState = moved(before.state, 'settle', 'take a payment')
      const amount_minor = payable(before, body.amount, body.currency)
      const settled = before.paid_minor + amount_minor === before.total_minor

      const drafts: EventDraft[] = [{ type: 'invoice.payment_recorded' }]
      if (settled) drafts.push({ type: 'invoice.paid', previousStatus: statusOn(before, today) })
      // Payments are recorded in any order: it was paid when the last of them arrived.
      const lastAt = settled ? await lastPaidAt(tx, principal, before.id) : null
      const settledAt = lastAt === null ? paid_at : isoMs(Math.max(Date.parse(lastAt), Date.parse(paid_at)))
      const change = settled ? { state: settledState, listed_status: settledState, paid_at: settledAt } : {}
      const { id: invoice_id, currency } = before
      const [payment, row] = await Promise.all([
        insertPayment(tx, principal, { invoice_id, amount_minor, currency, method, reference, paid_at }),
        changeInvoice(tx, principal, before.id, { ...change, addsUpPayments: true }, drafts.length),
      ])
      const shown = presentPayment(payment)
      const [recorded, ...rest] = drafts as [EventDraft, ...EventDraft[]]
      await emit(tx, principal, ...invoiceEvents(row, today, [{ ...recorded, more: { payment: shown } }, ...rest]))
      return { reply: { payment: shown, invoice: presentInvoice(row, today) }, version: row.version }
    })
  },
})

const firstMs = Date.parse('1900-01-01T00:00:00Z')

/**
 * When money arrived, in milliseconds since 1970: a date is a day in the organization's time zone.
 * @throws Problem `validation_failed`
 */
function paidAtMs(text: string | undefined, timeZone: string, nowMs: number): number {
  if (text === undefined) return nowMs
  const ms = text.length === 10 ? dayStartIn(timeZone, text) : Date.parse(text)
  if (ms > nowMs + aheadMs) {
    throw invalid({ field: 'paid_at', code: 'too_large', message: 'must not be in the future' })
  }
  if (ms < firstMs) throw invalid({ field: 'paid_at', code: 'too_small', message: 'must not be before 1900' })
  return ms
}

/**
 * The amount in minor units.
 * @throws Problem `validation_failed`, `currency_mismatch`, `overpayment`
 */
function payable(invoice: InvoiceRow, amount: number | string, currency: string | undefined): number {
  if (currency !== undefined && currency !== invoice.currency) {
    throw new Problem('currency_mismatch', {
      message: `The invoice is in ${invoice.currency}. Send the payment in ${invoice.currency}.`,
    })
  }
  const minor = minorFromInput(amount, invoice.currency)
  if (typeof minor === 'string') throw invalid(moneyFault('amount', minor, invoice.currency))
  if (minor <= 0) throw invalid({ field: 'amount', code: 'too_small', message: 'must be more than 0' })
  const dueMinor = invoice.total_minor - invoice.paid_minor
  if (minor > dueMinor) {
    const due = `${toDecimalText(dueMinor, invoice.currency)} ${invoice.currency}`
    throw new Problem('overpayment', {
      message: `Only ${due} is due on this invoice. Send at most that.`,
      details: [{ field: 'amount', code: 'too_large', message: `must be at most ${due}, which is what is due` }],
    })
  }
  return minor
}

export const reversePayment = endpoint({
  id: 'payments.reverse',
  version: 'v1',
  category: 'Finance',
  method: 'POST',
  path: '/api/finance/invoices/{id}/payments/{paymentId}/reverse',
  name: 'Reverse a payment',
  description:
    'Takes a payment back that bounced, was refunded, or was recorded by mistake. It stays in the list with the reason, and counts no more: what it paid is due again, and a Paid invoice is open again, as Sent or Overdue. No money is moved.',
  permission: 'payments:reverse',
  params: Type.Object({ id: IntegerId, paymentId: IntegerId }),
  body: Type.Object({
    reason: reasonOf('payment'),
  }),
  reply: Type.Object({ payment: Payment, invoice: Invoice }),
  envelope: 'success',
  transaction: 'none',
  versioned: true,
  problems: ['not_found', 'payment_reversed'],
  sample: {
    params: { id: 412, paymentId: 88 },
    body: { reason: 'Recorded on the wrong invoice' },
    reply: {
      payment: {
        ...samplePayment,
        reversed_at: '2026-12-01T08:30:00.000Z',
        reversal_reason: 'Recorded on the wrong invoice',
      },
      invoice: {
        ...sampleInvoice,
        status: 'Sent',
        sent_at: '2026-11-21T09:15:00.000Z',
        updated_at: '2026-12-01T08:30:00.012Z',
        version: 4,
      },
    },
  },
  async handle(context) {
    const { principal, params, body, now, ifMatch } = context
    const today = dateIn(principal.settings.timeZone, now)
    return writeInvoice(context, async tx => {
      const [asOf = today, before] = await Promise.all([
        holdCalendar(tx, principal),
        lockInvoice(tx, principal, params.id).then(row => requireVersion(row, ifMatch)),
      ])
      const found = await findPayment(tx, principal, { invoiceId: before.id, id: params.paymentId })
      const { id, amount_minor, reversed_at } = requireRecord(found)
      if (reversed_at !== null) throw new Problem('payment_reversed')

      const state = before.state === 'Paid' ? moved(before.state, 'reopen', 'be opened again') : before.state
      const after = { ...before, state, paid_minor: before.paid_minor - amount_minor }
      const was = statusOn(before, today)
      const isReopened = state !== before.state
      const drafts: EventDraft[] = [{ type: 'invoice.payment_reversed', ...(isReopened && { previousStatus: was }) }]
      const turnsOverdue = mustEmitOverdue(after, today)
      if (turnsOverdue) drafts.push({ type: 'invoice.overdue', previousStatus: was })
      const change = {
        ...(isReopened && { state, paid_at: null }),
        listed_status: statusOn(after, asOf),
        ...(turnsOverdue && { overdue_emitted_for: after.due_date }),
      }
      const payment = await markReversed(tx, principal, { id, at: isoMs(now), reason: body.reason.trim() })
      const row = await changeInvoice(tx, principal, before.id, { ...change, addsUpPayments: true }, drafts.length)
      const shown = presentPayment(payment)
      const [reversed, ...rest] = drafts as [EventDraft, ...EventDraft[]]
      await emit(tx, principal, ...invoiceEvents(row, today, [{ ...reversed, more: { payment: shown } }, ...rest]))
      return { reply: { payment: shown, invoice: presentInvoice(row, today) }, version: row.version }
    })
  },
})

export const endpoints = [createPayment, reversePayment]
