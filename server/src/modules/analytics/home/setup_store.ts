// SQL of whether an organization has begun: whether there is anything yet of what it works with.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'

export type Begun = { leads: boolean; people: boolean; carriers: boolean; invoices: boolean }

/** Of people, whether anybody else is in it, or invited. */
export async function findBegun(tx: Tx, { tenantId, organizationId }: Scope): Promise<Begun> {
  const { rows } = await sql<Begun>`
    select exists (select from leads where tenant_id = ${tenantId}) as leads,
      exists (select from invoices where tenant_id = ${tenantId}) as invoices,
      exists (select from carriers where tenant_id = ${tenantId}) as carriers,
      (select count(*) from (select from users where organization_id = ${organizationId} and kind = 'person'
          and removed_at is null limit 2) u) > 1
        or exists (select from invitations where organization_id = ${organizationId} and state = 'pending') as people`.execute(
    tx,
  )
  return rows[0]!
}
