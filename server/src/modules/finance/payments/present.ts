// How a payment looks to clients.
import { type Static, Type } from 'typebox'
import { IntegerId, Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { toDecimalNumber } from '../../../kernel/values/money.ts'
import type { PaymentRow } from './store.ts'

export const methods = ['bank_transfer', 'card', 'cash', 'check', 'direct_debit', 'other'] as const

export const Payment = Type.Object({
  id: IntegerId,
  invoice_id: IntegerId,
  amount: Type.Number({ description: "In the currency's major unit." }),
  amount_minor: Type.Integer({ description: "In the currency's smallest unit." }),
  currency: Type.String({ description: 'ISO 4217 code.' }),
  method: OneOf(methods),
  reference: Nullable(Type.String({ description: 'What the payment can be found by elsewhere.' })),
  paid_at: Timestamp,
  created_at: Timestamp,
  reversed_at: Nullable({ ...Timestamp, description: 'Since when it counts no more; null while it counts.' }),
  reversal_reason: Nullable(Type.String({ description: 'Why it was reversed.' })),
})

export function presentPayment(row: PaymentRow): Static<typeof Payment> {
  const { amount_minor, currency, ...rest } = row
  const method = row.method as (typeof methods)[number]
  const amount = toDecimalNumber(amount_minor, currency)
  return { ...rest, amount, amount_minor, currency, method }
}

export const samplePayment: Static<typeof Payment> = {
  id: 88,
  invoice_id: 412,
  amount: 500,
  amount_minor: 50000,
  currency: 'USD',
  method: 'bank_transfer',
  reference: 'E2E-2026-11-30-17',
  paid_at: '2026-11-30T09:12:04.306Z',
  created_at: '2026-11-30T09:12:04.318Z',
  reversed_at: null,
  reversal_reason: null,
}
