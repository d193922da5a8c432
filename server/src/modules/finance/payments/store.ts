// SQL of payments. Nothing here adds up: what was paid on an invoice is the sum of these rows.
import type { Scope, Tx } from '../../../kernel/data/db.ts'

export type PaymentRow = {
  id: number
  invoice_id: number
  amount_minor: number
  currency: string
  method: string
  reference: string | null
  paid_at: string
  created_at: string
}

const columns = [
  'id',
  'invoice_id',
  'amount_minor',
  'currency',
  'method',
  'reference',
  'paid_at',
  'created_at',
] as const

export type NewPayment = Omit<PaymentRow, 'id' | 'created_at'>

export async function insertPayment(tx: Tx, scope: Scope, payment: NewPayment): Promise<PaymentRow> {
  return tx
    .insertInto('payments')
    .values({ tenant_id: scope.tenantId, ...payment })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** The payments of an invoice in the order they were recorded. */
export async function listPayments(tx: Tx, scope: Scope, invoiceId: number): Promise<PaymentRow[]> {
  return tx
    .selectFrom('payments')
    .select(columns)
    .where('tenant_id', '=', scope.tenantId)
    .where('invoice_id', '=', invoiceId)
    .orderBy('id')
    .execute()
}
