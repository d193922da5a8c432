// SQL of organizations. Each has two tenants, one a mode; settings hold for both.
import { sql } from 'kysely'
import type { OrganizationState } from '../../../kernel/access/principal.ts'
import type { Scope, Tx } from '../../../kernel/data/db.ts'

export type OrganizationRow = {
  id: number
  name: string
  time_zone: string
  currency: string
  default_country: string | null
  duplicate_mode: 'block' | 'warn' | 'off'
  invoice_numbering: 'on_create' | 'on_issue'
  state: OrganizationState
  state_reason: string | null
  closes_at: string | null
  owner_user_id: number | null
  version: number
  created_at: string
}

const columns = [
  'id',
  'name',
  'time_zone',
  'currency',
  'default_country',
  'duplicate_mode',
  'invoice_numbering',
  'state',
  'state_reason',
  'closes_at',
  'owner_user_id',
  'version',
  'created_at',
] as const

export async function findOrganization(tx: Tx, scope: Scope): Promise<OrganizationRow> {
  return tx
    .selectFrom('organizations')
    .select(columns)
    .where('id', '=', scope.organizationId)
    .$castTo<OrganizationRow>()
    .executeTakeFirstOrThrow()
}

/** Makes changes to who administers an organization happen one after the other. */
export async function lockOrganization(tx: Tx, scope: Scope): Promise<void> {
  await tx.selectFrom('organizations').select('id').where('id', '=', scope.organizationId).forNoKeyUpdate().execute()
}

export type OrganizationChange = Partial<
  Pick<OrganizationRow, 'name' | 'time_zone' | 'currency' | 'default_country' | 'duplicate_mode' | 'invoice_numbering'>
>

export async function changeOrganization(tx: Tx, scope: Scope, change: OrganizationChange): Promise<OrganizationRow> {
  return tx
    .updateTable('organizations')
    .set({ ...change, version: sql`version + 1`, updated_at: sql`now()` })
    .where('id', '=', scope.organizationId)
    .returning(columns)
    .$castTo<OrganizationRow>()
    .executeTakeFirstOrThrow()
}

/** The tenant of each mode. */
export async function findTenants(tx: Tx, scope: Scope): Promise<{ live: number; test: number }> {
  const rows = await tx
    .selectFrom('tenants')
    .select(['id', 'mode'])
    .where('organization_id', '=', scope.organizationId)
    .execute()
  const idOf = (mode: string) => (rows.find(row => row.mode === mode) as { id: number }).id
  return { live: idOf('live'), test: idOf('test') }
}

/** The tenant of a mode of any organization. */
export async function findTenantOf(tx: Tx, organizationId: number, mode: 'live' | 'test'): Promise<number> {
  const { rows } = await sql<{ id: number }>`select tenant_of(${organizationId}, ${mode}) as id`.execute(tx)
  return rows[0]!.id
}

/** Who owns the organization: one of its Admins. */
export async function findOwnerId(tx: Tx, { organizationId }: Scope): Promise<number | null> {
  const { owner_user_id } = await tx
    .selectFrom('organizations')
    .select('owner_user_id')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return owner_user_id
}
