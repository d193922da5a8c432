// SQL of the status pages: of an organization in its own transaction, of the installation by functions of the engine.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../kernel/data/db.ts'
import type { Disk } from '../../kernel/observe/process_info.ts'

export type NodeRow = {
  id: string
  host: string
  pid: number
  version: string
  runtime: string
  roles: string[]
  disks: Disk[]
  started_at: string
  heartbeat_at: string
  silent_seconds: number
}

/** Every process of the installation, those that were killed within the last day included. */
export async function listNodes(tx: Tx): Promise<NodeRow[]> {
  return (await sql<NodeRow>`select * from list_nodes()`.execute(tx)).rows
}

export type BacklogRow = {
  queue: string
  waiting: number
  due: number
  oldest_due_at: string | null
  is_estimate: boolean
}

/** What waits of one tenant, or of all. */
export async function listBacklog(tx: Tx, tenantId: number | null): Promise<BacklogRow[]> {
  return (await sql<BacklogRow>`select * from queue_backlog(${tenantId}::bigint)`.execute(tx)).rows
}

export type CarrierStatusRow = {
  id: string
  name: string
  kind: string
  enabled: boolean
  /** Of its links. */
  links: {
    state: 'connecting' | 'up' | 'throttled' | 'down' | 'stopped'
    updated_at: string
    since: string
    error: string | null
  }[]
}

export async function listCarrierStatus(tx: Tx, { tenantId }: Scope): Promise<CarrierStatusRow[]> {
  const { rows } = await sql<CarrierStatusRow>`
    select c.id, c.name, c.kind, c.enabled, coalesce((
      select json_agg(json_build_object('state', l.state, 'updated_at', l.updated_at, 'since', l.state_since, 'error', l.last_error))
      from carrier_links l where l.tenant_id = c.tenant_id and l.carrier_id = c.id
    ), '[]'::json) as links
    from carriers c where c.tenant_id = ${tenantId} order by c.name, c.id limit 200`.execute(tx)
  return rows
}

export type TrunkStatusRow = {
  id: string
  name: string
  kind: string
  enabled: boolean
  state: string | null
  since: string | null
  last_error: string | null
  updated_at: string | null
}

export async function listTrunkStatus(tx: Tx, { tenantId }: Scope): Promise<TrunkStatusRow[]> {
  const { rows } = await sql<TrunkStatusRow>`
    select k.id, k.name, k.kind, k.enabled, s.state, s.since, s.last_error, s.updated_at
    from trunks k left join trunk_states s on s.tenant_id = k.tenant_id and s.trunk_id = k.id
    where k.tenant_id = ${tenantId} order by k.name, k.id limit 200`.execute(tx)
  return rows
}

export type WebhookStatus = {
  enabled: number
  troubled: {
    id: string
    url: string
    disabledReason: 'request' | 'gone' | 'failing' | null
    failingSince: string | null
    error: string | null
  }[]
}

/** How many are on, and those that fail or were switched off. */
export async function webhookStatus(tx: Tx, { tenantId }: Scope): Promise<WebhookStatus> {
  const [counted, troubled] = await Promise.all([
    sql<{ enabled: number }>`
      select count(*) as enabled from webhook_endpoints w where w.tenant_id = ${tenantId} and w.enabled`.execute(tx),
    sql<WebhookStatus['troubled'][number]>`
      select w.id, w.url, w.disabled_reason as "disabledReason", l.failing_since as "failingSince", l.last_error as error
      from webhook_endpoints w left join webhook_lanes l on l.tenant_id = w.tenant_id and l.id = w.id
      where w.tenant_id = ${tenantId} and (not w.enabled or l.failing_since is not null)
      order by w.id limit 100`.execute(tx),
  ])
  return { enabled: counted.rows[0]!.enabled, troubled: troubled.rows }
}

export type MailStatus = {
  transports: { id: string; name: string; kind: string; enabled: boolean; isDefault: boolean }[]
  mailboxes: { id: string; name: string; status: 'waiting' | 'reading' | 'failing'; fault: string | null }[]
}

export async function mailStatus(tx: Tx, { tenantId }: Scope): Promise<MailStatus> {
  const [transports, mailboxes] = await Promise.all([
    sql<MailStatus['transports'][number]>`
      select t.id, t.name, t.kind, t.enabled, t.is_default as "isDefault" from mail_transports t
      where t.tenant_id = ${tenantId} order by t.name, t.id limit 100`.execute(tx),
    sql<MailStatus['mailboxes'][number]>`
      select m.id, m.name, m.status, m.fault from mailboxes m
      where m.tenant_id = ${tenantId} and m.enabled order by m.name, m.id limit 100`.execute(tx),
  ])
  return { transports: transports.rows, mailboxes: mailboxes.rows }
}

/** Files are counted up to so many: further ones are there, and not counted. */
export const countedFiles = 20_000

export type StorageRow = { kind: 'recordings' | 'attachments'; files: number; bytes: number }

export async function storageStatus(tx: Tx, { tenantId }: Scope): Promise<StorageRow[]> {
  const { rows } = await sql<StorageRow>`
    select 'recordings' as kind, count(*) as files, coalesce(sum(r.size_bytes), 0)::bigint as bytes from (
      select size_bytes from recordings where tenant_id = ${tenantId} and state = 'available' limit ${countedFiles}
    ) r
    union all
    select 'attachments', count(*), coalesce(sum(a.size_bytes), 0)::bigint from (
      select size_bytes from attachments where tenant_id = ${tenantId} limit ${countedFiles}
    ) a`.execute(tx)
  return rows
}

export type DownLink = {
  noun: 'carrier' | 'trunk'
  id: string
  organization_id: number
  mode: 'live' | 'test'
  state: string
  since: string | null
}

const maxDown = 100

/** Links of all organizations that are not as they should be. */
export async function listDownLinks(db: Db): Promise<DownLink[]> {
  const text = `select l.noun, l.id, l.organization_id, l.mode, l.state, l.since from link_states() l
    where l.state in ('down', 'unregistered', 'unknown') order by l.since nulls last, l.id limit $1`
  return db.work<DownLink>('list_down_links', text, [maxDown])
}

/** Settings that decide how safe and how fast it is. */
const settingNames = [
  'shared_buffers',
  'effective_cache_size',
  'work_mem',
  'maintenance_work_mem',
  'max_connections',
  'max_wal_size',
  'wal_level',
  'archive_mode',
  'fsync',
  'full_page_writes',
  'synchronous_commit',
  'autovacuum',
  'data_checksums',
  'jit',
]

/** As this server's sessions have them, with their units. */
export async function listSettings(db: Db): Promise<{ name: string; value: string }[]> {
  const text =
    'select s.name, current_setting(s.name) as value from pg_settings s where s.name = any($1) order by s.name'
  return db.work('list_settings', text, [settingNames])
}

/** The newest migration. */
export async function lastMigration(db: Db): Promise<string> {
  const [row] = await db.work<{ name: string }>('last_migration', 'select last_migration() as name', [])
  return row!.name
}

export async function listAllNodes(db: Db): Promise<NodeRow[]> {
  return db.work<NodeRow>('list_nodes', 'select * from list_nodes()', [])
}
