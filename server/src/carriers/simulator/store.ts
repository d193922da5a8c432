// SQL of the simulator: what it will report, durable from the moment it accepts a message.
import type { Db } from '../../kernel/data/db.ts'
import { textColumn } from '../../kernel/data/pg_array.ts'
import { newId } from '../../kernel/values/ids.ts'
import type { InboundMessage, Receipt } from '../../modules/messaging/carrier.ts'

/** Without tenant and time, which stand in the row. */
export type PlannedItem = { receipt: Omit<Receipt, 'tenantId' | 'at'> } | { inbound: Omit<InboundMessage, 'tenantId'> }

export type Plan = { tenantId: number; delayMs: number; items: PlannedItem[] }

export async function insertPlans(db: Db, carrier: string, plans: readonly Plan[]): Promise<void> {
  if (plans.length === 0) return
  await db.work('plan_simulator_receipts', 'select plan_simulator_receipts($1, $2, $3, $4, $5)', [
    carrier,
    plans.map(plan => plan.tenantId),
    plans.map(() => newId('sim')),
    plans.map(plan => plan.delayMs / 1000),
    textColumn(plans, plan => JSON.stringify(plan.items)),
  ])
}

export type DueRow = { tenant_id: number; items: PlannedItem[]; due_at: string }

export function claimPlans(
  db: Db,
  carrier: string,
  { token, limit, leaseMs }: { token: string; limit: number; leaseMs: number },
): Promise<DueRow[]> {
  return db.work('claim_simulator_receipts', 'select * from claim_simulator_receipts($1, $2, $3, $4)', [
    carrier,
    token,
    limit,
    leaseMs / 1000,
  ])
}

export async function removePlans(db: Db, token: string): Promise<void> {
  await db.work('finish_simulator_receipts', 'select finish_simulator_receipts($1)', [token])
}
