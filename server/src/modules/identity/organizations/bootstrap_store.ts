// Makes an organization with its live and test tenant, its first Admin and two API keys. Runs at the first start, for demo
// data and in tests, with the engine role, because no tenant exists yet whose rights it could use.
import type pg from 'pg'
import { hashApiKey, lastFour, newApiKey, newId } from '../../../kernel/values/ids.ts'
import type { Keyring } from '../../../kernel/values/keyring.ts'
import type { Role } from '../../../kernel/values/permission.ts'

export type NewOrganization = {
  name: string
  timeZone?: string
  currency?: string
  defaultCountry?: string | null
}

export type OrganizationIds = { organizationId: number; liveTenantId: number; testTenantId: number }

export async function insertOrganization(
  client: pg.ClientBase,
  organization: NewOrganization,
): Promise<OrganizationIds> {
  const { name, timeZone = 'UTC', currency = 'USD', defaultCountry = null } = organization
  const created = await client.query<{ id: number }>(
    'insert into organizations (name, time_zone, currency, default_country) values ($1, $2, $3, $4) returning id',
    [name, timeZone, currency, defaultCountry],
  )
  const organizationId = (created.rows[0] as { id: number }).id
  const tenants = await client.query<{ id: number; mode: string }>(
    "insert into tenants (organization_id, mode) values ($1, 'live'), ($1, 'test') returning id, mode",
    [organizationId],
  )
  const idOf = (mode: string) => (tenants.rows.find(row => row.mode === mode) as { id: number }).id
  return { organizationId, liveTenantId: idOf('live'), testTenantId: idOf('test') }
}

export type FirstUser = {
  email: string
  name: string
  role: Role
  passwordHash: string | null
  passwordEndsAt?: Date | undefined
}

/** Adds a person with an account; an Admin gets an administrator identifier made from the id, and the first one is the owner. */
export async function insertFirstUser(
  client: pg.ClientBase,
  organizationId: number,
  user: FirstUser,
): Promise<{ userId: number; adminId: string | null }> {
  const { rows } = await client.query<{ id: number }>(
    `insert into users (organization_id, email, name, role, account_id)
     values ($1, $2, $3, $4, make_account($2, $3, $5, false)) returning id`,
    [organizationId, user.email, user.name, user.role, user.passwordHash],
  )
  const { id: userId } = rows[0] as { id: number }
  // Who sets the installation up chose it, and no organization.
  await client.query(
    'update accounts set own_since = now() where id = (select account_id from users where organization_id = $1 and id = $2)',
    [organizationId, userId],
  )
  if (user.passwordEndsAt !== undefined)
    await client.query(
      'update accounts set password_ends_at = $2 where id = (select account_id from users where organization_id = $1 and id = $3)',
      [organizationId, user.passwordEndsAt.toISOString(), userId],
    )
  if (user.role !== 'Admin') return { userId, adminId: null }
  const adminId = adminIdOf(userId)
  await client.query('update users set admin_id = $1 where id = $2', [adminId, userId])
  await client.query('update organizations set owner_user_id = $2 where id = $1 and owner_user_id is null', [
    organizationId,
    userId,
  ])
  return { userId, adminId }
}

/** The administrator identifier of a user: logs in like the e-mail. */
export function adminIdOf(userId: number): string {
  return `ADM-${String(userId).padStart(6, '0')}`
}

export type FirstKey = { organizationId: number; tenantId: number; userId: number; mode: 'live' | 'test'; name: string }

/** Adds an API key with all of its owner's rights and returns its secret, which is stored nowhere. */
export async function insertFirstKey(client: pg.ClientBase, keyring: Keyring, key: FirstKey): Promise<string> {
  const secret = newApiKey(key.mode)
  await client.query(
    `insert into api_keys (organization_id, id, tenant_id, user_id, name, mode, hash, last_four, pepper_version)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      key.organizationId,
      newId('key'),
      key.tenantId,
      key.userId,
      key.name,
      key.mode,
      hashApiKey(keyring, secret),
      lastFour(secret),
      keyring.pepperVersion,
    ],
  )
  return secret
}
