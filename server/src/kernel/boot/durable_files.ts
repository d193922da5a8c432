// Files and folders that survive a power cut: flushed themselves, and in the folder that names them.
import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Bytes, and their SHA-256 in hexadecimal. */
export type Written = { size: number; sha256: string }

/** Writes a new file, flushed to the disk. */
export async function writeFlushed(path: string, source: AsyncIterable<Uint8Array>): Promise<Written> {
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

/** Where a file is written before it is whole. */
export const draftOf = (path: string) => `${path}.part`

/**
 * Writes a file that is at its place whole and flushed when this resolves, and not at all when it does not. It is written beside its place;
 * what a process left there that was killed is overwritten.
 */
export async function writeWhole(path: string, source: AsyncIterable<Uint8Array>): Promise<Written> {
  const draft = draftOf(path)
  await rm(draft, { force: true })
  try {
    const written = await writeFlushed(draft, source)
    await rename(draft, path)
    await flushFolder(dirname(path))
    return written
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    throw error
  }
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
