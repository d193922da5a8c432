// SQL of trunks and of what is known of each. Secrets pass through here sealed.
import { sql } from 'kysely'
import { isoMs } from '../../../kernel/clock.ts'
import type { Db, DbSession, Scope, Tx } from '../../../kernel/db.ts'
import { textColumn } from '../../../kernel/pg_array.ts'
import type { Settings } from '../../../kernel/settings.ts'
import type { TrunkReport } from './kind.ts'
import type { Route, StateRow } from './rules.ts'

/** How many a tenant may have: each is watched, and all share the process. */
export const maxTrunks = 50

export type TrunkRow = {
  id: string
  name: string
  settings: Settings
  secrets: string | null
  secrets_set: string[]
  routes: Route[]
  enabled: boolean
  version: number
  settings_version: number
  sequence: number
  created_at: string
  updated_at: string
}

const columns = [
  'id',
  'name',
  'settings',
  'secrets',
  'secrets_set',
  'routes',
  'enabled',
  'version',
  'settings_version',
  'sequence',
  'created_at',
  'updated_at',
] as const

export type NewTrunk = Pick<TrunkRow, 'id' | 'name' | 'settings' | 'secrets' | 'secrets_set' | 'routes' | 'enabled'>

const json = (value: unknown) => JSON.stringify(value)

export async function insertTrunk(tx: Tx, { tenantId }: Scope, trunk: NewTrunk): Promise<TrunkRow> {
  const values = { ...trunk, tenant_id: tenantId, settings: json(trunk.settings), routes: json(trunk.routes) }
  return (await tx.insertInto('trunks').values(values).returning(columns).executeTakeFirstOrThrow()) as TrunkRow
}

/** How many trunks the tenant has; others that count wait for this transaction. */
export async function countTrunks(tx: Tx, { tenantId }: Scope): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('trunks', ${tenantId}))`.execute(tx)
  const { count } = await tx
    .selectFrom('trunks')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function findTrunk(tx: Tx, { tenantId }: Scope, id: string): Promise<TrunkRow | undefined> {
  const query = tx.selectFrom('trunks').select(columns).where('tenant_id', '=', tenantId).where('id', '=', id)
  return (await query.executeTakeFirst()) as TrunkRow | undefined
}

export async function lockTrunk(tx: Tx, { tenantId }: Scope, id: string): Promise<TrunkRow | undefined> {
  const query = tx.selectFrom('trunks').select(columns).where('tenant_id', '=', tenantId).where('id', '=', id)
  return (await query.forUpdate().executeTakeFirst()) as TrunkRow | undefined
}

/** Newest first, one more than `limit` when there are more. */
export async function listTrunks(
  tx: Tx,
  { tenantId }: Scope,
  { enabled }: { enabled?: boolean },
  { limit, beforeId }: { limit: number; beforeId: string | undefined },
): Promise<TrunkRow[]> {
  let query = tx.selectFrom('trunks').select(columns).where('tenant_id', '=', tenantId)
  if (enabled !== undefined) query = query.where('enabled', '=', enabled)
  if (beforeId !== undefined) query = query.where('id', '<', beforeId)
  return (await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()) as TrunkRow[]
}

export type TrunkChange = Partial<
  Pick<TrunkRow, 'name' | 'settings' | 'secrets' | 'secrets_set' | 'routes' | 'enabled' | 'settings_version'>
>

/** Changes a locked trunk and counts its version and its events up. */
export async function changeTrunk(
  tx: Tx,
  { tenantId }: Scope,
  row: TrunkRow,
  { settings, routes, ...rest }: TrunkChange,
): Promise<TrunkRow> {
  const changed = await tx
    .updateTable('trunks')
    .set({
      ...rest,
      ...(settings === undefined ? {} : { settings: json(settings) }),
      ...(routes === undefined ? {} : { routes: json(routes) }),
      // One that is switched on again says anew in what state it is.
      ...(rest.enabled === undefined ? {} : { told_state: null }),
      version: row.version + 1,
      sequence: row.sequence + 1,
      updated_at: sql<string>`now()`,
    })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', row.id)
    .returning(columns)
    .executeTakeFirstOrThrow()
  return changed as TrunkRow
}

/** Removes a trunk; its state goes with it. */
export async function removeTrunk(tx: Tx, { tenantId }: Scope, id: string): Promise<void> {
  await tx.deleteFrom('trunks').where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}

export async function listStates(tx: Tx, { tenantId }: Scope, trunkIds: readonly string[]): Promise<StateRow[]> {
  const rows = await tx
    .selectFrom('trunk_states')
    .select(['trunk_id', 'state', 'since', 'last_error', 'counters', 'updated_at'])
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`trunk_id = any(${trunkIds}::text[])`)
    .execute()
  return rows as unknown as StateRow[]
}

/** Whether the tenant has a trunk, switched on or not. */
export async function hasTrunk(tx: Tx, { tenantId }: Scope): Promise<boolean> {
  const query = tx.selectFrom('trunks').select('id').where('tenant_id', '=', tenantId).limit(1)
  return (await query.executeTakeFirst()) !== undefined
}

/**
 * Which numbers calls of a tenant may show: any until it has a trunk, and as long as one that is switched on shows foreign
 * ones; else its own.
 */
export async function allowedCallerIds(tx: Tx, { tenantId }: Scope): Promise<'any' | 'own'> {
  const { rows } = await sql<{ any: boolean }>`
    select coalesce(bool_or(enabled and coalesce(settings ->> 'foreignCallerIds', '') = 'true'), true) as any
    from trunks where tenant_id = ${tenantId}`.execute(tx)
  return rows[0]?.any === true ? 'any' : 'own'
}

export type EnabledTrunk = { tenant_id: number; organization_id: number; id: string; settings_version: number }

/** Every trunk of every tenant that calls may take. */
export function listEnabledTrunks(db: Db): Promise<EnabledTrunk[]> {
  return db.work('enabled_trunks', 'select tenant_id, organization_id, id, settings_version from enabled_trunks()', [])
}

/** Takes the locks of trunks for this session as far as no other session has them; answers `<tenant> <id>` of those. */
export async function tryLockTrunks(
  session: DbSession,
  trunks: readonly Pick<EnabledTrunk, 'tenant_id' | 'id'>[],
): Promise<Set<string>> {
  if (trunks.length === 0) return new Set()
  const keys = trunks.map(({ tenant_id, id }) => `${tenant_id} ${id}`)
  const rows = await session.query<{ key: string; taken: boolean }>(
    `select key, pg_try_advisory_lock(hashtextextended('trunk ' || key, 0)) as taken from unnest($1::text[]) as u (key)`,
    [keys],
  )
  return new Set(rows.filter(row => row.taken).map(row => row.key))
}

export async function unlockTrunk(session: DbSession, tenantId: number, id: string): Promise<void> {
  await session.query('select pg_advisory_unlock(hashtextextended($1, 0))', [`trunk ${tenantId} ${id}`])
}

/**
 * Notes that an event tells this state; answers its sequence, or undefined when that state was told last or the trunk is not
 * in use any more.
 */
export async function changeToldState(
  tx: Tx,
  { tenantId }: Scope,
  id: string,
  state: 'up' | 'down',
): Promise<{ name: string; sequence: number } | undefined> {
  return tx
    .updateTable('trunks')
    .set({ told_state: state, sequence: sql<number>`sequence + 1` })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('enabled', '=', true)
    .where(sql<boolean>`told_state is distinct from ${state}`)
    .returning(['name', 'sequence'])
    .executeTakeFirst()
}

/** The sequence of one more event about a trunk. */
export async function nextSequence(
  tx: Tx,
  { tenantId }: Scope,
  id: string,
): Promise<{ name: string; sequence: number } | undefined> {
  return tx
    .updateTable('trunks')
    .set({ sequence: sql<number>`sequence + 1` })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .returning(['name', 'sequence'])
    .executeTakeFirst()
}

export type StateTold = TrunkReport & { tenantId: number; trunkId: string }

/** Writes down what this process tells of its trunks. */
export async function writeStates(db: Db, owner: string, told: readonly StateTold[]): Promise<void> {
  if (told.length === 0) return
  await db.work('write_trunk_states', 'select write_trunk_states($1, $2, $3, $4, $5, $6, $7)', [
    owner,
    told.map(trunk => trunk.tenantId),
    told.map(trunk => trunk.trunkId),
    told.map(trunk => trunk.state),
    told.map(trunk => isoMs(trunk.stateSinceMs)),
    textColumn(told, trunk => trunk.lastError),
    textColumn(told, trunk => json(trunk.counters)),
  ])
}
