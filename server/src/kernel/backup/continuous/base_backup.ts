// A base backup: the files of the cluster, copied while it runs, from which recovery begins. With the WAL behind it, any later moment can
// be restored.
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { flushFolder, makeFolder, writeFlushed } from '../../boot/durable_files.ts'
import { ownFileName } from '../../boot/root_key.ts'
import type { ConnectionOptions } from '../../data/db.ts'
import { connectClient } from '../../data/session.ts'
import { startFault } from '../../values/start_fault.ts'
import { type Entry, whole, writeArchive } from '../archive.ts'
import type { Seal } from '../seal.ts'
import { readOwnKeys } from './base_keys.ts'
import { controlFile, listCluster, readCluster, readControl } from './cluster_files.ts'
import { baseFileName, timelineOf } from './names.ts'
import { putWal } from './segments.ts'
import { basesIn, namesIn, requireRoot } from './shelf.ts'

/** The first entry of a base backup. */
export type BaseHead = {
  format: 1
  /** Of Tandem. */
  version: string
  postgres: string
  /** Its release number: another one cannot read it. */
  major: number
  systemIdentifier: string
  beganAt: string
  /** Below the cluster, also where they are empty. */
  folders: string[]
}

/** What its manifest says beside sums. */
export type BaseClosing = {
  timeline: number
  startLsn: string
  stopLsn: string
  endedAt: string
  first: string
  last: string
}

export const baseHeadName = 'base.json'
export const baseFormat = 1

export type BaseOptions = {
  owner: ConnectionOptions
  dataDir: string
  /** As TANDEM_WAL_TO says it. */
  root: string
  seal: Seal | undefined
  version: string
}

export type BaseMade = { path: string; sizeBytes: number; files: number; beganAt: string; endedAt: string }

/** @throws StartFault where it cannot be made; nothing is left of it then */
export async function makeBase({ owner, dataDir, root, seal, version }: BaseOptions): Promise<BaseMade> {
  await requireRoot(root)
  const cluster = join(dataDir, 'postgres')
  const client = await connectClient({ ...owner, application_name: 'tandem_base_backup' })
  try {
    await begin(client)
    const { rows } = await client.query<{ id: string; postgres: string; major: number; at: string }>(
      `select system_identifier::text as id, current_setting('server_version') as postgres, ${rfc3339},
         current_setting('server_version_num')::int / 10000 as major from pg_control_system()`,
    )
    const { id, postgres, major, at: beganAt } = rows[0]!
    const shelf = join(root, id)
    await archiveHistories(shelf, cluster, seal)
    await makeFolder(basesIn(shelf))
    // What a base backup left that was killed.
    for (const name of await namesIn(basesIn(shelf)))
      if (name.endsWith('.part')) await rm(join(basesIn(shelf), name), { force: true })
    const draft = join(basesIn(shelf), `base-${process.pid}.part`)
    const head = { format: baseFormat, version, postgres, major, systemIdentifier: id, beganAt } as const
    const closed: Partial<BaseClosing> & { files: number } = { files: 0 }
    try {
      const entries = contentsOf(client, { cluster, dataDir, head, closed })
      const content = await writeArchive(entries, { seal, atMs: Date.parse(beganAt) })
      const { size: sizeBytes } = await writeFlushed(draft, content)
      const { endedAt, first, last } = closed as BaseClosing
      const [beginMs, endMs] = [Date.parse(beganAt), Date.parse(endedAt)]
      const path = join(basesIn(shelf), baseFileName({ beginMs, endMs, first, last, isSealed: seal !== undefined }))
      await rename(draft, path)
      await flushFolder(basesIn(shelf))
      return { path, sizeBytes, files: closed.files, beganAt, endedAt }
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  } finally {
    await client.end().catch(() => {})
  }
}

/** Milliseconds rounded up: what was committed before is before it. */
const rfc3339 = `to_char((date_trunc('milliseconds', clock_timestamp()) + interval '1 ms') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`

async function begin(client: pg.Client): Promise<void> {
  await client.query(
    'set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set idle_session_timeout = 0',
  )
  const { rows } = await client.query<{ archiving: boolean; free: boolean }>(
    `select current_setting('archive_mode') = 'on' as archiving, pg_try_advisory_lock(hashtext('tandem_base_backup')) as free`,
  )
  if (!rows[0]!.archiving)
    throw startFault('the database does not archive its WAL: set TANDEM_WAL_TO and restart the server')
  if (!rows[0]!.free) throw startFault('a base backup is under way already')
}

/** A timeline that began while nothing was archived has its history here alone. */
async function archiveHistories(shelf: string, cluster: string, seal: Seal | undefined): Promise<void> {
  for (const name of await readdir(join(cluster, 'pg_wal')))
    if (/^[0-9A-F]{8}\.history$/.test(name)) await putWal(shelf, join(cluster, 'pg_wal', name), seal)
}

type Contents = {
  cluster: string
  dataDir: string
  head: Omit<BaseHead, 'folders'>
  closed: Partial<BaseClosing> & { files: number }
}

async function* contentsOf(
  client: pg.Client,
  { cluster, dataDir, head, closed }: Contents,
): AsyncGenerator<Entry, BaseClosing> {
  // At once: the buffers are small, and everybody waits for a first base backup.
  const { rows: started } = await client.query<{ lsn: string }>(`select pg_backup_start('tandem', true)::text as lsn`)
  const { files, folders } = await listCluster(cluster)
  yield { name: baseHeadName, ...whole(JSON.stringify({ ...head, folders }, null, 2)) }
  for await (const entry of readCluster(cluster, files)) {
    closed.files++
    yield entry
  }
  const control = await readControl(cluster)
  yield { name: `cluster/${controlFile}`, size: control.length, content: control }
  const { rows } = await client.query<{ lsn: string; last: string; label: string; map: string; at: string }>(
    `select lsn::text as lsn, pg_walfile_name(lsn - 1) as last, labelfile as label, spcmapfile as map, ${rfc3339}
     from pg_backup_stop(wait_for_archive => false)`,
  )
  const { lsn: stopLsn, last, label, map, at: endedAt } = rows[0]!
  const first = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)$/m.exec(label)?.[1]
  if (first === undefined) throw new Error(`the label of the base backup names no segment: ${label}`)
  // A segment that is finished later than the backup ended shows that all until then is archived; on its own it may take a minute.
  await client.query(`select pg_logical_emit_message(false, 'tandem', 'base backup'); select pg_switch_wal()`)
  yield { name: 'cluster/backup_label', ...whole(label) }
  if (map.trim() !== '') yield { name: 'cluster/tablespace_map', ...whole(map) }
  const keys = await readOwnKeys(dataDir)
  if (keys !== undefined) yield { name: ownFileName, ...whole(keys) }
  const closing = { timeline: timelineOf(first), startLsn: started[0]!.lsn, stopLsn, endedAt, first, last }
  Object.assign(closed, closing)
  return closing
}

/** Where a file of a base backup goes, with the folders above it. */
export async function putFile(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const bytes of content) await file.writeFile(bytes)
  } finally {
    await file.close()
  }
}

export async function makeFolders(cluster: string, folders: readonly string[]): Promise<void> {
  for (const folder of ['', ...folders]) await mkdir(join(cluster, folder), { recursive: true, mode: 0o700 })
}
