// SQL of carriers and their links. Secrets pass through here sealed.
import { sql } from 'kysely'
import type { Db, DbSession, Scope, Tx } from '../../../kernel/data/db.ts'
import { textColumn } from '../../../kernel/data/pg_array.ts'
import { createLinkStore, type LinkRecord } from '../../../kernel/links/link_store.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { firstIdAt } from '../../../kernel/values/ids.ts'
import type { Route } from '../directory.ts'
import { joinedPartsMs } from '../inbound/index.ts'
import type { LinkReport } from './kind.ts'
import type { LinkRow } from './rules.ts'

export type CarrierRow = LinkRecord<Route> & { kind: string; currency: string; inbound_era: string }

export const carrierStore = createLinkStore<CarrierRow>({
  table: 'carriers',
  noun: 'carrier',
  own: ['kind', 'currency', 'inbound_era'],
  eventColumns: ['kind'],
})

export const { find: findCarrier, list: listCarriers, tryLocks: tryLockLinks, unlock: unlockLinks } = carrierStore

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
const maxJobs = 10_000

export type Backlog = { carrier_id: string; messages: number; oldest_due_at: string | null }

/** What waits for each carrier. */
export async function listBacklog(tx: Tx, carrierIds: readonly string[]): Promise<Backlog[]> {
  const { rows } = await sql<Backlog>`
    select carrier_id, messages, oldest_due_at from carrier_backlog(${carrierIds}::text[], ${maxJobs})`.execute(tx)
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

/** The era that inbound messages get from now on. */
export async function renewEra(tx: Tx, { tenantId }: Scope, id: string, era: string): Promise<void> {
  await tx
    .updateTable('carriers')
    .set({ inbound_era: era })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** So long after it was last heard of may a process have stored something: its last transactions. */
const stragglersMs = 3_600_000

/** References of inbound messages since then, and of parts, that the process before stored of a carrier; the newest last. */
export async function listInboundReferences(
  tx: Tx,
  { tenantId }: Scope,
  id: string,
  sinceMs: number,
): Promise<string[]> {
  const untilMs = sinceMs + stragglersMs
  const { rows } = await sql<{ carrier_reference: string }>`
    select carrier_reference from (
      select p.carrier_reference, p.due_at - case when p.body is null then make_interval(secs => ${joinedPartsMs / 1_000})
        else interval '0' end as at
      from inbound_parts p
      where p.tenant_id = ${tenantId} and p.carrier = ${id}
      union all
      select m.carrier_reference, m.created_at from messages m
      where m.tenant_id = ${tenantId} and m.id >= ${firstIdAt('msg', sinceMs)} and m.created_at >= ${isoMs(sinceMs)}
        and m.id < ${firstIdAt('msg', untilMs)} and m.created_at < ${isoMs(untilMs)}
        and m.direction = 'inbound' and m.carrier = ${id}
    ) r where at >= ${isoMs(sinceMs)} order by at desc limit ${maxReferences}`.execute(tx)
  return rows.map(row => row.carrier_reference).reverse()
}

const maxReferences = 50_000

export type OwnedLinkReport = LinkReport & { tenantId: number; carrierId: string }

/** Writes down the reports of this process's links. */
export async function writeLinks(db: Db, owner: string, links: readonly OwnedLinkReport[]): Promise<void> {
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
    textColumn(links, link => JSON.stringify(link.counters)),
  ])
}
