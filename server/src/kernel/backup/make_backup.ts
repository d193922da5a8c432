// Makes a backup of the whole installation while it runs: the database at one moment, the objects that were there by then, and the
// secrets, which are rows like others, with the key that seals them where Tandem made it itself.
import { addAbortSignal } from 'node:stream'
import type pg from 'pg'
import type { RootKeySource } from '../boot/root_key.ts'
import type { ConnectionOptions } from '../data/db.ts'
import { doneMigrations, type Step } from '../data/migrate.ts'
import { connectClient } from '../data/session.ts'
import type { ObjectStore, ObjectStores } from '../objects/object_store.ts'
import { isObjectMissing } from '../values/object_key.ts'
import { startFault } from '../values/start_fault.ts'
import { type Closing, type Entry, whole, writeArchive } from './archive.ts'
import { holdBackup } from './backup_lock.ts'
import type { Destination } from './destination.ts'
import { type RootKeyHead, rootKeyOf } from './root_key_entry.ts'
import type { Seal } from './seal.ts'
import { beginSnapshot, listTables, readSequences, readTable, type Table } from './snapshot.ts'

/** The first entry of an archive. */
export type Head = {
  format: 1
  id: string
  /** Of Tandem. */
  version: string
  /** The moment of the snapshot, RFC 3339. */
  at: string
  postgres: string
  migrations: Step[]
  tables: Table[]
  /** Names of the stores whose objects are in it: `objects/0/…` is of the first. */
  stores: string[]
  /** Of what seals the secrets; not of backups from before root keys. */
  rootKey?: RootKeyHead
}

export const headName = 'backup.json'
export const formatVersion = 1

export type BackupOptions = {
  owner: ConnectionOptions
  objects: ObjectStores
  /** Of the installation's root key. */
  source: RootKeySource
  destination: Destination
  seal: Seal | undefined
  id: string
  version: string
  atMs: number
  /** Leaves files out: only the database is in it. */
  withoutObjects: boolean
  /** Gives it up. */
  signal?: AbortSignal | undefined
}

export type Made = { rows: number; objects: number; sizeBytes: number; tables: number }

/** @throws what database, store or destination throw; nothing is left of the backup then */
export async function makeBackup(options: BackupOptions): Promise<Made> {
  const client = await connectClient({ ...options.owner, application_name: 'tandem_backup' })
  const made: Made = { rows: 0, objects: 0, sizeBytes: 0, tables: 0 }
  try {
    await holdBackup(client, options.id)
    const entries = contentsOf(client, options, made)
    const content = await writeArchive(entries, { seal: options.seal, atMs: options.atMs })
    if (options.signal !== undefined) addAbortSignal(options.signal, content)
    made.sizeBytes = await options.destination.write(content)
    return made
  } finally {
    await client.end().catch(() => {})
  }
}

async function* contentsOf(client: pg.Client, options: BackupOptions, made: Made): AsyncGenerator<Entry, Closing> {
  const { objects, source, id, version, withoutObjects } = options
  const keysBefore = source.ownFile === undefined ? [] : await source.read()
  await beginSnapshot(client)
  const tables = await listTables(client)
  const { rows: now } = await client.query<{ at: string; postgres: string }>(
    `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, current_setting('server_version') as postgres`,
  )
  const stores = withoutObjects ? [] : await usedStores(client, objects)
  const rootKey = await rootKeyOf(client, source, keysBefore)
  const head: Head = {
    format: formatVersion,
    id,
    version,
    at: now[0]!.at,
    postgres: now[0]!.postgres,
    migrations: await doneMigrations(client),
    tables,
    stores: stores.map(({ name }) => name),
    rootKey: rootKey.head,
  }
  yield { name: headName, ...whole(JSON.stringify(head, null, 2)) }
  if (rootKey.entry !== undefined) yield rootKey.entry
  const rows: Record<string, number> = {}
  for (const table of tables) {
    rows[table.name] = yield* readTable(client, table)
    made.rows += rows[table.name]!
    made.tables++
  }
  const sequences = await readSequences(client)
  await client.query('commit')
  for (const [index, store] of stores.entries()) {
    for await (const { key, size } of store.list()) {
      const content = await readWhole(store, key, size)
      // Its row is past its time, and it went meanwhile.
      if (content === undefined) continue
      yield { name: `objects/${index}/${key}`, size, content }
      made.objects++
    }
  }
  return { rows, objects: made.objects, sequences }
}

async function readWhole(store: ObjectStore, key: string, size: number) {
  if (size === 0) return new Uint8Array()
  try {
    return await store.read(key)
  } catch (error) {
    if (isObjectMissing(error)) return undefined
    throw error
  }
}

/** The stores that rows name, and the one where new objects go. @throws StartFault when the settings cannot reach one */
async function usedStores(client: pg.ClientBase, objects: ObjectStores): Promise<ObjectStore[]> {
  const { rows } = await client.query<{ place: string }>(
    `select format('select distinct %I::text as name from %I where %I is not null', a.attname, c.relname, a.attname) as place
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = 'storage' and not a.attisdropped`,
  )
  const names = new Set([objects.current.name])
  for (const { place } of rows)
    for (const { name } of (await client.query<{ name: string }>(place)).rows) names.add(name)
  return [...names].sort().map(name => reachable(objects, name))
}

/** The store of that name, whose files are in a backup. @throws StartFault when the settings cannot reach it */
export function reachable(objects: ObjectStores, name: string): ObjectStore {
  const store = objects.at(name)
  if (store !== undefined) return store
  throw startFault(
    `files of the backup lie in ${name}, which the settings do not reach: set TANDEM_S3_ACCESS_KEY_ID and TANDEM_S3_SECRET_ACCESS_KEY, ` +
      'or leave files out with --without-files',
  )
}
