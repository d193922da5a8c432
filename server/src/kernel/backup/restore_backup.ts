// Puts a backup into an empty installation: files first, then all rows in one transaction that ends only when the archive turned out to be
// whole. What would leave the installation is held until its operator says otherwise.
import { text } from 'node:stream/consumers'
import type pg from 'pg'
import { ownFileName, type RootKey, type RootKeySource } from '../boot/root_key.ts'
import type { ConnectionOptions } from '../data/db.ts'
import type { Step } from '../data/migrate.ts'
import { connectClient } from '../data/session.ts'
import type { ObjectStore, ObjectStores } from '../objects/object_store.ts'
import { startFault } from '../values/start_fault.ts'
import type { Manifest, ReadEntry } from './archive.ts'
import { beginLoading } from './load.ts'
import { formatVersion, type Head, headName, reachable } from './make_backup.ts'
import { adoptRootKey, readRootKeys, requireRootKey } from './root_key_entry.ts'

export type Archive = {
  head: Head
  /** The entries behind the head; to be read once. */
  entries: AsyncGenerator<ReadEntry, Manifest, undefined>
}

/** Reads the head of an archive. @throws StartFault when it is none, or of another format */
export async function openArchive(entries: Archive['entries']): Promise<Archive> {
  const first = await entries.next()
  if (first.done === true || first.value.name !== headName)
    throw startFault('the file is not a backup of Tandem: it does not begin with backup.json')
  const head = JSON.parse(await text(first.value.content)) as Head
  if (head.format !== formatVersion)
    throw startFault(
      `the backup is of format ${head.format}, and this Tandem reads ${formatVersion}: restore it with a newer release`,
    )
  return { head, entries }
}

/**
 * The newest step of the schema that a backup has.
 * @param known the steps of this release
 * @throws StartFault when this release cannot make that schema
 */
export function schemaOf(head: Head, known: readonly Step[]): string {
  const { migrations, version } = head
  const stranger = migrations.find(
    ({ name, checksum }, at) => known[at]?.name !== name || known[at]?.checksum !== checksum,
  )
  if (stranger === undefined && migrations.length > 0) return migrations.at(-1)!.name
  throw startFault(
    `the backup was made by Tandem ${version}, whose step ${stranger?.name} this release does not have: restore it with that release, or a ` +
      'newer one',
  )
}

/** Reads the rest of an archive without keeping it. @throws StartFault when it is not whole */
export async function checkArchive({ entries }: Archive): Promise<Manifest> {
  for (;;) {
    const next = await entries.next()
    if (next.done === true) return next.value
  }
}

export type RestoreOptions = {
  owner: ConnectionOptions
  objects: ObjectStores
  /** Of the root key that the settings give here. */
  source: RootKeySource
  archive: Archive
  withoutObjects: boolean
}

export type Restored = { rows: number; objects: number }

/**
 * Loads an archive into a database that has its schema and no organization.
 * @throws StartFault; the database is as it was then
 */
export async function restoreBackup({
  owner,
  objects,
  source,
  archive,
  withoutObjects,
}: RestoreOptions): Promise<Restored> {
  const { head, entries } = archive
  await requireRootKey(head.rootKey, source)
  let rootKeys: RootKey[] = []
  const stores = withoutObjects ? [] : head.stores.map(name => reachable(objects, name))
  const client = await connectClient({ ...owner, application_name: 'tandem_restore' })
  try {
    await client.query('begin')
    await requireEmpty(client)
    const loading = await beginLoading(client, head.tables)
    let kept = 0
    let manifest: Manifest | undefined
    while (manifest === undefined) {
      const next = await entries.next()
      if (next.done === true) manifest = next.value
      else kept += await take(next.value)
    }
    compareCounts(await loading.finish(manifest.sequences), manifest.rows)
    await adoptRootKey(client, source, rootKeys)
    await holdAll(client, head)
    await client.query('commit')
    // Without figures about the tables the first queries would read them whole.
    await client.query('analyze')
    return { rows: Object.values(manifest.rows).reduce((sum, count) => sum + count, 0), objects: kept }

    async function take({ name, size, content }: ReadEntry): Promise<number> {
      if (name === ownFileName) rootKeys = await readRootKeys({ content })
      const [kind, of = '', ...rest] = name.split('/')
      if (kind === 'tables') await loading.rows(of, content)
      if (kind !== 'objects') return 0
      const store = stores[Number(of)]
      return store === undefined ? 0 : keep(store, { key: rest.join('/'), size, content })
    }
  } finally {
    await client.end().catch(() => {})
  }
}

/** An object never changes: one that is there is right. */
async function keep(
  store: ObjectStore,
  { key, size, content }: { key: string; size: number; content: AsyncIterable<Uint8Array> },
): Promise<number> {
  if ((await store.size(key)) === size) return 0
  await store.put(key, content)
  return 1
}

async function requireEmpty(client: pg.Client): Promise<void> {
  await client.query('set local role tandem_backup')
  const { rows } = await client.query<{ name: string }>('select name from organizations limit 1')
  await client.query('reset role')
  if (rows[0] === undefined) return
  throw startFault(
    `the database holds the organization "${rows[0].name}": a backup goes into an empty one only. Set TANDEM_DATA to a new folder, or ` +
      'DATABASE_URL to an empty database',
  )
}

function compareCounts(found: Record<string, number>, said: Record<string, number>): void {
  for (const [table, count] of Object.entries(said)) {
    if ((found[table] ?? 0) !== count)
      throw startFault(`the table ${table} has ${found[table] ?? 0} rows, and the backup had ${count}`)
  }
}

/** Nothing leaves, and backups that were under way, this one too, are no more. */
async function holdAll(client: pg.Client, { id, at }: Head): Promise<void> {
  await client.query('set local role tandem_engine')
  await client.query('select hold_sending($1)', [`Restored from the backup of ${at}.`])
  await client.query(
    `update backups set state = case id when $1 then 'done' else 'failed' end, ended_at = started_at,
       error = case id when $1 then null else 'It was under way when the backup was made that this installation is restored from.' end
     where state = 'running'`,
    [id],
  )
  await client.query('reset role')
}
