// Point-in-time restore of the installation that the settings describe: WAL that goes to the archive, base backups, and the way back to a
// moment. Only for the embedded database: a PostgreSQL of one's own has tools of its own.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { passphraseIn } from './commands/key_files.ts'
import type { Config } from './config/config.ts'
import { endInterrupted, holdSending, readHold, type Waiting } from './kernel/backup/backup_store.ts'
import { identitiesFor, type Sealing, sealFor, settleKeys } from './kernel/backup/continuous/archive_keys.ts'
import { archiveSettings } from './kernel/backup/continuous/archive_settings.ts'
import { type BaseMade, makeBase } from './kernel/backup/continuous/base_backup.ts'
import { findMoment, shelvesAt } from './kernel/backup/continuous/find_moment.ts'
import { type Checked, checkMoment, restoreMoment } from './kernel/backup/continuous/restore_moment.ts'
import { readShelf, requireRoot } from './kernel/backup/continuous/shelf.ts'
import { type Window, windowsOf } from './kernel/backup/continuous/windows.ts'
import { lockDataFolder } from './kernel/boot/data_folder.ts'
import { engineOf } from './kernel/boot/instance.ts'
import type { ConnectionOptions } from './kernel/data/db.ts'
import { runLifetime } from './kernel/observe/lifetime.ts'
import { createLog, type Log } from './kernel/observe/log.ts'
import { isoMs } from './kernel/values/clock.ts'
import { startFault } from './kernel/values/start_fault.ts'
import { readVersions } from './versions.ts'

/** How the settings encrypt the archive. The passphrase is not read. */
function sealingOf({ backupRecipient, backupPassphraseFile }: Config): Sealing {
  return { recipient: backupRecipient, passphrase: backupRecipient === undefined ? backupPassphraseFile : undefined }
}

function withPassphrase({ recipient, passphrase }: Sealing): Sealing {
  return { recipient, passphrase: passphrase === undefined ? undefined : passphraseIn(passphrase) }
}

/**
 * Settings for the embedded database by which it archives; none where the setting is not set. An archive that is away keeps nobody from
 * starting: what is written meanwhile waits for it.
 */
export async function archivingOf(config: Config, log: Pick<Log, 'error'>): Promise<Record<string, string>> {
  const { walTo: root } = config
  if (root === undefined) return {}
  await readyArchive(root, config).catch(error => {
    log.error({ why: (error as Error).message }, 'WAL cannot be archived yet')
  })
  return archiveSettings(root, sealingOf(config))
}

/** Makes the folder of the archive ready for files that are encrypted with a passphrase. @throws StartFault where it is not there */
export async function readyArchive(root: string, config: Config): Promise<void> {
  await requireRoot(root)
  await settleKeys(root, withPassphrase(sealingOf(config)))
}

/** A base backup of the database that runs. @throws StartFault */
export async function makeBaseBackup(owner: ConnectionOptions, config: Config): Promise<BaseMade> {
  const { walTo: root, dataDir } = config
  if (root === undefined) throw startFault('TANDEM_WAL_TO is not set: it says where base backups and archived WAL go')
  await readyArchive(root, config)
  const seal = await sealFor(root, withPassphrase(sealingOf(config)))
  return makeBase({ owner, dataDir, root, seal, version: readVersions().tandem })
}

export type Reach = { folder: string; windows: Window[]; baseBackups: number; segments: number }

/** Which moments each database in an archive can be restored to. */
export async function readReach(from: string): Promise<Reach[]> {
  const { shelves } = await shelvesAt(resolve(from))
  return Promise.all(
    shelves.map(async folder => {
      const shelf = await readShelf(folder)
      return { folder, windows: windowsOf(shelf), baseBackups: shelf.bases.length, segments: shelf.wal.length }
    }),
  )
}

export type Key = { passphrase: string } | { identities: readonly string[] } | undefined

function placeOf(config: Config, from: string | undefined): string {
  const place = from ?? config.walTo
  if (place === undefined) throw startFault('say where the archived WAL is: --from <folder>, or TANDEM_WAL_TO')
  return resolve(place)
}

async function keysOf(root: string, isSealed: boolean, key: Key): Promise<readonly string[]> {
  if (!isSealed) return []
  if (key === undefined)
    throw startFault('the archive is encrypted: name what opens it with --passphrase-file or --identity-file')
  return identitiesFor(root, key)
}

/** Reads all that a restore to that moment needs, and restores nothing. @throws StartFault */
export async function checkReach(config: Config, atMs: number, from: string | undefined, key: Key): Promise<Checked> {
  const found = await findMoment(placeOf(config, from), atMs)
  const scratch = await mkdtemp(join(tmpdir(), 'tandem-check-'))
  try {
    return await checkMoment(found, await keysOf(found.root, found.chain.base.isSealed, key), scratch)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

export type Returned = { lastChangeAt: string | null; base: string; from: string; waiting: Waiting[] }

/** Restores the embedded database to a moment, into the data folder of the settings. Nothing is sent afterwards. @throws StartFault */
export async function restoreTo(config: Config, atMs: number, from: string | undefined, key: Key): Promise<Returned> {
  if (config.databaseUrl !== undefined)
    throw startFault(
      'DATABASE_URL is set: --to-time restores the embedded database only. Unset it, or restore your PostgreSQL by its own tools',
    )
  const found = await findMoment(placeOf(config, from), atMs)
  const identities = await keysOf(found.root, found.chain.base.isSealed, key)
  const log = createLog({ level: 'error', format: 'text' })
  let returned: Returned | undefined
  await runLifetime(log, async ({ open, ending }) => {
    const folder = lockDataFolder(config.dataDir)
    open.defer(folder.release)
    const settings = await archivingOf(config, log)
    const options = { ...found, dataDir: folder.path, atMs, identities, settings, log }
    const { lastChangeAt, work: waiting } = await restoreMoment({ ...options, signal: ending }, owner =>
      hold(owner, atMs),
    )
    returned = { lastChangeAt, base: found.chain.base.file, from: found.shelf, waiting }
  })
  return returned!
}

/** Nothing leaves, and what was under way in the server that is lost is no more. */
async function hold(owner: ConnectionOptions, atMs: number): Promise<Waiting[]> {
  const engine = engineOf(owner)
  await holdSending(engine, `Restored to ${isoMs(atMs)}.`)
  await endInterrupted(engine, 'It was under way at the moment that this installation was restored to.')
  return (await readHold(engine)).waiting
}
