// The folder of archived WAL on disk: what is in it, and how old things leave it. Its root is made by an administrator and never by us,
// so that a disk that is not mounted is not mistaken for an empty one.
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { startFault } from '../../values/start_fault.ts'
import { type BaseFile, readBaseFileName, readWalFileName, type WalFile, walFolder } from './names.ts'
import { needless, type Shelf } from './windows.ts'

export const basesIn = (shelf: string) => join(shelf, 'base')
export const walIn = (shelf: string) => join(shelf, 'wal')
export const pathOfWal = (shelf: string, { wal, file }: Pick<WalFile, 'wal' | 'file'>) =>
  join(walIn(shelf), walFolder(wal), file)

/** @throws StartFault where the root is not there */
export async function requireRoot(root: string): Promise<void> {
  const found = await stat(root).catch(() => undefined)
  if (found?.isDirectory() === true) return
  throw startFault(
    `the folder ${root} for archived WAL is not there: mount its disk, or make the folder (TANDEM_WAL_TO)`,
  )
}

/** The number by which a cluster is known everywhere (PostgreSQL, `pg_control_system()`): the first eight bytes of pg_control. */
export async function systemIdentifier(cluster: string): Promise<string> {
  let control: FileHandle | undefined
  try {
    control = await open(join(cluster, 'global', 'pg_control'))
    const { buffer } = await control.read(Buffer.alloc(8), 0, 8, 0)
    return buffer.readBigUInt64LE().toString()
  } finally {
    await control?.close()
  }
}

/** Names of the databases that have archived into a root. */
export async function shelvesIn(root: string): Promise<string[]> {
  return (await namesIn(root)).filter(name => /^\d{10,20}$/.test(name))
}

/** What is whole on a shelf. */
export async function readShelf(shelf: string): Promise<Shelf> {
  const bases: BaseFile[] = (await namesIn(basesIn(shelf))).flatMap(name => readBaseFileName(name) ?? [])
  const wal: WalFile[] = []
  for (const folder of await namesIn(walIn(shelf)))
    wal.push(...(await namesIn(join(walIn(shelf), folder))).flatMap(name => readWalFileName(name) ?? []))
  return { bases, wal }
}

/** Removes what no restore to a moment of the last `keepMs` needs. @returns how many files went */
export async function prune(shelf: string, nowMs: number, keepMs: number): Promise<number> {
  const gone = needless(await readShelf(shelf), nowMs, keepMs)
  // Bases first: one whose segments went would look whole.
  for (const { file } of gone.bases) await rm(join(basesIn(shelf), file), { force: true })
  for (const one of gone.wal) await rm(pathOfWal(shelf, one), { force: true })
  return gone.bases.length + gone.wal.length
}

export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}
