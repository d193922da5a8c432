// The files of a cluster that go into a base backup while PostgreSQL writes to them: what is torn or missing in a copy is mended by the
// WAL that is replayed over it. What is left out is what PostgreSQL makes again (documentation, "Making a Base Backup Using the
// Low Level API").
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startFault } from '../../values/start_fault.ts'
import type { Entry } from '../archive.ts'

/** Folders whose contents are of one life of the server. */
const emptied = [
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
]
const leftOut =
  /^(postmaster\.(pid|opts)|current_logfiles|backup_label(\.old)?|backup_manifest|tablespace_map(\.old)?|recovery\.signal|standby\.signal)$/
/** Anywhere: temporary files, temporary relations, a cache. */
const leftOutAnywhere = /^(pgsql_tmp|t\d+_\d+|pg_internal\.init)|\.tmp$/

export const controlFile = 'global/pg_control'

export type ClusterList = { files: string[]; folders: string[] }

/** Files to copy, without pg_control, which goes last; and folders, which are made even where they are empty. */
export async function listCluster(cluster: string): Promise<ClusterList> {
  const files: string[] = []
  const folders = ['pg_wal/archive_status', 'pg_wal/summaries']
  const visit = async (folder: string): Promise<void> => {
    for (const entry of await readdir(join(cluster, folder), { withFileTypes: true }).catch(vanished([]))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (leftOutAnywhere.test(entry.name) || leftOut.test(path) || path === controlFile) continue
      if (folder === 'pg_tblspc')
        throw startFault(
          'the database has a tablespace outside of its folder, which base backups do not hold: move its tables back',
        )
      if (emptied.includes(path)) folders.push(path)
      else if (entry.isDirectory()) {
        folders.push(path)
        await visit(path)
      } else if (entry.isFile()) files.push(path)
    }
  }
  await visit('')
  return { files: files.sort(), folders: folders.sort() }
}

/** Their contents. A file that is removed meanwhile is left out; one that grows is copied as far as it was. */
export async function* readCluster(cluster: string, files: readonly string[]): AsyncGenerator<Entry, void> {
  for (const path of files) {
    const file = await open(join(cluster, path)).catch(vanished(undefined))
    if (file === undefined) continue
    try {
      const { size } = await file.stat()
      yield { name: `cluster/${path}`, size, content: size === 0 ? new Uint8Array() : exactly(file, size) }
    } finally {
      await file.close()
    }
  }
}

/** pg_control may be written while it is read: what comes twice is whole. */
export async function readControl(cluster: string): Promise<Uint8Array> {
  let before: Buffer | undefined
  for (let tries = 0; tries < 100; tries++) {
    const file = await open(join(cluster, controlFile))
    const now = await file.readFile().finally(() => file.close())
    if (before?.equals(now)) return now
    before = now
    await sleep(10)
  }
  throw new Error('pg_control changes all the time')
}

const chunkBytes = 1024 * 1024

/** So many bytes of a file; with zeros where it became shorter, which WAL deals with. */
async function* exactly(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const length = Math.min(chunkBytes, size - at)
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, at)
    yield bytesRead === 0 ? buffer : buffer.subarray(0, bytesRead)
    at += bytesRead === 0 ? length : bytesRead
  }
}

function vanished<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return error => {
    if (error.code === 'ENOENT') return instead
    throw error
  }
}
