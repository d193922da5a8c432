// Objects as files below one folder. A file is written beside its place, flushed, and moved there in one step, so that a
// reader or a crash never meets half of one.
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, opendir, readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { Clock } from '../values/clock.ts'
import { checkedKey, isObjectKey, objectMissing } from '../values/object_key.ts'
import type { ObjectStore, PutResult, StoredObject } from './object_store.ts'

/** Below it lie the objects; beside it, `making` holds what is being written. */
const objectsFolder = 'objects'
const makingFolder = 'making'
/** Nothing is written for so long: what is older was left by a process that died. */
const abandonedAfterMs = 24 * 3_600_000

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
      const file = await open(pathOf(key), 'r').catch(error => {
        throw isAbsence(error) ? objectMissing(key, error) : error
      })
      return file.createReadStream(range === undefined ? {} : { start: range.from, end: range.to })
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

/** Writes a new file, flushed to the disk. */
export async function writeFlushed(path: string, source: AsyncIterable<Uint8Array>): Promise<PutResult> {
  const hash = createHash('sha256')
  let size = 0
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const bytes of source) {
      hash.update(bytes)
      size += bytes.length
      await writeAll(file, bytes)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { size, sha256: hash.digest('hex') }
}

/** A write may take a part only; a full disk then refuses the next one. */
async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten
}

/** Makes a folder that survives a power cut: each new one is flushed into the one above it. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = path; ; made = dirname(made)) {
    await flushFolder(dirname(made))
    if (made === first || made === dirname(made)) return
  }
}

/** Makes what was done in a folder durable. Windows opens no folders, and needs no such thing. */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
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
