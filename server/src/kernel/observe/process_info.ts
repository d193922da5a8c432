// What a process of the server says about itself: where it runs, which version, and how much room its disks have.
import { statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { newId } from '../values/ids.ts'
import { version } from '../values/version.ts'

/** The room on the disk that holds a folder; `folder` is what the folder is for, not its path. */
export type Disk = { folder: string; freeBytes: number; sizeBytes: number }

export type ProcessInfo = {
  id: string
  host: string
  pid: number
  version: string
  /** That of Node.js. */
  runtime: string
  roles: readonly string[]
  startedAtMs: number
  /** Read when it is asked; a folder that cannot be looked at is left out. */
  disks(): Promise<Disk[]>
}

/** @param folders paths by what they are for */
export function describeProcess(
  roles: readonly string[],
  folders: Readonly<Record<string, string>>,
  startedAtMs: number,
): ProcessInfo {
  return {
    id: newId('node'),
    host: hostname(),
    pid: process.pid,
    version,
    runtime: process.versions.node,
    roles,
    startedAtMs,
    async disks() {
      const found = await Promise.all(Object.entries(folders).map(([folder, path]) => roomOf(folder, path)))
      return found.filter(disk => disk !== undefined)
    },
  }
}

/** A folder that is made when it is first needed lies on the disk of the one above it. */
async function roomOf(folder: string, path: string): Promise<Disk | undefined> {
  try {
    const { bavail, blocks, bsize } = await statfs(path)
    return { folder, freeBytes: bavail * bsize, sizeBytes: blocks * bsize }
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return isMissing && dirname(path) !== path ? roomOf(folder, dirname(path)) : undefined
  }
}
