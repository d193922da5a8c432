// What an invoice may do and what it comes to: its states, its status on a given day, its number, its sum. Pure.
import { cleanEmail } from '../../../kernel/values/email.ts'
import {
  currencyExponent,
  isCurrency,
  type MoneyFault,
  minorFromInput,
  toDecimalText,
} from '../../../kernel/values/money.ts'
import { type FieldFault, Problem } from '../../../kernel/values/problem.ts'
import { allowedEvents, move, type Table } from '../../../kernel/values/states.ts'
import { type InvoiceFault, lineTotals } from './totals_rules.ts'

/** What the API shows, and what lists filter by. */
export const statuses = ['Draft', 'Sent', 'Paid', 'Overdue', 'Cancelled'] as const
export type Status = (typeof statuses)[number]

/** What is stored: Overdue is not, it depends on the day. */
export const states = ['Draft', 'Sent', 'Paid', 'Cancelled'] as const
export type State = (typeof states)[number]

export type InvoiceEvent = 'issue' | 'settle' | 'reopen' | 'cancel'

/**
 * `settle` is a balance of zero: the last payment, or a total of zero when issued. `reopen` is a balance again: a payment was reversed.
 * Cancelled is final.
 */
export const transitions: Table<State, InvoiceEvent> = {
  issue: { from: ['Draft'], to: 'Sent' },
  settle: { from: ['Sent'], to: 'Paid' },
  reopen: { from: ['Paid'], to: 'Sent' },
  cancel: { from: ['Draft', 'Sent'], to: 'Cancelled' },
}

/**
 * The state after an event. `verb` says in words what was asked for, as in "be sent".
 * @throws Problem `invalid_transition`
 */
export function moved(state: State, event: InvoiceEvent, verb: string): State {
  const to = move(transitions, state, event)
  if (to !== undefined) return to
  const next = [...new Set(allowedEvents(transitions, state).map(allowed => transitions[allowed].to))]
  const rest =
    next.length === 0
      ? `${state} is final`
      : state === 'Paid'
        ? 'only reversing a payment opens it again'
        : `from ${state} it can become ${next.join(' or ')}`
  throw new Problem('invalid_transition', { message: `A ${state} invoice cannot ${verb}; ${rest}.` })
}

export type Dated = { state: State; due_date: string; total_minor: number; paid_minor: number }

/** The status on a date (`YYYY-MM-DD` in the tenant's time zone): Sent is Overdue from the day after it was due. */
export function statusOn({ state, due_date, total_minor, paid_minor }: Dated, date: string): Status {
  return state === 'Sent' && due_date < date && paid_minor < total_minor ? 'Overdue' : state
}

/** Whether the invoice is overdue and no event has reported this due date yet. */
export function mustEmitOverdue(row: Dated & { overdue_emitted_for: string | null }, today: string): boolean {
  return statusOn(row, today) === 'Overdue' && row.overdue_emitted_for !== row.due_date
}

/** Days until an invoice is due when nothing is said. */
export const defaultDueDays = 14

/** `INV-2026-000042`; sequences beyond 999999 grow, a draft without a number shows 000000. */
export function invoiceNumber(year: number, sequence: number | null): string {
  return `INV-${String(year).padStart(4, '0')}-${String(sequence ?? 0).padStart(6, '0')}`
}

/** Years and sequences (both ends included, sequence 0 meaning none yet) that a number or its beginning can stand for. */
export type NumberRange = { years: readonly [number, number]; sequences: readonly (readonly [number, number])[] | null }

const longestSequence = 12

/** The numbers that begin with `prefix`; null for all of them, undefined for none. */
export function numbersBeginning(prefix: string): NumberRange | null | undefined {
  const text = prefix.trim().toUpperCase()
  if ('INV-'.startsWith(text)) return null
  const match = /^INV-(\d{1,4})(?:(?<=\d{4})-(\d*))?$/.exec(text)
  if (match === null) return undefined
  const [, year = '', sequence = ''] = match
  const years = widen(year, 4)
  if (sequence === '') return { years, sequences: null }
  if (sequence.length > longestSequence) return undefined
  const sequences: [number, number][] = sequence.length <= 6 ? [widen(sequence, 6)] : []
  // Beyond six digits a sequence is not padded, so it begins with no zero.
  if (!sequence.startsWith('0')) {
    for (let length = Math.max(7, sequence.length); length <= longestSequence; length++) {
      sequences.push(widen(sequence, length))
    }
  }
  return sequences.length === 0 ? undefined : { years, sequences }
}

/** The numbers of `length` digits that begin with `digits`. */
function widen(digits: string, length: number): [number, number] {
  const unit = 10 ** (length - digits.length)
  return [Number(digits) * unit, (Number(digits) + 1) * unit - 1]
}

/** A line as it was sent; amounts are JSON numbers or decimal text, in the currency's major unit. */
export type LineInput = {
  description: string
  quantity: number | string
  unit_price: number | string
  tax_rate?: number | string
}

export type TaxRounding = 'per_rate' | 'per_line'

export type SumInput = {
  currency: string
  tax_rounding: TaxRounding
  lines?: readonly LineInput[]
  amount?: number | string
}

/** Quantities and prices are kept as the decimal text they came as. */
export type Line = {
  position: number
  description: string
  quantity: string
  unit_price: string
  tax_ppm: number
  net_minor: number
}

/** What an invoice comes to, in minor units; `basis` says from what. */
export type Sum = {
  basis: 'none' | 'amount' | 'lines'
  currency: string
  exponent: number
  net_minor: number
  tax_minor: number
  total_minor: number
  lines: Line[]
}

export type Calculated = { ok: true; sum: Sum } | { ok: false; faults: FieldFault[] }

/** Adds up the lines, or takes the plain amount; every fault of the figures is reported, with its field. */
export function calculateTotals({ currency, tax_rounding, lines, amount }: SumInput): Calculated {
  if (!isCurrency(currency)) {
    return refuse({ field: 'currency', code: 'not_allowed', message: 'must be an ISO 4217 currency code, such as USD' })
  }
  if (lines !== undefined && amount !== undefined) {
    return refuse({ field: 'amount', code: 'not_allowed', message: 'send lines or a plain amount, not both' })
  }
  const zero = { currency, exponent: currencyExponent(currency), net_minor: 0, tax_minor: 0, total_minor: 0, lines: [] }
  if (amount !== undefined) {
    const minor = minorFromInput(amount, currency)
    if (typeof minor === 'string') return refuse(moneyFault('amount', minor, currency))
    if (minor < 0) return refuse({ field: 'amount', code: 'too_small', message: 'must be at least 0' })
    return { ok: true, sum: { ...zero, basis: 'amount', net_minor: minor, total_minor: minor } }
  }
  if (lines === undefined || lines.length === 0) return { ok: true, sum: { ...zero, basis: 'none' } }
  return calculateLines(lines, currency, tax_rounding)
}

function calculateLines(lines: readonly LineInput[], currency: string, rounding: TaxRounding): Calculated {
  const inexact = lines.flatMap(({ quantity, unit_price }, index) => [
    ...inexactFault(`lines[${index}].quantity`, quantity),
    ...inexactFault(`lines[${index}].unit_price`, unit_price),
  ])
  const calculated = lineTotals(
    lines.map(line => ({ quantity: line.quantity, unitPrice: line.unit_price, taxRate: line.tax_rate ?? 0 })),
    { currency, rounding },
  )
  if (!calculated.ok) return refuse(...inexact, ...calculated.faults.map(fault => lineFault(fault, currency)))
  if (inexact.length > 0) return refuse(...inexact)
  const { totals } = calculated
  if (totals.totalMinor < 0) {
    return refuse({ field: 'lines', code: 'too_small', message: 'must add up to 0 or more' })
  }
  const kept = lines.map(({ description, quantity, unit_price }, index): Line => {
    const { netMinor, taxRatePpm } = totals.lines[index]!
    const figures = { quantity: String(quantity), unit_price: String(unit_price) }
    return { position: index + 1, description, ...figures, tax_ppm: taxRatePpm, net_minor: netMinor }
  })
  const sums = { net_minor: totals.netMinor, tax_minor: totals.taxMinor, total_minor: totals.totalMinor }
  return { ok: true, sum: { basis: 'lines', currency, exponent: currencyExponent(currency), ...sums, lines: kept } }
}

function refuse(...faults: FieldFault[]): Calculated {
  return { ok: false, faults }
}

/** Answers carry quantities and prices as JSON numbers, which hold 15 digits exactly. */
function inexactFault(field: string, value: number | string): FieldFault[] {
  const digits = String(value).replace(/[-.]/g, '').replace(/^0+/, '')
  if (typeof value === 'number' || digits.length <= 15) return []
  return [{ field, code: 'too_precise', message: 'must have at most 15 digits' }]
}

const lineFields = {
  quantity: 'quantity',
  unitPrice: 'unit_price',
  taxRate: 'tax_rate',
  discount: 'discount',
  total: '',
}

function lineFault({ line, field, fault }: InvoiceFault, currency: string): FieldFault {
  const name = lineFields[field]
  const path = line === undefined ? 'lines' : name === '' ? `lines[${line}]` : `lines[${line}].${name}`
  const decimals = field === 'quantity' || field === 'taxRate' ? 4 : field === 'unitPrice' ? 6 : undefined
  return moneyFault(path, fault, currency, decimals)
}

/** A fault of an amount as a fault of its field. `decimals` when others than the currency's are meant. */
export function moneyFault(field: string, fault: MoneyFault, currency: string, decimals?: number): FieldFault {
  switch (fault) {
    case 'not_a_number':
      return { field, code: 'wrong_type', message: 'must be a number, or a decimal number as text such as "19.90"' }
    case 'too_precise': {
      const most = decimals ?? currencyExponent(currency)
      const whose = decimals === undefined ? `, as ${currency} has` : ''
      return { field, code: 'too_precise', message: `must have at most ${most} decimals${whose}` }
    }
    case 'too_large':
      return { field, code: 'too_large', message: 'is larger than an invoice can hold' }
    case 'out_of_range':
      return { field, code: 'out_of_range', message: 'must be between 0 and 100' }
  }
}

export type Customer = { name: string; email: string | null; address: string | null; tax_id: string | null }

/** A customer as it is stored: name and e-mail without blanks around them. */
export function cleanCustomer<Given extends Partial<Customer>>(given: Given): Given {
  const { name, email } = given
  return { ...given, ...(name && { name: name.trim() }), ...(email && { email: cleanEmail(email) }) }
}

/** What a change may touch. */
export type Editable = Pick<Sum, 'currency' | 'basis' | 'total_minor'> & {
  state: State
  tax_rounding: TaxRounding
  customer: Customer
  lead_id: number | null
  notes: string | null
  due_date: string
}

export type ChangeInput = Partial<Omit<SumInput, 'lines'>> & {
  customer?: Partial<Customer>
  lead_id?: number | null
  notes?: string | null
  due_date?: string
  lines?: readonly LineInput[]
}

/** The fields that are given new values; `sum` when the figures are recalculated. */
export type Verdict =
  | { ok: true; changed: boolean; fields: Partial<Omit<Editable, 'state' | keyof Sum>>; sum: Sum | undefined }
  | { ok: false; faults: FieldFault[] }

/**
 * What a PATCH comes to. `customer` is merged; lines replace all lines, and lines and a plain amount replace each other.
 * @param lines the lines the invoice has
 * @throws Problem `invoice_locked` when the state does not allow it
 */
export function validateChange(before: Editable, lines: readonly Line[], change: ChangeInput): Verdict {
  refuseLocked(before.state, Object.keys(change))
  const fields: Partial<Omit<Editable, 'state' | keyof Sum>> = {}
  const { due_date, notes, lead_id, tax_rounding } = change
  if (change.customer !== undefined) {
    const customer = { ...before.customer, ...change.customer }
    if (JSON.stringify(customer) !== JSON.stringify(before.customer)) fields.customer = customer
  }
  if (due_date !== undefined && due_date !== before.due_date) fields.due_date = due_date
  if (notes !== undefined && notes !== before.notes) fields.notes = notes
  if (lead_id !== undefined && lead_id !== before.lead_id) fields.lead_id = lead_id
  if (tax_rounding !== undefined && tax_rounding !== before.tax_rounding) fields.tax_rounding = tax_rounding

  const currency = change.currency ?? before.currency
  const given = change.lines !== undefined || change.amount !== undefined
  if (!given && currency === before.currency && fields.tax_rounding === undefined) {
    return { ok: true, changed: Object.keys(fields).length > 0, fields, sum: undefined }
  }
  const figures = given ? { lines: change.lines, amount: change.amount } : figuresOf(before, lines)
  const calculated = calculateTotals({ currency, tax_rounding: tax_rounding ?? before.tax_rounding, ...figures })
  return calculated.ok ? { ok: true, changed: true, fields, sum: calculated.sum } : calculated
}

const openAfterIssue = ['due_date', 'notes']

function refuseLocked(state: State, changes: string[]): void {
  const locked =
    state === 'Draft' ? [] : state === 'Cancelled' ? changes : changes.filter(name => !openAfterIssue.includes(name))
  if (locked.length === 0) return
  const message =
    state === 'Cancelled'
      ? 'A Cancelled invoice is final. Create a new one.'
      : `An issued invoice keeps its ${locked.join(', ')}. Change only due_date and notes, or cancel it and create a new one.`
  throw new Problem('invoice_locked', { message })
}

/** The figures of an invoice as they would be sent: in another currency they may be refused. */
function figuresOf(
  { basis, total_minor, currency }: Editable,
  lines: readonly Line[],
): Pick<SumInput, 'lines' | 'amount'> {
  if (basis === 'amount') return { amount: toDecimalText(total_minor, currency) }
  return { lines: lines.map(({ tax_ppm, ...line }) => ({ ...line, tax_rate: tax_ppm / 10_000 })) }
}
