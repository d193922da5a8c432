// SQL of carriers and their links. Secrets pass through here sealed.
import { sql } from 'kysely'
import { isoMs } from '../../../kernel/clock.ts'
import type { Db, DbSession, Scope, Tx } from '../../../kernel/db.ts'
import { firstIdAt } from '../../../kernel/ids.ts'
import { textColumn } from '../../../kernel/pg_array.ts'
import type { Settings } from '../../../kernel/settings.ts'
import type { Route } from '../routing.ts'
import type { LinkReport } from './kind.ts'
import type { LinkRow } from './rules.ts'

export type CarrierRow = {
  id: string
  kind: string
  name: string
  settings: Settings
  secrets: string | null
  routes: Route[]
  currency: string
  enabled: boolean
  version: number
  settings_version: number
  sequence: number
  inbound_era: string
  created_at: string
  updated_at: string
}

const columns = [
  'id',
  'kind',
  'name',
  'settings',
  'secrets',
  'routes',
  'currency',
  'enabled',
  'version',
  'settings_version',
  'sequence',
  'inbound_era',
  'created_at',
  'updated_at',
] as const

export type NewCarrier = Pick<
  CarrierRow,
  'id' | 'kind' | 'name' | 'settings' | 'secrets' | 'routes' | 'currency' | 'enabled' | 'inbound_era'
>

const json = (value: unknown) => JSON.stringify(value)

export async function insertCarrier(tx: Tx, { tenantId }: Scope, carrier: NewCarrier): Promise<CarrierRow> {
  const values = { ...carrier, tenant_id: tenantId, settings: json(carrier.settings), routes: json(carrier.routes) }
  return (await tx.insertInto('carriers').values(values).returning(columns).executeTakeFirstOrThrow()) as CarrierRow
}

/** How many carriers the tenant has; others that count wait for this transaction. */
export async function countCarriers(tx: Tx, { tenantId }: Scope): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('carriers', ${tenantId}))`.execute(tx)
  const { count } = await tx
    .selectFrom('carriers')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function findCarrier(tx: Tx, { tenantId }: Scope, id: string): Promise<CarrierRow | undefined> {
  const query = tx.selectFrom('carriers').select(columns).where('tenant_id', '=', tenantId).where('id', '=', id)
  return (await query.executeTakeFirst()) as CarrierRow | undefined
}

export async function lockCarrier(tx: Tx, { tenantId }: Scope, id: string): Promise<CarrierRow | undefined> {
  const query = tx.selectFrom('carriers').select(columns).where('tenant_id', '=', tenantId).where('id', '=', id)
  return (await query.forUpdate().executeTakeFirst()) as CarrierRow | undefined
}

/** Newest first, one more than `limit` when there are more. */
export async function listCarriers(
  tx: Tx,
  { tenantId }: Scope,
  { enabled }: { enabled?: boolean },
  { limit, beforeId }: { limit: number; beforeId: string | undefined },
): Promise<CarrierRow[]> {
  let query = tx.selectFrom('carriers').select(columns).where('tenant_id', '=', tenantId)
  if (enabled !== undefined) query = query.where('enabled', '=', enabled)
  if (beforeId !== undefined) query = query.where('id', '<', beforeId)
  return (await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()) as CarrierRow[]
}

export type CarrierChange = Partial<
  Pick<CarrierRow, 'name' | 'settings' | 'secrets' | 'routes' | 'currency' | 'enabled' | 'settings_version'>
>

/** Changes a locked carrier and counts its version and its events up. */
export async function changeCarrier(
  tx: Tx,
  { tenantId }: Scope,
  row: CarrierRow,
  { settings, routes, ...rest }: CarrierChange,
): Promise<CarrierRow> {
  const changed = await tx
    .updateTable('carriers')
    .set({
      ...rest,
      ...(settings === undefined ? {} : { settings: json(settings) }),
      ...(routes === undefined ? {} : { routes: json(routes) }),
      // Whoever is switched on again says anew in what state the links are.
      ...(rest.enabled === undefined ? {} : { told_state: null }),
      version: row.version + 1,
      sequence: row.sequence + 1,
      updated_at: sql<string>`now()`,
    })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', row.id)
    .returning(columns)
    .executeTakeFirstOrThrow()
  return changed as CarrierRow
}

/** Removes a carrier; its links go with it. */
export async function removeCarrier(tx: Tx, { tenantId }: Scope, id: string): Promise<void> {
  await tx.deleteFrom('carriers').where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}

export async function listLinks(tx: Tx, { tenantId }: Scope, carrierIds: readonly string[]): Promise<LinkRow[]> {
  const rows = await tx
    .selectFrom('carrier_links')
    .select(['carrier_id', 'link', 'role', 'state', 'state_since', 'last_error', 'counters', 'updated_at'])
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`carrier_id = any(${carrierIds}::text[])`)
    .orderBy('carrier_id')
    .orderBy('link')
    .execute()
  return rows as unknown as LinkRow[]
}

/** Jobs counted for each carrier; a job is one message or many that were accepted together. */
const mostJobs = 10_000

export type Backlog = { carrier_id: string; messages: number; oldest_due_at: string | null }

/** What waits for each carrier. */
export async function listBacklog(tx: Tx, carrierIds: readonly string[]): Promise<Backlog[]> {
  const { rows } = await sql<Backlog>`
    select carrier_id, messages, oldest_due_at from carrier_backlog(${carrierIds}::text[], ${mostJobs})`.execute(tx)
  return rows
}

export type EnabledCarrier = {
  tenant_id: number
  organization_id: number
  id: string
  kind: string
  settings_version: number
}

/** Every carrier of every tenant whose links are to be up, read by the session that holds their locks. */
export function listEnabledCarriers(session: DbSession): Promise<EnabledCarrier[]> {
  return session.query('select tenant_id, organization_id, id, kind, settings_version from enabled_carriers()', [])
}

/** Takes the locks of carriers for this session as far as no other session has them; answers `<tenant> <id>` of those. */
export async function tryLockLinks(
  session: DbSession,
  carriers: readonly Pick<EnabledCarrier, 'tenant_id' | 'id'>[],
): Promise<Set<string>> {
  if (carriers.length === 0) return new Set()
  const keys = carriers.map(({ tenant_id, id }) => `${tenant_id} ${id}`)
  const rows = await session.query<{ key: string; taken: boolean }>(
    `select key, pg_try_advisory_lock(hashtextextended('carrier ' || key, 0)) as taken from unnest($1::text[]) as u (key)`,
    [keys],
  )
  return new Set(rows.filter(row => row.taken).map(row => row.key))
}

export async function unlockLinks(session: DbSession, tenantId: number, id: string): Promise<void> {
  await session.query('select pg_advisory_unlock(hashtextextended($1, 0))', [`carrier ${tenantId} ${id}`])
}

/** The era that inbound messages get from now on. */
export async function renewEra(tx: Tx, { tenantId }: Scope, id: string, era: string): Promise<void> {
  await tx
    .updateTable('carriers')
    .set({ inbound_era: era })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** References of inbound messages since then, and of parts, that came from a carrier; the newest last. */
export async function listInboundReferences(
  tx: Tx,
  { tenantId }: Scope,
  id: string,
  sinceMs: number,
): Promise<string[]> {
  const { rows } = await sql<{ carrier_reference: string }>`
    select carrier_reference from (
      select p.carrier_reference, p.due_at as at from inbound_parts p
      where p.tenant_id = ${tenantId} and p.carrier = ${id}
      union all
      select m.carrier_reference, m.created_at from messages m
      where m.tenant_id = ${tenantId} and m.id >= ${firstIdAt('msg', sinceMs)} and m.created_at >= ${isoMs(sinceMs)}
        and m.direction = 'inbound' and m.carrier = ${id}
    ) r order by at desc limit ${maxReferences}`.execute(tx)
  return rows.map(row => row.carrier_reference).reverse()
}

const maxReferences = 50_000

/**
 * Notes that an event tells this state of the links; answers its sequence, or undefined when that state was told last or
 * the carrier is not in use any more.
 */
export async function changeToldState(
  tx: Tx,
  { tenantId }: Scope,
  id: string,
  state: 'up' | 'down',
): Promise<{ name: string; kind: string; sequence: number } | undefined> {
  return tx
    .updateTable('carriers')
    .set({ told_state: state, sequence: sql<number>`sequence + 1` })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('enabled', '=', true)
    .where(sql<boolean>`told_state is distinct from ${state}`)
    .returning(['name', 'kind', 'sequence'])
    .executeTakeFirst()
}

/** The sequence of one more event about a carrier. */
export async function nextSequence(
  tx: Tx,
  { tenantId }: Scope,
  id: string,
): Promise<{ name: string; kind: string; sequence: number } | undefined> {
  return tx
    .updateTable('carriers')
    .set({ sequence: sql<number>`sequence + 1` })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .returning(['name', 'kind', 'sequence'])
    .executeTakeFirst()
}

export type LinkTold = LinkReport & { tenantId: number; carrierId: string }

/** Writes down what this process tells of its links. */
export async function writeLinks(db: Db, owner: string, links: readonly LinkTold[]): Promise<void> {
  if (links.length === 0) return
  await db.work('write_carrier_links', 'select write_carrier_links($1, $2, $3, $4, $5, $6, $7, $8, $9)', [
    owner,
    links.map(link => link.tenantId),
    links.map(link => link.carrierId),
    links.map(link => link.link),
    links.map(link => link.role),
    links.map(link => link.state),
    links.map(link => isoMs(link.stateSinceMs)),
    textColumn(links, link => link.lastError),
    textColumn(links, link => json(link.counters)),
  ])
}
