// SQL of payments. Nothing here adds up: what was paid on an invoice is the sum of these rows but those that were reversed.
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
  reversed_at: string | null
  reversal_reason: string | null
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
  'reversed_at',
  'reversal_reason',
] as const

export type NewPayment = Omit<PaymentRow, 'id' | 'created_at' | 'reversed_at' | 'reversal_reason'>

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

/** When the last payment of an invoice that counts arrived; null where there is none. */
export async function lastPaidAt(tx: Tx, scope: Scope, invoiceId: number): Promise<string | null> {
  const row = await tx
    .selectFrom('payments')
    .select('paid_at')
    .where('tenant_id', '=', scope.tenantId)
    .where('invoice_id', '=', invoiceId)
    .where('reversed_at', 'is', null)
    .orderBy('paid_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.paid_at ?? null
}

export async function findPayment(
  tx: Tx,
  scope: Scope,
  { invoiceId, id }: { invoiceId: number; id: number },
): Promise<PaymentRow | undefined> {
  return tx
    .selectFrom('payments')
    .select(columns)
    .where('tenant_id', '=', scope.tenantId)
    .where('invoice_id', '=', invoiceId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Marks a payment as reversed. Its invoice is locked. */
export async function markReversed(
  tx: Tx,
  scope: Scope,
  { id, at, reason }: { id: number; at: string; reason: string },
): Promise<PaymentRow> {
  return tx
    .updateTable('payments')
    .set({ reversed_at: at, reversal_reason: reason })
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}
