// What the form of an invoice holds while it is filled in, and what is sent of it.

import type { Invoice } from '@tandem/sdk'
import { differing } from '../forms/differing.ts'
import { clearText, decimalText, refuseUnclear } from '../forms/number_text.ts'
import { textOrNull } from '../forms/text_or_null.ts'
import { decimalsOf } from '../words/currency_decimals.ts'
import type { Line } from './invoice_line_row.tsx'
import { amountText, linePlaces, type TaxRounding } from './invoice_totals.ts'

export type Values = {
  name: string
  email: string
  address: string
  tax_id: string
  due_date: string
  currency: string
  notes: string
  tax_rounding: TaxRounding
  lead_id: number | null
  basis: 'lines' | 'amount'
  amount: string
  lines: readonly Line[]
}

export const newLine = (key: number, tax_rate = ''): Line => ({
  key,
  description: '',
  quantity: '1',
  unit_price: '',
  tax_rate,
})

export const emptyValues: Values = {
  name: '',
  email: '',
  address: '',
  tax_id: '',
  due_date: '',
  currency: '',
  notes: '',
  tax_rounding: 'per_rate',
  lead_id: null,
  basis: 'lines',
  amount: '',
  lines: [newLine(0)],
}

export function valuesOf(invoice: Invoice): Values {
  const { customer, currency, amount_minor: minor, basis, lines } = invoice
  return {
    name: customer.name,
    email: customer.email ?? '',
    address: customer.address ?? '',
    tax_id: customer.tax_id ?? '',
    due_date: invoice.due_date,
    currency,
    notes: invoice.notes ?? '',
    tax_rounding: invoice.tax_rounding,
    lead_id: invoice.lead_id,
    basis: basis === 'amount' ? 'amount' : 'lines',
    amount: basis === 'amount' ? clearText(amountText(BigInt(minor), currency), decimalsOf(currency)) : '',
    lines: lines.map((line, key) => ({
      key,
      description: line.description,
      quantity: clearText(String(line.quantity), linePlaces.quantity),
      unit_price: priceText(line.unit_price, currency),
      tax_rate: clearText(String(line.tax_rate), linePlaces.tax_rate),
    })),
  }
}

/** A unit price with at least the decimals of its currency. */
function priceText(price: number, currency: string): string {
  const text = String(price)
  const places = text.split('.')[1]?.length ?? 0
  return places < decimalsOf(currency) ? price.toFixed(decimalsOf(currency)) : clearText(text, linePlaces.unit_price)
}

/** What the form says beside the figures, as the API has it; null for what is empty. */
function wholeOf(values: Values) {
  const { name, email, address, tax_id, due_date, currency, notes, tax_rounding, lead_id } = values
  return {
    customer: { name, email: textOrNull(email), address: textOrNull(address), tax_id: textOrNull(tax_id) },
    due_date,
    currency: currency.trim().toUpperCase(),
    notes: textOrNull(notes),
    tax_rounding,
    lead_id,
  }
}

const currencyOf = ({ currency }: Values) => currency.trim().toUpperCase()
const figureNames = ['quantity', 'unit_price', 'tax_rate'] as const

/** Throws what the form shows beside the figures that can be read in two ways. */
export function refuseUnclearFigures(values: Values): void {
  const { basis, amount, lines } = values
  const figures = lines.flatMap((line, index) =>
    figureNames.map(name => ({ field: `lines[${index}].${name}`, text: line[name], places: linePlaces[name] })),
  )
  const whole = { field: 'amount', text: amount, places: decimalsOf(currencyOf(values)) }
  refuseUnclear(basis === 'amount' ? [whole] : figures)
}

function figuresOf(values: Values) {
  const { basis, amount, lines } = values
  if (basis === 'amount') return { amount: decimalText(amount, decimalsOf(currencyOf(values))) }
  const sent = lines.map(({ description, quantity, unit_price, tax_rate }) => ({
    description,
    quantity: decimalText(quantity, linePlaces.quantity),
    unit_price: decimalText(unit_price, linePlaces.unit_price),
    ...(tax_rate.trim() !== '' && { tax_rate: decimalText(tax_rate, linePlaces.tax_rate) }),
  }))
  return { lines: sent }
}

const isFilled = ([, value]: [string, unknown]) => value !== null && value !== ''

/** What a creation sends: everything that is filled in, and the figures as they are, for the server to check. */
export function creationOf(values: Values) {
  const { customer, ...rest } = wholeOf(values)
  const { name, ...optional } = customer
  return {
    ...Object.fromEntries(Object.entries(rest).filter(isFilled)),
    ...figuresOf(values),
    customer: { name, ...Object.fromEntries(Object.entries(optional).filter(isFilled)) },
  }
}

/** What a change sends: the fields that differ from what the form began with. */
export function changesOf(values: Values, begun: Values) {
  const [now, before] = [wholeOf(values), wholeOf(begun)]
  const { customer: _, ...rest } = differing(now, before)
  const customer = differing(now.customer, before.customer)
  return {
    ...rest,
    ...differing<object>(figuresOf(values), figuresOf(begun)),
    ...(Object.keys(customer).length > 0 && { customer }),
  }
}
