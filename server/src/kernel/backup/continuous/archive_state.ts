// How archiving does, as its files say: what waits in the cluster, and what is in the archive. It asks no database.
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { namesIn, readShelf, systemIdentifier } from './shelf.ts'
import { type Window, windowsOf } from './windows.ts'

export type ArchiveState = {
  /** The newest base backup. */
  lastBaseMs: number | undefined
  /** Until when all that was committed is in the archive. */
  lastArchivedMs: number | undefined
  /** The newest window of moments that a restore can lead to. */
  window: Window | undefined
  /** Segments that PostgreSQL has finished and that are not archived. */
  waiting: number
  /** Since when the oldest of them waits. */
  waitingSinceMs: number | undefined
  /** What the last attempt that failed said. */
  why: string | undefined
}

/** Where the process looks after an archive. */
export type ArchiveWatch = { read(): Promise<ArchiveState> }

/** A segment that waits for longer is one that cannot be archived. */
export const archiveLateMs = 300_000

export type ArchivePlace = { dataDir: string; root: string }

export async function readArchiveState({ dataDir, root }: ArchivePlace): Promise<ArchiveState> {
  const cluster = join(dataDir, 'postgres')
  const shelf = join(root, await systemIdentifier(cluster))
  const content = await readShelf(shelf)
  const { waiting, waitingSinceMs } = await readWaiting(cluster)
  const newest = (times: readonly number[]) => (times.length === 0 ? undefined : times.reduce((a, b) => Math.max(a, b)))
  return {
    lastBaseMs: newest(content.bases.map(({ endMs }) => endMs)),
    lastArchivedMs: newest(content.wal.map(({ atMs }) => atMs)),
    window: windowsOf(content).at(-1),
    waiting,
    waitingSinceMs,
    why: waiting === 0 ? undefined : await lastFailure(join(dataDir, 'postgres.log')),
  }
}

/** PostgreSQL marks what is to be archived by a file `<name>.ready`. */
export async function readWaiting(cluster: string): Promise<Pick<ArchiveState, 'waiting' | 'waitingSinceMs'>> {
  const folder = join(cluster, 'pg_wal', 'archive_status')
  const ready = (await namesIn(folder)).filter(name => name.endsWith('.ready')).sort()
  if (ready.length === 0) return { waiting: 0, waitingSinceMs: undefined }
  const oldest = await stat(join(folder, ready[0]!)).catch(() => undefined)
  return { waiting: ready.length, waitingSinceMs: oldest?.mtimeMs }
}

const tailBytes = 8_192

/** What our program said last in PostgreSQL's log. */
export async function lastFailure(path: string): Promise<string | undefined> {
  const log = await open(path).catch(() => undefined)
  if (log === undefined) return undefined
  try {
    const { size } = await log.stat()
    const { buffer, bytesRead } = await log.read(Buffer.alloc(tailBytes), 0, tailBytes, Math.max(0, size - tailBytes))
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n')
    return lines.findLast(line => line.startsWith('tandem: '))?.slice('tandem: '.length)
  } finally {
    await log.close()
  }
}
