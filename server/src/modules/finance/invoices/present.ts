// How an invoice looks to clients, and what they may write. The fields of `Invoice` but `status` are made by
// present_invoice() in the database, once with every change; the contract test holds the two against each other.

import { type Static, Type } from 'typebox'
import type { NewEvent } from '../../../kernel/data/events.ts'
import { DateOnly, Email, IntegerId, Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import type { EventsOf } from '../../../kernel/values/noun.ts'
import { Payment } from '../payments/index.ts'
import { type Line, type Status, statuses, statusOn } from './rules.ts'
import type { InvoiceRow } from './store.ts'

const Customer = Type.Object({
  name: Type.String(),
  email: Nullable(Type.String()),
  address: Nullable(Type.String()),
  tax_id: Nullable(Type.String()),
})

/** An invoice as lists and events show it. Amounts are JSON numbers in the currency's major unit. */
export const Invoice = Type.Object({
  id: IntegerId,
  number: Type.String({ description: 'INV-<year>-<sequence>; sequence 000000 while a draft has no number yet.' }),
  tenant_id: IntegerId,
  amount: Type.Number({ description: 'Total with tax.' }),
  status: OneOf(statuses, {
    description: "Overdue is Sent, past due in the organization's time zone, and not fully paid.",
  }),
  due_date: DateOnly,
  currency: Type.String({ description: 'ISO 4217 code.' }),
  amount_minor: Type.Integer({ description: "The total in the currency's smallest unit." }),
  subtotal: Type.Number({ description: 'Sum of the lines before tax.' }),
  tax_total: Type.Number(),
  amount_paid: Type.Number(),
  amount_due: Type.Number(),
  payment_state: OneOf(['unpaid', 'partial', 'paid']),
  customer: Customer,
  lead_id: Nullable(Type.Integer({ description: 'The lead this invoice came from.' })),
  number_assigned: Type.Boolean({ description: 'Whether the invoice has its final number.' }),
  issue_date: DateOnly,
  sent_at: Nullable(Timestamp),
  paid_at: Nullable(Timestamp),
  cancelled_at: Nullable(Timestamp),
  cancel_reason: Nullable(Type.String()),
  notes: Nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Type.Integer({ description: 'Counts changes; the ETag.' }),
})
export type PublicInvoice = Static<typeof Invoice>

const LineReply = Type.Object({
  description: Type.String(),
  quantity: Type.Number(),
  unit_price: Type.Number({ description: "In the currency's major unit, before tax." }),
  tax_rate: Type.Number({ description: 'Percent.' }),
  amount: Type.Number({ description: 'Quantity × unit price, rounded, before tax.' }),
})

export const TaxRounding = OneOf(['per_rate', 'per_line'], {
  description: 'Tax is rounded once a rate over the invoice, or on every line.',
})

export const InvoiceWithLines = Type.Object({
  ...Invoice.properties,
  basis: OneOf(['none', 'amount', 'lines'], {
    description: 'What its figures come from; with `none` it has neither lines nor an amount yet, and cannot be sent.',
  }),
  tax_rounding: TaxRounding,
  lines: Type.Array(LineReply),
  payments: Type.Array(Payment, { description: 'In the order they were recorded.' }),
})

export function presentInvoice(row: InvoiceRow, today: string): PublicInvoice {
  return { ...JSON.parse(`{${row.document}`), status: statusOn(row, today) }
}

/** The invoice with what `Invoice` leaves out. */
export function presentWhole(
  row: InvoiceRow,
  today: string,
  lines: readonly Line[],
  payments: readonly Static<typeof Payment>[],
): Static<typeof InvoiceWithLines> {
  const { basis, tax_rounding, exponent } = row
  const shown = lines.map(line => presentLine(line, exponent))
  return { ...presentInvoice(row, today), basis, tax_rounding, lines: shown, payments: [...payments] }
}

function presentLine(line: Line, exponent: number): Static<typeof LineReply> {
  return {
    description: line.description,
    quantity: Number(line.quantity),
    unit_price: Number(line.unit_price),
    tax_rate: line.tax_ppm / 10_000,
    amount: line.net_minor / 10 ** exponent,
  }
}

export type EventDraft = { type: EventsOf<'invoice'>; previousStatus?: Status; more?: object }

/**
 * What is emitted for a change: events of the row as it is now, numbered up to its `event_count`, which the change has
 * raised by as many.
 */
export function invoiceEvents(row: InvoiceRow, today: string, drafts: readonly EventDraft[]): NewEvent[] {
  const invoice = presentInvoice(row, today)
  return drafts.map(({ type, previousStatus, more }, index) => ({
    type,
    resourceId: row.id,
    sequence: row.event_count - drafts.length + 1 + index,
    data: { ...invoice, ...(previousStatus === undefined ? {} : { previousStatus }), ...more },
  }))
}

/** What a text may hold beside its length: something visible. */
function Text(maxLength: number, description: string) {
  return Type.String({ minLength: 1, maxLength, pattern: '\\S', errorMessage: 'must not be empty', description })
}

/** Why something is done that ends what was; `kept` says where. */
export const reasonOf = (kept: string) => Text(500, `Why; kept with the ${kept}.`)

export const customerName = Text(200, 'Who is billed.')
export const customerRest = {
  email: Type.Optional(Nullable({ ...Email, description: 'Where to send it.' })),
  address: Type.Optional(Nullable(Text(1_000, 'Postal address, lines separated by line feeds.'))),
  tax_id: Type.Optional(Nullable(Text(64, "The customer's tax or VAT number."))),
}

/** A decimal number; as text it is taken exactly whatever the client's number type. */
function Decimal(description: string) {
  return Type.Unsafe<number | string>({
    type: ['number', 'string'],
    pattern: '^-?\\d{1,15}(\\.\\d{1,10})?$',
    maxLength: 30,
    errorMessage: 'must be a decimal number such as 19.90',
    description,
  })
}
export const AmountInput = Decimal("In the currency's major unit, as JSON number or decimal text; never rounded.")

export const invoiceFields = {
  lead_id: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The lead this invoice came from.',
      }),
    ),
  ),
  currency: Type.Optional(
    Type.String({
      pattern: '^[A-Z]{3}$',
      errorMessage: 'must be an ISO 4217 code, such as USD',
      description: 'ISO 4217 code.',
    }),
  ),
  notes: Type.Optional(Nullable(Type.String({ maxLength: 2_000, description: 'Shown on the invoice.' }))),
  lines: Type.Optional(
    Type.Array(
      Type.Object({
        description: Text(1_000, 'What is billed.'),
        quantity: Decimal('Up to 4 decimals; negative for a credit.'),
        unit_price: Decimal("In the currency's major unit, before tax, up to 6 decimals."),
        tax_rate: Type.Optional(Decimal('Percent, 0 to 100, up to 4 decimals; 0 when left out.')),
      }),
      { maxItems: 300, description: 'What is billed; not together with `amount`.' },
    ),
  ),
  amount: Type.Optional(AmountInput),
  tax_rounding: Type.Optional(TaxRounding),
}

export const sampleInvoice: PublicInvoice = {
  id: 412,
  number: 'INV-2026-000042',
  tenant_id: 1,
  amount: 1785,
  status: 'Draft',
  due_date: '2026-12-05',
  currency: 'USD',
  amount_minor: 178500,
  subtotal: 1500,
  tax_total: 285,
  amount_paid: 0,
  amount_due: 1785,
  payment_state: 'unpaid',
  customer: { name: 'Analytical Engines Ltd', email: 'accounts@example.com', address: null, tax_id: null },
  lead_id: null,
  number_assigned: true,
  issue_date: '2026-11-21',
  sent_at: null,
  paid_at: null,
  cancelled_at: null,
  cancel_reason: null,
  notes: null,
  created_at: '2026-11-21T08:44:00.123Z',
  updated_at: '2026-11-21T08:44:00.123Z',
  version: 1,
}

export const sampleWhole: Static<typeof InvoiceWithLines> = {
  ...sampleInvoice,
  basis: 'lines',
  tax_rounding: 'per_rate',
  lines: [{ description: 'Consulting, November', quantity: 12.5, unit_price: 120, tax_rate: 19, amount: 1500 }],
  payments: [],
}
