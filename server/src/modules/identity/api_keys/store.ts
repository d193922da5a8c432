// SQL of API keys. Secrets are not stored, only their keyed hash; the row is the organization's, the key acts in one
// tenant.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { CustomRoleRow } from '../../../kernel/values/custom_role.ts'
import type { Permission, Role } from '../../../kernel/values/permission.ts'
import type { KeyReach } from './rules.ts'

export type KeyRow = {
  id: string
  user_id: number
  tenant_id: number
  name: string
  mode: 'live' | 'test'
  scopes: Permission[] | null
  last_four: string
  expires_at: string | null
  created_at: string
  last_used_at: string | null
  replaced_by: string | null
  revoked_at: string | null
  /** The key it was made with; null for those of people. */
  parent_id: string | null
}

const columns = [
  'id',
  'user_id',
  'tenant_id',
  'name',
  'mode',
  'scopes',
  'last_four',
  'expires_at',
  'created_at',
  'last_used_at',
  'replaced_by',
  'revoked_at',
  'parent_id',
] as const

export type NewKey = Pick<
  KeyRow,
  'id' | 'user_id' | 'tenant_id' | 'name' | 'mode' | 'scopes' | 'last_four' | 'expires_at' | 'parent_id'
> & {
  hash: Buffer
  /** That the hash is made with. */
  pepper_version: number
}

export async function insertKey(tx: Tx, scope: Scope, key: NewKey): Promise<KeyRow> {
  const values = { organization_id: scope.organizationId, ...key }
  return (await tx.insertInto('api_keys').values(values).returning(columns).executeTakeFirstOrThrow()) as KeyRow
}

/** A key that a request found, the role of its owner, and whether it is dead. */
export type FoundKey = KeyRow & { dead: boolean; role: Role; custom: CustomRoleRow | null }

/** The key within reach, its row locked, and whether it is dead: by the database's clock, or ours when that is ahead. */
export async function lockKey(
  tx: Tx,
  scope: Scope,
  reach: KeyReach,
  id: string,
  nowMs: number,
): Promise<FoundKey | undefined> {
  const row = await within(tx, scope, reach)
    .select(columns)
    .select([endedBy(nowMs).as('dead'), roleOfOwner.as('role'), customOfOwner.as('custom')])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row as FoundKey | undefined
}

/** The key a request came with, kept from being changed until the transaction ends. */
export async function holdKey(tx: Tx, { organizationId }: Scope, id: string, nowMs: number) {
  return tx
    .selectFrom('api_keys')
    .select(['id', 'expires_at', 'revoked_at'])
    .select(endedBy(nowMs).as('dead'))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forShare()
    .executeTakeFirstOrThrow()
}

const ofOwner = sql`from users u where u.organization_id = api_keys.organization_id and u.id = api_keys.user_id`
const roleOfOwner = sql<Role>`(select u.role ${ofOwner})`
const customOfOwner = sql<CustomRoleRow | null>`(select custom_role(u.organization_id, u.id, u.role_id) ${ofOwner})`

function endedBy(nowMs: number) {
  const now = new Date(nowMs).toISOString()
  return sql<boolean>`coalesce(least(revoked_at, expires_at) <= greatest(clock_timestamp(), ${now}::timestamptz), false)`
}

/** How many keys work in a tenant, of a user and in all; until the transaction ends nobody else makes one there. */
export async function countKeys(
  tx: Tx,
  scope: Scope,
  userId: number,
  tenantId: number,
  nowMs: number,
): Promise<{ ofUser: number; ofTenant: number }> {
  await sql`select pg_advisory_xact_lock(hashtextextended('api_keys', ${tenantId}))`.execute(tx)
  const { user, tenant } = await tx
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<number>().filterWhere('user_id', '=', userId).as('user'))
    .select(({ fn }) => fn.countAll<number>().as('tenant'))
    .where('organization_id', '=', scope.organizationId)
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`not ${endedBy(nowMs)}`)
    .executeTakeFirstOrThrow()
  return { ofUser: Number(user), ofTenant: Number(tenant) }
}

/** Gives the keys that one key made to another. */
export async function changeParent(tx: Tx, { organizationId }: Scope, from: string, to: string): Promise<void> {
  await tx
    .updateTable('api_keys')
    .set({ parent_id: to })
    .where('organization_id', '=', organizationId)
    .where('parent_id', '=', from)
    .where('id', '!=', to)
    .execute()
}

const works = sql`coalesce(least(k.revoked_at, k.expires_at) > clock_timestamp(), true)`
const shown = sql.raw(columns.map(column => `k.${column}`).join(', '))

/**
 * Ends at once all that a key made, and what those made; answers those that worked until now. Keys may have made one another.
 */
export async function revokeChildren(tx: Tx, { organizationId }: Scope, id: string): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    with recursive family as (
      select ${id}::text collate "C" as id
      union
      select k.id from family f join api_keys k on k.organization_id = ${organizationId} and k.parent_id = f.id
    )
    update api_keys k set revoked_at = clock_timestamp()
    where k.organization_id = ${organizationId} and k.id in (select id from family where id <> ${id}) and ${works}
    returning ${shown}`.execute(tx)
  return rows
}

/** Ends all keys of a user; those that worked until now. */
export async function revokeKeysOf(tx: Tx, { organizationId }: Scope, userId: number): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    update api_keys k set revoked_at = clock_timestamp()
    where k.organization_id = ${organizationId} and k.user_id = ${userId} and ${works}
    returning ${shown}`.execute(tx)
  return rows
}

/** Ends a key in `afterSeconds`, unless it ends before. */
export async function revokeKey(
  tx: Tx,
  scope: Scope,
  id: string,
  { afterSeconds, replacedBy }: { afterSeconds: number; replacedBy?: string },
): Promise<KeyRow> {
  const row = await tx
    .updateTable('api_keys')
    .set({
      revoked_at: sql`least(revoked_at, clock_timestamp() + make_interval(secs => ${afterSeconds}))`,
      ...(replacedBy === undefined ? {} : { replaced_by: replacedBy }),
    })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
  return row as KeyRow
}

export type KeyFilter = { mode?: 'live' | 'test'; userId?: number; active?: boolean }

/** Keys within reach, newest first, one more than `limit` when there are more. */
export async function listKeys(
  tx: Tx,
  scope: Scope,
  reach: KeyReach,
  filter: KeyFilter,
  page: { limit: number; beforeId: string | undefined; nowMs: number },
): Promise<KeyRow[]> {
  let keys = within(tx, scope, reach).select(columns)
  if (filter.mode !== undefined) keys = keys.where('mode', '=', filter.mode)
  if (filter.userId !== undefined) keys = keys.where('user_id', '=', filter.userId)
  if (filter.active !== undefined) {
    const now = new Date(page.nowMs).toISOString()
    keys = keys.where(
      sql<boolean>`coalesce(least(revoked_at, expires_at) > ${now}::timestamptz, true) = ${filter.active}`,
    )
  }
  if (page.beforeId !== undefined) keys = keys.where('id', '<', page.beforeId)
  return (await keys
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()) as KeyRow[]
}

function within(tx: Tx, { organizationId }: Scope, reach: KeyReach) {
  let keys = tx.selectFrom('api_keys').where('organization_id', '=', organizationId)
  if (reach.userId !== null) keys = keys.where('user_id', '=', reach.userId)
  if (reach.mode !== null) keys = keys.where('mode', '=', reach.mode)
  return keys
}
