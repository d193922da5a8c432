// Restores the embedded database to a moment: base backup, WAL up to there, and all of it held back. It is done in a folder beside the
// place of the database, and moved there last: a restore that is killed leaves no database that could be started.
import { createReadStream, existsSync } from 'node:fs'
import { chmod, copyFile, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { json, text } from 'node:stream/consumers'
import { flushFolder } from '../../boot/durable_files.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../boot/embedded_postgres.ts'
import { findPostgresPrograms, type Launch } from '../../boot/postgres_programs.ts'
import { ownFileName } from '../../boot/root_key.ts'
import { listSealers } from '../../boot/secrets_store.ts'
import type { ConnectionOptions } from '../../data/db.ts'
import { connectClient } from '../../data/session.ts'
import type { Log } from '../../observe/log.ts'
import { startFault } from '../../values/start_fault.ts'
import { type Manifest, readArchive } from '../archive.ts'
import { openWith } from '../seal.ts'
import { recoverySettings } from './archive_settings.ts'
import { type BaseClosing, type BaseHead, baseFormat, baseHeadName, makeFolders, putFile } from './base_backup.ts'
import { keepKeys, opensAll, readOwnKeys } from './base_keys.ts'
import type { Found } from './find_moment.ts'
import { isSegment, nextSegment, numberOf, timelineOf } from './names.ts'
import { findWal, readWal } from './segments.ts'
import { basesIn, readShelf } from './shelf.ts'

export type MomentOptions = Found & {
  /** A folder that this process has locked. */
  dataDir: string
  atMs: number
  /** Private keys of age. */
  identities: readonly string[]
  /** Those by which the restored database archives, so that its new timeline is known there. */
  settings: Readonly<Record<string, string>>
  log: Pick<Log, 'info' | 'warn'>
  launch?: Launch
  signal?: AbortSignal
}

export type Came<T> = {
  /** Of the last change that is in it, RFC 3339; null where nothing was written since the base backup. */
  lastChangeAt: string | null
  work: T
}

const workshopPrefix = 'restoring-'

/**
 * Restores into a data folder without a database.
 * @param work runs on the restored database before it is in its place
 * @throws StartFault; the folder has no database then, as before
 */
export async function restoreMoment<T>(
  options: MomentOptions,
  work: (owner: ConnectionOptions) => Promise<T>,
): Promise<Came<T>> {
  const { dataDir, chain, shelf, identities } = options
  const place = join(dataDir, 'postgres')
  if (existsSync(place))
    throw startFault(
      `the folder ${dataDir} holds a database: move ${place} away (files beside it may stay), or set TANDEM_DATA to a new folder`,
    )
  for (const name of await readdir(dataDir))
    if (name.startsWith(workshopPrefix)) await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 })
  const workshop = await mkdtemp(join(dataDir, workshopPrefix))
  const cluster = join(workshop, 'postgres')
  try {
    const { major } = await findPostgresPrograms(workshop, options.launch)
    const { key } = await unpackBase(join(basesIn(shelf), chain.base.file), { identities, cluster, major })
    await writeFile(join(cluster, 'recovery.signal'), '')
    const server = await recover(options, workshop)
    let came: Came<T>
    let sealers: string[]
    try {
      const { lastChangeAt, sealedBy } = await readRecovered(server.owner, key !== undefined)
      sealers = sealedBy
      came = { lastChangeAt, work: await work(server.owner) }
    } finally {
      await server.stop()
    }
    if (key !== undefined) await keepKeys(dataDir, await keysFor(options, { key, sealers, major }), sealers)
    await rename(cluster, place)
    await flushFolder(dataDir)
    return came
  } finally {
    await rm(workshop, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Reads a base backup through, and writes it to a folder where one is named. @throws StartFault where it is not whole */
async function unpackBase(
  path: string,
  to: { identities: readonly string[]; cluster?: string; major: number },
): Promise<{ head: BaseHead; manifest: Manifest<BaseClosing>; key: string | undefined }> {
  const open = to.identities.length === 0 ? undefined : openWith({ identities: to.identities })
  const entries = readArchive<BaseClosing>(createReadStream(path), open)
  let head: BaseHead | undefined
  let key: string | undefined
  for (;;) {
    const next = await entries.next()
    if (next.done === true) return { head: head!, manifest: next.value, key }
    const { name, content } = next.value
    if (head === undefined) {
      if (name !== baseHeadName) throw startFault(`${path} is no base backup: it does not begin with ${baseHeadName}`)
      head = (await json(content)) as BaseHead
      refuseOther(head, to.major)
      if (to.cluster !== undefined) await makeFolders(to.cluster, head.folders)
    } else if (name === ownFileName) key = await text(content)
    else if (to.cluster !== undefined && name.startsWith('cluster/')) {
      const target = join(to.cluster, name.slice('cluster/'.length))
      if (!target.startsWith(`${to.cluster}/`)) throw startFault(`${path} names a file outside of its folder`)
      await putFile(target, content)
    }
  }
}

function refuseOther({ format, major, version }: BaseHead, own: number): void {
  if (format !== baseFormat)
    throw startFault(
      `the base backup is of format ${format}, and this Tandem reads ${baseFormat}: take a newer release`,
    )
  if (major !== own)
    throw startFault(
      `the base backup is of PostgreSQL ${major}, and this Tandem brings ${own}: restore it with Tandem ${version}, which made it, ` +
        'or restore a backup (tandem restore <backup>)',
    )
}

/** PostgreSQL stops behind a commit that is later than the moment; where there was none any more, the end of the archive is that moment. */
const endsBefore = 'recovery ended before configured recovery target was reached'

async function recover(options: MomentOptions, workshop: string): Promise<EmbeddedPostgres> {
  const { shelf, chain, atMs, identities, settings, log, launch, signal, dataDir } = options
  const identityFile = chain.base.isSealed ? join(workshop, 'identities.txt') : undefined
  if (identityFile !== undefined) await writeFile(identityFile, `${identities.join('\n')}\n`, { mode: 0o600 })
  const start = (until: number | undefined) =>
    startEmbeddedPostgres({
      dataDir: workshop,
      log,
      settings: {
        ...settings,
        ...recoverySettings({ shelf, timeline: timelineOf(chain.base.first), atMs: until, identityFile }),
      },
      ...(launch === undefined ? {} : { launch }),
      ...(signal === undefined ? {} : { signal }),
    })
  try {
    return await start(atMs).catch(error => {
      if (!(error as Error).message.includes(endsBefore)) throw error
      return start(undefined)
    })
  } catch (error) {
    signal?.throwIfAborted()
    const logFile = join(dataDir, 'restore.log')
    const words = await readFile(join(workshop, 'postgres.log'), 'utf8').catch(() => '')
    if (words !== '') await copyFile(join(workshop, 'postgres.log'), logFile).then(() => chmod(logFile, 0o600))
    const own = /^tandem: (.*)$/m.exec(words)?.[1]
    const why = own ?? (error as Error).message.replace(/^PostgreSQL did not start: |\. Its log is .*$/g, '')
    throw startFault(`the database could not be restored: ${why}. What PostgreSQL said is in ${logFile}`, error)
  }
}

/** @param hasKeys whether there are keys, and with them a database of Tandem */
async function readRecovered(
  owner: ConnectionOptions,
  hasKeys: boolean,
): Promise<{ lastChangeAt: string | null; sealedBy: string[] }> {
  const client = await connectClient(owner)
  try {
    const { rows } = await client.query<{ at: string | null }>(
      `select to_char(pg_last_xact_replay_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`,
    )
    return { lastChangeAt: rows[0]!.at, sealedBy: hasKeys ? await listSealers(client) : [] }
  } finally {
    await client.end()
  }
}

/**
 * The keys of the base backup. Where the key was rotated between it and the moment, and is not in the data folder either, those of the first
 * later one that has it too.
 */
async function keysFor(
  { dataDir, shelf, chain, identities, log }: MomentOptions,
  { key, sealers, major }: { key: string; sealers: readonly string[]; major: number },
): Promise<string> {
  if (opensAll(`${key} ${(await readOwnKeys(dataDir)) ?? ''}`, sealers)) return key
  const { bases } = await readShelf(shelf)
  const later = bases.filter(({ endMs }) => endMs > chain.base.endMs).sort((a, b) => a.endMs - b.endMs)
  for (const { file } of later) {
    const other = await unpackBase(join(basesIn(shelf), file), { identities, major }).catch(() => undefined)
    if (other?.key !== undefined && opensAll(`${key} ${other.key}`, sealers)) return `${other.key} ${key}`
  }
  log.warn(
    { sealedBy: sealers },
    `the secrets at that moment are sealed with a root key that is in no base backup: put it into ${join(dataDir, ownFileName)}`,
  )
  return key
}

export type Checked = { base: string; files: number; segments: number }

/** Reads all that a restore to that moment would read. @throws StartFault where a part of it is damaged */
export async function checkMoment(
  { shelf, chain }: Found,
  identities: readonly string[],
  scratch: string,
): Promise<Checked> {
  const { major } = await findPostgresPrograms(scratch)
  const { manifest } = await unpackBase(join(basesIn(shelf), chain.base.file), { identities, major })
  const open = identities.length === 0 ? undefined : openWith({ identities })
  let segments = 0
  for (let wal = chain.base.first; numberOf(wal) < numberOf(chain.missing) && isSegment(wal); wal = nextSegment(wal)) {
    const found = await findWal(shelf, wal)
    if (found === undefined) throw startFault(`the segment ${wal} is missing in ${shelf}`)
    await readWal(shelf, found, open).catch(error => {
      throw startFault((error as Error).message, error)
    })
    segments++
  }
  return { base: chain.base.file, files: manifest.entries, segments }
}
