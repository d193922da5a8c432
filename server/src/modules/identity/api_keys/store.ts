// SQL of API keys. Secrets are not stored, only their keyed hash; the row is the organization's, the key acts in one
// tenant.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/db.ts'
import type { KeyReach } from './rules.ts'

export type KeyRow = {
  id: string
  user_id: number
  tenant_id: number
  name: string
  mode: 'live' | 'test'
  scopes: string[] | null
  last_four: string
  expires_at: string | null
  created_at: string
  last_used_at: string | null
  replaced_by: string | null
  revoked_at: string | null
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
] as const

export type NewKey = Pick<
  KeyRow,
  'id' | 'user_id' | 'tenant_id' | 'name' | 'mode' | 'scopes' | 'last_four' | 'expires_at'
> & {
  hash: Buffer
}

export async function insertKey(tx: Tx, scope: Scope, key: NewKey): Promise<KeyRow> {
  const values = { organization_id: scope.organizationId, ...key }
  return (await tx.insertInto('api_keys').values(values).returning(columns).executeTakeFirstOrThrow()) as KeyRow
}

/** The key within reach, its row locked, and whether it is dead: by the database's clock, or ours when that is ahead. */
export async function lockKey(
  tx: Tx,
  scope: Scope,
  reach: KeyReach,
  id: string,
  nowMs: number,
): Promise<(KeyRow & { dead: boolean }) | undefined> {
  const now = new Date(nowMs).toISOString()
  const latest = sql`greatest(clock_timestamp(), ${now}::timestamptz)`
  const dead = sql<boolean>`coalesce(least(revoked_at, expires_at) <= ${latest}, false)`
  const row = await within(tx, scope, reach)
    .select(columns)
    .select(dead.as('dead'))
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row as (KeyRow & { dead: boolean }) | undefined
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
