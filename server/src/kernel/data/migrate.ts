// The schema's history: numbered files that only go forward, each run once, in one transaction with the row that records it; or, where the
// file says so, statement by statement. A lock lets one process migrate while others that start at the same time wait for it.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Log } from '../observe/log.ts'
import { startFault } from '../values/start_fault.ts'
import type { ConnectionOptions } from './db.ts'
import { concurrentIndex, notAdditive, runsOutside, statementTextsOf } from './migration_sql.ts'
import { connectClient } from './session.ts'

export type MigrateOptions = {
  /** Connection of the role that owns the schema. */
  owner: ConnectionOptions
  /** Folder of the files `0001_name.sql`, `0002_…`. */
  dir: string
  log: Pick<Log, 'info' | 'warn'>
  /** No further file is run once it is aborted. */
  signal?: AbortSignal
  /** The last file that is run, where that is not the newest: for a backup of that schema. */
  last?: string
}

export type Migration = { name: string; checksum: string; sql: string }

/** Any fixed number: every Tandem that migrates this database asks for the same one. */
const migrationLock = 7_263_540_118
const oldestServer = 150_000
const lockTimeout = '5s'
const tries = 6
const lockPauseMs = 200

/**
 * Brings the database to the newest schema and answers the names of the files that were run now. A database that a newer version has only
 * added to is left as it is: this version goes on with it.
 * @throws StartFault when the server is too old, a newer version has taken something away or the database was migrated with other files,
 *   or a file fails; its transaction is rolled back, the ones before it stay.
 */
export async function migrate({ owner, dir, log, signal, last }: MigrateOptions): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(dir)
  const client = await connectClient(owner)
  try {
    await requireServer(client)
    // Limits that the database sets for ordinary sessions would cut a long migration, or the wait for another's.
    await client.query('set statement_timeout = 0; set lock_timeout = 0')
    await takeLock(client, log)
    const done = await readHistory(client)
    const newer = checkHistory(done, migrations)
    if (newer.length > 0)
      log.warn({ newer }, 'a newer version has added to this database; what it added is not used by this one')
    const end = last === undefined ? migrations.length : migrations.findIndex(({ name }) => name === last) + 1
    const missing = migrations.slice(done.length, end)
    for (const migration of missing) {
      signal?.throwIfAborted()
      if (runsOutside(migration.sql)) await applyOutside(client, migration)
      else await apply(client, migration, log)
      log.info({ migration: migration.name }, 'applied migration')
    }
    return { applied: missing.map(migration => migration.name) }
  } finally {
    // Ending the session gives the lock back.
    await client.end().catch(() => {})
  }
}

/** What has run on a database, in order. */
export async function doneMigrations(client: pg.ClientBase): Promise<Step[]> {
  return (await client.query<Step>('select name, checksum from migrations order by name collate "C"')).rows
}

/** Reads and orders the files; a gap or a doubled number is a fault of the release, found before anything is run. */
export async function readMigrations(dir: string): Promise<Migration[]> {
  const files = (await readdir(dir)).filter(file => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file, index) => {
      const expected = String(index + 1).padStart(4, '0')
      if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(file) || !file.startsWith(expected)) {
        throw startFault(
          `The migration ${join(dir, file)} must be numbered ${expected}: numbers follow each other without a gap.`,
        )
      }
      // A checkout that turned line ends into CRLF holds the same migration.
      const sql = (await readFile(join(dir, file), 'utf8')).replaceAll('\r\n', '\n')
      return { name: file.slice(0, -'.sql'.length), checksum: createHash('sha256').update(sql).digest('hex'), sql }
    }),
  )
}

async function requireServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: string; version: string; standby: boolean }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as version,
            pg_is_in_recovery() as standby`,
  )
  const { number, version, standby } = rows[0]!
  if (Number(number) < oldestServer) {
    throw startFault(
      `PostgreSQL ${version} is too old: Tandem needs PostgreSQL 15 or newer. Upgrade that server, name a newer one in ` +
        'DATABASE_URL, or unset DATABASE_URL to use the embedded one.',
    )
  }
  if (standby)
    throw startFault('The database of DATABASE_URL is a read-only standby: name its primary in DATABASE_URL.')
}

async function takeLock(client: pg.Client, log: MigrateOptions['log']): Promise<void> {
  // Asked again and again: a statement that waits for the lock is a transaction that an index made concurrently would wait for.
  for (let asked = 1; ; asked++) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [migrationLock])
    if (rows[0]!.taken) return
    if (asked === 1) log.info('another process is migrating this database; waiting for it')
    await sleep(lockPauseMs)
  }
}

export type Step = Pick<Migration, 'name' | 'checksum'>
type Done = Step & {
  /** Whether the version before can go on with it. */
  is_additive: boolean
}

async function readHistory(client: pg.Client): Promise<Done[]> {
  try {
    await client.query(
      'create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now(), is_additive boolean not null default false)',
    )
    await addColumn(client)
    return (await client.query<Done>('select name, checksum, is_additive from migrations order by name collate "C"'))
      .rows
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error
    throw startFault(
      `The database role ${client.user} may not create tables in database ${client.database} or read them ` +
        `(${(error as Error).message}): let it own the database (alter database "${client.database}" owner to ` +
        `"${client.user}"), or name the role that owns its tables in DATABASE_URL.`,
      error,
    )
  }
}

/** Databases of before have the table without it. */
async function addColumn(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    "select from pg_attribute where attrelid = 'migrations'::regclass and attname = 'is_additive'",
  )
  if (rowCount === 0)
    await client.query('alter table migrations add column if not exists is_additive boolean not null default false')
}

/** @returns names of those that a newer version has run, and that this one can go on with */
function checkHistory(done: readonly Done[], migrations: readonly Migration[]): string[] {
  // Until the first release the files are rewritten; from one beginning there is no way to another (docs/adr/0021).
  const [begun, first] = [done[0]?.name, migrations[0]?.name]
  if (begun !== undefined && begun !== first) {
    throw startFault(
      `This database was set up by a Tandem from before the first release (it begins with ${begun}, this version with ` +
        `${first}), and cannot be upgraded: run the version that set it up as long as you need what is in it, or start ` +
        'again with another folder in TANDEM_DATA (with DATABASE_URL: an empty database).',
    )
  }
  const known = new Map(migrations.map(migration => [migration.name, migration]))
  const unknown = done.filter(({ name }) => !known.has(name))
  const barrier = unknown.find(({ is_additive }) => !is_additive)
  if (barrier) {
    throw startFault(
      `This database was written by a newer Tandem (it has ${barrier.name}): run that version, or restore a backup from before it.`,
    )
  }
  const changed = done.find(({ name, checksum }) => known.has(name) && known.get(name)!.checksum !== checksum)
  if (changed) {
    throw startFault(
      `This database was set up by another build of Tandem: its step ${changed.name} is not the one of this build. Run the build that set it up ` +
        '(a released version, not one from between two releases), or start with a new database. ' +
        'If you changed that file yourself, undo it, and put the change into a new migration.',
    )
  }
  const skipped = migrations.slice(0, done.length).find(({ name }, index) => done[index]!.name !== name)
  if (skipped) {
    throw startFault(
      `The migration ${skipped.name} was added before others that already ran: give it the next free number.`,
    )
  }
  return unknown.map(({ name }) => name)
}

const record = 'insert into migrations (name, checksum, is_additive) values ($1, $2, $3)'

/**
 * One file, statement by statement. Each may have run before, in a start that was ended: an index that was left half made is removed first.
 */
async function applyOutside(client: pg.Client, { name, checksum, sql }: Migration): Promise<void> {
  for (const statement of statementTextsOf(sql)) {
    try {
      const index = concurrentIndex(statement)
      if (index !== undefined) await dropHalfMade(client, index)
      await client.query(statement)
    } catch (error) {
      throw explainFailure(name, sql, error as pg.DatabaseError, false)
    }
  }
  await client.query(record, [name, checksum, notAdditive(sql).length === 0])
}

async function dropHalfMade(client: pg.Client, index: string): Promise<void> {
  const { rowCount } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [client.escapeIdentifier(index)],
  )
  if (rowCount === 1) await client.query(`drop index concurrently ${client.escapeIdentifier(index)}`)
}

/** One file in one transaction. It waits for no lock longer than five seconds, so that running servers are not held up. */
async function apply(client: pg.Client, { name, checksum, sql }: Migration, log: MigrateOptions['log']): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query('begin')
      await client.query(`set local lock_timeout = '${lockTimeout}'`)
      await client.query(sql)
      await client.query(record, [name, checksum, notAdditive(sql).length === 0])
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback').catch(() => {})
      const busy = (error as { code?: string }).code === '55P03'
      if (!busy || attempt === tries) throw explainFailure(name, sql, error as pg.DatabaseError, busy)
      log.warn({ migration: name, attempt }, 'a table is in use; trying the migration again')
      await sleep(attempt * 500)
    }
  }
}

function explainFailure(name: string, sql: string, error: pg.DatabaseError, busy: boolean): Error {
  if (busy) {
    return startFault(
      `The migration ${name} found its tables in use ${tries} times: end long transactions on this database, then start again.`,
    )
  }
  const line = error.position ? ` in line ${sql.slice(0, Number(error.position)).split('\n').length}` : ''
  const fallback =
    error.code === '42501'
      ? 'Give the role of DATABASE_URL that right (it must own the database and be allowed to create roles).'
      : 'Nothing of it was kept; report it, or run the version you had before.'
  return startFault(`The migration ${name} failed${line}: ${error.message}. ${error.hint ?? fallback}`, error)
}
