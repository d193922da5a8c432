// Objects as files below one folder. A file is written beside its place, flushed, and moved there in one step, so that a
// reader or a crash never meets half of one.
import { randomUUID } from 'node:crypto'
import { createReadStream, open as openWithCallback } from 'node:fs'
import { opendir, readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { flushFolder, makeFolder, writeFlushed } from '../boot/durable_files.ts'
import type { Clock } from '../values/clock.ts'
import { checkedKey, isObjectKey, objectMissing } from '../values/object_key.ts'
import type { ObjectStore, PutResult, StoredObject } from './object_store.ts'

/** Below it lie the objects; beside it, `making` holds what is being written. */
const objectsFolder = 'objects'
const makingFolder = 'making'
/** Nothing is written for so long: what is older was left by a process that died. */
const abandonedAfterMs = 24 * 3_600_000

const openFile = promisify(openWithCallback)

export function createDiskStore(root: string, clock: Clock): ObjectStore {
  let swept: Promise<void> | undefined
  const objects = join(root, objectsFolder)
  const making = join(root, makingFolder)
  const pathOf = (key: string) => join(objects, ...checkedKey(key).split('/'))

  async function put(key: string, source: AsyncIterable<Uint8Array> | string): Promise<PutResult> {
    const path = pathOf(key)
    await makeFolder(making)
    swept ??= sweep(making, clock.now() - abandonedAfterMs)
    await swept
    const draft = join(making, randomUUID())
    try {
      const result = await writeFlushed(draft, bytesOf(source))
      await makeFolder(dirname(path))
      await rename(draft, path)
      await flushFolder(dirname(path))
      return result
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }

  return {
    name: 'disk',
    local: true,
    put,
    async read(key, range) {
      // Not the file handle of fs/promises: one that is collected while it is open ends the process.
      const fd = await openFile(pathOf(key), 'r').catch(error => {
        throw isAbsence(error) ? objectMissing(key, error) : error
      })
      return createReadStream('', { fd, ...(range === undefined ? {} : { start: range.from, end: range.to }) })
    },
    async size(key) {
      try {
        const found = await stat(pathOf(key))
        return found.isFile() ? found.size : undefined
      } catch (error) {
        if (isAbsence(error)) return undefined
        throw error
      }
    },
    async remove(key) {
      const path = pathOf(key)
      try {
        await unlink(path)
      } catch (error) {
        if (isAbsence(error)) return
        throw error
      }
      await flushFolder(dirname(path))
    },
    list: (prefix = '') => listFiles(objects, prefix),
  }
}

/** The bytes of a source. A file is opened when it is read, so that its error reaches its reader. */
export async function* bytesOf(source: AsyncIterable<Uint8Array> | string): AsyncGenerator<Uint8Array, undefined> {
  yield* typeof source === 'string' ? createReadStream(source) : source
}

async function sweep(folder: string, beforeMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found !== undefined && found.mtimeMs < beforeMs) await rm(path, { force: true })
  }
}

async function* listFiles(folder: string, prefix: string): AsyncIterable<StoredObject> {
  try {
    for await (const entry of await opendir(folder, { recursive: true })) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      const key = relative(folder, path).split(sep).join('/')
      if (!key.startsWith(prefix) || !isObjectKey(key)) continue
      const found = await stat(path).catch(() => undefined)
      if (found !== undefined) yield { key, size: found.size }
    }
  } catch (error) {
    if (!isAbsence(error)) throw error
  }
}

function isAbsence(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT' || code === 'ENOTDIR'
}
