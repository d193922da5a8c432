// Backups of the installation that the settings describe: its database, its files, its release.
import { storesOf } from './app.ts'
import type { Config } from './config/config.ts'
import { readArchive } from './kernel/backup/archive.ts'
import {
  type Engine,
  endAbandoned,
  namesOfPlanned,
  readHold,
  recordBegin,
  recordEnd,
  type Waiting,
} from './kernel/backup/backup_store.ts'
import { backupName, type Destination, openBackup, openDestination, removeDraft } from './kernel/backup/destination.ts'
import { type Made, makeBackup } from './kernel/backup/make_backup.ts'
import { type Archive, openArchive, type Restored, restoreBackup, schemaOf } from './kernel/backup/restore_backup.ts'
import { requireRootKey } from './kernel/backup/root_key_entry.ts'
import { keepOf } from './kernel/backup/rotation.ts'
import type { Opener, Seal } from './kernel/backup/seal.ts'
import { engineOf } from './kernel/boot/instance.ts'
import { rootKeySource } from './kernel/boot/root_key.ts'
import type { ConnectionOptions } from './kernel/data/db.ts'
import { readMigrations } from './kernel/data/migrate.ts'
import { openObjectStores } from './kernel/objects/open_object_stores.ts'
import { createLog } from './kernel/observe/log.ts'
import { systemClock } from './kernel/values/clock.ts'
import { newId } from './kernel/values/ids.ts'
import { databaseAlone, migrationsDir } from './serve.ts'
import { readVersions } from './versions.ts'

export type BackUpOptions = {
  /** As TANDEM_BACKUP_TO takes it. */
  place: string
  seal: Seal | undefined
  isPlanned: boolean
  withoutObjects: boolean
  /** Gives it up: nothing is left of it. */
  signal?: AbortSignal | undefined
}

export type BackedUp = Made & {
  id: string
  destination: string
  isSealed: boolean
  /** Names of older ones that rotation removed. */
  removed: string[]
}

/** Makes a backup and records it. One by schedule thins out those before it. @throws StartFault */
export async function backUp(owner: ConnectionOptions, config: Config, options: BackUpOptions): Promise<BackedUp> {
  const { place, seal, isPlanned, withoutObjects, signal } = options
  const atMs = systemClock.now()
  const id = newId('bkp', atMs)
  const objects = openObjectStores(storesOf(config), systemClock)
  const isSealed = seal !== undefined
  const destination = await openDestination(place, backupName(atMs, id, isSealed), objects)
  const begun = { id, destination: destination.address, isSealed }
  const engine = engineOf(owner)
  for (const address of await endAbandoned(engine)) await removeDraft(address)
  await recordBegin(engine, { ...begun, isPlanned })
  let made: Made
  try {
    const { tandem: version } = readVersions()
    made = await makeBackup({
      owner,
      objects,
      source: rootKeySource(config),
      destination,
      seal,
      id,
      version,
      atMs,
      withoutObjects,
      signal,
    })
    await recordEnd(engine, id, made)
  } catch (thrown) {
    const error = signal?.aborted === true ? signal.reason : thrown
    await recordEnd(engine, id, { error: (error as Error).message }).catch(() => {})
    throw error
  }
  // Those by hand may lack files, or be for somebody else: none of them takes the place of one by schedule.
  const removed = isPlanned ? await rotate(engine, destination, config) : []
  return { ...begun, ...made, removed }
}

async function rotate(engine: Engine, destination: Destination, { backupKeep }: Config): Promise<string[]> {
  const ours = await namesOfPlanned(engine)
  return destination.rotate(keepOf(backupKeep)!, name => ours.has(name))
}

/** @throws StartFault when there is no backup at that place, or it cannot be opened */
export async function openBackupAt(place: string, config: Config, open: Opener | undefined): Promise<Archive> {
  const objects = openObjectStores(storesOf(config), systemClock)
  return openArchive(readArchive(await openBackup(place, objects), open))
}

/** Restores into the database and the stores of the settings. @throws StartFault */
export async function restoreInto(
  config: Config,
  archive: Archive,
  withoutObjects: boolean,
): Promise<{ restored: Restored; waiting: Waiting[] }> {
  const source = rootKeySource(config)
  // Before a database is made for it.
  await requireRootKey(archive.head.rootKey, source)
  const last = schemaOf(archive.head, await readMigrations(migrationsDir))
  const objects = openObjectStores(storesOf(config), systemClock)
  const work = async (owner: ConnectionOptions) => ({
    restored: await restoreBackup({ owner, objects, source, archive, withoutObjects }),
    waiting: (await readHold(engineOf(owner))).waiting,
  })
  return databaseAlone(config, createLog({ level: 'error', format: 'text' }), work, last)
}
