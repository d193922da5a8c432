// SQL of what an organization asks of everybody who logs in to it.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'

export type SecurityPolicy = {
  require_second_factor: boolean
  trust_device_days: number
  session_idle_minutes: number
  session_max_hours: number
  allowed_addresses: string[]
  magic_link: boolean
  version: number
}

const columns = [
  'require_second_factor',
  'trust_device_days',
  'session_idle_minutes',
  'session_max_hours',
  'allowed_addresses',
  'magic_link',
  'version',
] as const

/** What holds where nobody has said anything: the defaults of the table. */
export const usualPolicy: SecurityPolicy = {
  require_second_factor: false,
  trust_device_days: 30,
  session_idle_minutes: 20_160,
  session_max_hours: 2_160,
  allowed_addresses: [],
  magic_link: false,
  version: 1,
}

export async function findPolicy(tx: Tx, { organizationId }: Pick<Scope, 'organizationId'>): Promise<SecurityPolicy> {
  const row = await tx
    .selectFrom('security_policies')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return row ?? usualPolicy
}

export async function changePolicy(
  tx: Tx,
  { organizationId }: Scope,
  change: Partial<Omit<SecurityPolicy, 'version'>>,
): Promise<SecurityPolicy> {
  return tx
    .insertInto('security_policies')
    .values({ organization_id: organizationId, version: 2, ...change })
    .onConflict(conflict =>
      conflict
        .column('organization_id')
        .doUpdateSet({ ...change, version: sql`security_policies.version + 1`, updated_at: sql`now()` }),
    )
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Active people of the organization, and how many of them have no second factor yet. */
export async function countMembers(
  tx: Tx,
  { organizationId }: Scope,
): Promise<{ members: number; withoutFactor: number }> {
  const { rows } = await sql<{ members: number; without_factor: number }>`
    select * from members_without_factor(${organizationId})`.execute(tx)
  return { members: rows[0]?.members ?? 0, withoutFactor: rows[0]?.without_factor ?? 0 }
}
