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
  password_min: number | null
  api_keys_max_days: number | null
  version: number
}

const columns = [
  'require_second_factor',
  'trust_device_days',
  'session_idle_minutes',
  'session_max_hours',
  'allowed_addresses',
  'magic_link',
  'password_min',
  'api_keys_max_days',
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
  password_min: null,
  api_keys_max_days: null,
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

/** A login that is open in the organization. */
export type OpenLogin = { user_id: number; ip: string | null; idle_for: number; open_for: number }

/** Those that no policy has ended yet. */
export async function listOpenLogins(tx: Tx, { organizationId }: Scope, policy: SecurityPolicy): Promise<OpenLogin[]> {
  const { rows } = await sql<OpenLogin>`
    select * from open_logins_of(${organizationId}, ${policy.session_idle_minutes * 60}, ${policy.session_max_hours * 3_600})`.execute(
    tx,
  )
  return rows
}

/** API keys that work and live longer than so many days from now, or for ever. */
export async function countLongKeys(tx: Tx, { organizationId }: Scope, until: string, now: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from api_keys
    where organization_id = ${organizationId} and (revoked_at is null or revoked_at > ${now})
      and (expires_at is null or expires_at > ${until})`.execute(tx)
  return rows[0]?.count ?? 0
}

/** The longest that an organization of a person asks passwords to be; the transaction may be any. */
export async function findPasswordMin(tx: Tx, accountId: number): Promise<number> {
  const { rows } = await sql<{ least: number | null }>`select account_password_min(${accountId}) as least`.execute(tx)
  return rows[0]?.least ?? 0
}
