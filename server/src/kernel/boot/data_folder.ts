// The data folder: usable by this user, and used by one server at a time. The operating system holds the lock (SQLite's,
// on an empty file), so it is gone with its process however that ends, and a start after kill -9 finds it free.
// `server.pid` beside it only names the holder, for people and messages.
import { accessSync, constants, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { startFault } from '../values/start_fault.ts'

export type DataFolder = {
  /** Absolute path, without symbolic links. */
  readonly path: string
  /** Lets another server take the folder. Call it last, after the embedded database has stopped. */
  release(): void
}

/** Keeps the locks reachable: a collected handle would close, and with it the lock would go. */
const held = new Set<DatabaseSync>()

/**
 * Makes the folder where it is missing (for this user only), checks that it can be used and locks it for this process.
 * @throws StartFault when it cannot be read or written, or when another server uses it.
 */
export function lockDataFolder(dataDir: string): DataFolder {
  const path = openFolder(dataDir)
  const pidFile = join(path, 'server.pid')
  const lock = takeLock(path, pidFile)
  held.add(lock)
  writeFileSync(pidFile, `${process.pid}\n`)
  return {
    path,
    release() {
      if (!held.delete(lock)) return
      rmSync(pidFile, { force: true })
      lock.close()
    },
  }
}

function openFolder(dataDir: string): string {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return realpathSync(dataDir)
  } catch (error) {
    throw startFault(`${whyUnusable(dataDir, error)} Or set TANDEM_DATA to another folder.`, error)
  }
}

function whyUnusable(dataDir: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const user = process.getuid?.() ?? 'this user'
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return `The data folder ${dataDir} cannot be read and written by user ${user}: give it to this user (chown -R ${user} …).`
    case 'ENOTDIR':
    case 'EEXIST':
      return `The data folder ${dataDir} is a file, or lies below one: move that file away.`
    case 'EROFS':
      return `The data folder ${dataDir} lies on a file system that is mounted read-only: mount it writable.`
    default:
      return `The data folder ${dataDir} cannot be used (${message}): mend that.`
  }
}

const sqliteBusy = 5

function takeLock(path: string, pidFile: string): DatabaseSync {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(join(path, 'server.lock'), { timeout: 0 })
    // Without a journal nothing is ever written: the file stays empty and only carries the lock.
    lock.exec('pragma journal_mode = off; begin exclusive')
    return lock
  } catch (error) {
    lock?.close()
    if ((error as { errcode?: number }).errcode !== sqliteBusy) {
      throw startFault(
        `The data folder ${path} cannot be locked (${(error as Error).message}): set TANDEM_DATA to a local folder.`,
        error,
      )
    }
    const holder = readHolder(pidFile)
    throw startFault(
      `Another Tandem${holder} already uses the data folder ${path}. Stop it, or set TANDEM_DATA to another folder.`,
    )
  }
}

function readHolder(pidFile: string): string {
  try {
    const pid = readFileSync(pidFile, 'utf8').trim()
    return pid === '' ? '' : ` (process ${pid})`
  } catch {
    return ''
  }
}
