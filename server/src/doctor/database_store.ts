// What doctor asks the database: who it is and how it is set, what has been migrated, what waits, when it was last backed up.
import type pg from 'pg'
import { findHold } from '../kernel/backup/hold_store.ts'
import type { ConnectionOptions } from '../kernel/data/db.ts'
import { connectClient } from '../kernel/data/session.ts'

export type DatabaseFacts = {
  version: string
  /** Of the database, and of this process when it asked, in milliseconds since 1970; the truth lies within the time it took. */
  clock: { databaseMs: number; askedMs: number; tookMs: number }
  settings: Record<string, string>
  connections: { open: number; reserved: number }
  /** Migrations that were run, in order, and when the newest was. An older version goes on with those that only add. */
  migrations: { name: string; checksum: string; isAdditive?: boolean }[]
  newestMigrationMs: number | undefined
  queues: { name: string; waiting: number; oldestDueMs: number | undefined }[]
  /** When the newest backup ended; null where there is none, undefined where this version keeps no list of them. */
  newestBackupMs: number | null | undefined
  /** Why nothing is sent from this installation; null where it is. */
  heldBecause: string | null
  /** How long the oldest transaction has been open. */
  oldestTransactionMs: number
  sizeBytes: number
  /** Without a value of any. */
  secrets: SecretFacts[]
}

export type SecretFacts = {
  kind: string
  state: string
  /** The fingerprint of the root key; null where it lies in plain. */
  sealedBy: string | null
  createdMs: number
  activeMs: number | null
  dueMs: number | null
}

const asked = [
  'max_connections',
  'shared_buffers',
  'fsync',
  'full_page_writes',
  'synchronous_commit',
  'data_checksums',
  'server_version',
  'superuser_reserved_connections',
]

/** @param clock milliseconds since 1970 */
export async function readDatabaseFacts(owner: ConnectionOptions, clock: () => number): Promise<DatabaseFacts> {
  const limits = { connectionTimeoutMillis: 5_000, query_timeout: 10_000 }
  const client = await connectClient({ ...owner, ...limits, application_name: 'tandem_doctor' })
  try {
    const settings = await readSettings(client)
    const before = clock()
    const { rows: times } = await client.query<{ ms: number }>(
      'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
    )
    const tookMs = clock() - before
    const { rows: sums } = await client.query<{ open: number; size: string; oldest: number }>(
      `select (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as open,
              pg_database_size(current_database())::text as size,
              (select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8 * 1000
                 from pg_stat_activity where xact_start is not null and backend_type = 'client backend'
                  and pid <> pg_backend_pid()) as oldest`,
    )
    const history = await readHistory(client)
    return {
      version: settings['server_version'] ?? 'unknown',
      clock: { databaseMs: times[0]!.ms, askedMs: before + tookMs / 2, tookMs },
      settings,
      connections: { open: sums[0]!.open, reserved: Number(settings['superuser_reserved_connections'] ?? 3) },
      ...history,
      queues: await readQueues(client),
      newestBackupMs: await readNewestBackup(client),
      heldBecause: await readHold(client),
      oldestTransactionMs: sums[0]!.oldest,
      sizeBytes: Number(sums[0]!.size),
      secrets: await readSecretFacts(client),
    }
  } finally {
    await client.end().catch(() => {})
  }
}

async function readSettings(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; value: string }>(
    // jit and the like are set for our sessions; what counts here is what the server has.
    'select name, coalesce(reset_val, setting) as value, unit from pg_settings where name = any($1)',
    [asked],
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

async function readHistory(client: pg.Client): Promise<Pick<DatabaseFacts, 'migrations' | 'newestMigrationMs'>> {
  if (!(await hasTable(client, 'migrations'))) return { migrations: [], newestMigrationMs: undefined }
  const { rows } = await client.query<{ name: string; checksum: string; isAdditive: boolean; ms: number }>(
    // Databases of before have no is_additive.
    `select name, checksum, coalesce((to_jsonb(m) ->> 'is_additive')::boolean, false) as "isAdditive", extract(epoch from applied_at)::float8 * 1000 as ms
     from migrations m order by name collate "C"`,
  )
  const newest = rows.reduce((latest, { ms }) => Math.max(latest, ms), 0)
  return { migrations: rows, newestMigrationMs: rows.length === 0 ? undefined : newest }
}

/** Queues are tables of jobs with the time at which they are due; read as the role that may see those of all tenants. */
async function readQueues(client: pg.Client): Promise<DatabaseFacts['queues']> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'due_at'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname like '%\\_jobs'
        and to_regrole('tandem_engine') is not null and has_table_privilege('tandem_engine', c.oid, 'select')
      order by c.relname`,
  )
  const queues: DatabaseFacts['queues'] = []
  await client.query('begin read only')
  try {
    if (tables.length > 0) await client.query('set local role tandem_engine')
    for (const { name } of tables) {
      const { rows } = await client.query<{ waiting: number; oldest: number | null }>(
        `select count(*)::int as waiting, extract(epoch from min(due_at))::float8 * 1000 as oldest
           from ${client.escapeIdentifier(name)} where due_at <= clock_timestamp()`,
      )
      queues.push({ name, waiting: rows[0]!.waiting, oldestDueMs: rows[0]!.oldest ?? undefined })
    }
  } finally {
    await client.query('rollback')
  }
  return queues
}

/** By the table `backups`, which a database from before backups has not. */
async function readNewestBackup(client: pg.Client): Promise<number | null | undefined> {
  if (!(await hasTable(client, 'backups'))) return undefined
  const { rows } = await client.query<{ ms: number | null }>(
    `select extract(epoch from max(ended_at))::float8 * 1000 as ms from backups where state = 'done'`,
  )
  return rows[0]?.ms ?? null
}

/** By way of JSON: a database from before their versions has fewer columns. */
async function readSecretFacts(client: pg.Client): Promise<SecretFacts[]> {
  if (!(await hasTable(client, 'instance_secrets'))) return []
  const ms = (name: string) => `extract(epoch from (s.row ->> '${name}')::timestamptz)::float8 * 1000`
  const { rows } = await client.query<SecretFacts>(
    `select split_part(s.row ->> 'name', '.', 1) as kind, coalesce(s.row ->> 'state', 'active') as state,
       s.row ->> 'sealed_by' as "sealedBy", ${ms('created_at')} as "createdMs", ${ms('active_at')} as "activeMs",
       ${ms('due_at')} as "dueMs"
     from (select to_jsonb(i) - 'value' as row from instance_secrets i) s`,
  )
  return rows
}

/** Why nothing is sent from this installation; null where it is. */
async function readHold(client: pg.Client): Promise<string | null> {
  if (!(await hasTable(client, 'sending_hold'))) return null
  return (await findHold(client))?.because ?? null
}

async function hasTable(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ is_there: boolean }>('select to_regclass($1) is not null as is_there', [
    `public.${name}`,
  ])
  return rows[0]!.is_there
}
