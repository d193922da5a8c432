// SQL of trunks and of what is known of each. Secrets pass through here sealed.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import { textColumn } from '../../../kernel/data/pg_array.ts'
import { createLinkStore, type LinkRecord } from '../../../kernel/links/link_store.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import type { TrunkKindName, TrunkReport } from './kind.ts'
import type { Route, StateRow } from './rules.ts'

/** How many a tenant may have: each is watched, and all share the process. */
export const maxTrunks = 50

export type TrunkRow = LinkRecord<Route> & { kind: TrunkKindName; secrets_set: string[]; currency: string }

export const trunkStore = createLinkStore<TrunkRow>({
  table: 'trunks',
  noun: 'trunk',
  own: ['kind', 'secrets_set', 'currency'],
})

export const { find: findTrunk, list: listTrunks, tryLocks: tryLockTrunks, unlock: unlockTrunk } = trunkStore

export async function listStates(tx: Tx, { tenantId }: Scope, trunkIds: readonly string[]): Promise<StateRow[]> {
  const rows = await tx
    .selectFrom('trunk_states')
    .select(['trunk_id', 'state', 'since', 'last_error', 'counters', 'updated_at'])
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`trunk_id = any(${trunkIds}::text[])`)
    .execute()
  return rows as unknown as StateRow[]
}

/** Whether the tenant has a trunk, or one that is switched on, whether or not a process has taken it up. */
export async function hasTrunk(tx: Tx, { tenantId }: Scope, options: { enabled?: true } = {}): Promise<boolean> {
  const query = tx.selectFrom('trunks').select('id').where('tenant_id', '=', tenantId).limit(1)
  const asked = options.enabled ? query.where('enabled', '=', true) : query
  return (await asked.executeTakeFirst()) !== undefined
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

/** Calls a second of a trunk that says nothing of it; see settings.ts. */
const defaultPace = 5

/** Whether more calls of the tenant wait to be dialled than its trunks start in so many seconds; never without a trunk. */
export async function waitsTooLong(tx: Tx, { tenantId }: Scope, seconds: number): Promise<boolean> {
  const { rows } = await sql<{ is_full: boolean }>`
    with paces as (
      select sum(coalesce((settings ->> 'callsPerSecond')::float8, ${defaultPace})) as together
      from trunks where tenant_id = ${tenantId} and enabled
    )
    -- As many are passed over as there is time for: a short queue is short to read.
    select exists (
      select from call_jobs where tenant_id = ${tenantId} and kind = 'originate'
      offset (select ceil(coalesce(together, 0) * ${seconds})::bigint from paces)
    ) and (select together is not null from paces) as is_full`.execute(tx)
  return rows[0]?.is_full === true
}

export type EnabledTrunk = { tenant_id: number; organization_id: number; id: string; settings_version: number }

/** Every trunk of every tenant that calls may take. */
export function listEnabledTrunks(db: Db): Promise<EnabledTrunk[]> {
  return db.work('enabled_trunks', 'select tenant_id, organization_id, id, settings_version from enabled_trunks()', [])
}

export type TrunkStateReport = TrunkReport & { tenantId: number; trunkId: string }

/** Writes down what this process reports of its trunks. */
export async function writeStates(db: Db, owner: string, reports: readonly TrunkStateReport[]): Promise<void> {
  if (reports.length === 0) return
  await db.work('write_trunk_states', 'select write_trunk_states($1, $2, $3, $4, $5, $6, $7)', [
    owner,
    reports.map(trunk => trunk.tenantId),
    reports.map(trunk => trunk.trunkId),
    reports.map(trunk => trunk.state),
    reports.map(trunk => isoMs(trunk.stateSinceMs)),
    textColumn(reports, trunk => trunk.lastError),
    textColumn(reports, trunk => JSON.stringify(trunk.counters)),
  ])
}
