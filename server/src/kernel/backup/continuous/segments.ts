// Files of WAL on their way to the archive and back (PostgreSQL, "Continuous Archiving and Point-in-Time Recovery").
import { createHash } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { makeFolder, writeWhole } from '../../boot/durable_files.ts'
import type { Opener, Seal } from '../seal.ts'
import { readWalFileName, type WalFile, walFileName, walFolder } from './names.ts'
import { namesIn, pathOfWal, walIn } from './shelf.ts'

const params = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 }
/** A segment is mostly what compresses well; one that PostgreSQL names by mistake must not fill the memory. */
const maxBytes = 1024 * 1024 * 1024

const sumOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex').slice(0, 16)

/**
 * Archives one file of WAL: it is in the archive whole and flushed when this resolves, or the next call begins again. The same file
 * once more is taken as done; another of its name never replaces it.
 * @throws what the disk says, and where there is another file of that name
 */
export async function putWal(shelf: string, path: string, seal: Seal | undefined): Promise<string> {
  const wal = basename(path)
  const [content, { mtimeMs: atMs }] = await Promise.all([readFile(path), stat(path)])
  const sum = sumOf(content)
  const file = walFileName({ wal, atMs, sum, isSealed: seal !== undefined })
  const target = pathOfWal(shelf, { wal, file })
  const there = await findWal(shelf, wal)
  if (there?.sum === sum) return there.file
  if (there !== undefined)
    throw new Error(
      `${wal} is archived already with other contents (${there.file}): two databases write into this folder`,
    )
  await makeFolder(dirname(target))
  const compressed = Readable.from([zstdCompressSync(content, { params })])
  await writeWhole(target, seal === undefined ? compressed : await seal(compressed))
  return file
}

/** The archived file of that name of PostgreSQL. */
export async function findWal(shelf: string, wal: string): Promise<WalFile | undefined> {
  const names = await namesIn(join(walIn(shelf), walFolder(wal)))
  for (const name of names) {
    const found = name.startsWith(`${wal}-`) ? readWalFileName(name) : undefined
    if (found?.wal === wal) return found
  }
  return undefined
}

/** The content of an archived file. @throws where it is not what was archived, or cannot be opened */
export async function readWal(shelf: string, found: WalFile, open: Opener | undefined): Promise<Uint8Array> {
  let content: Uint8Array = await readFile(pathOfWal(shelf, found))
  if (found.isSealed) {
    if (open === undefined) throw new Error(`${found.file} is encrypted, and nothing was named that opens it`)
    content = await buffer(await open(Readable.from([content])))
  }
  const plain = zstdDecompressSync(content, { maxOutputLength: maxBytes })
  if (sumOf(plain) !== found.sum) throw new Error(`${found.file} is not what was archived: its sum of check is another`)
  return plain
}

/** Writes an archived file where PostgreSQL wants it. @returns false where there is none */
export async function fetchWal(shelf: string, wal: string, path: string, open: Opener | undefined): Promise<boolean> {
  const found = await findWal(shelf, wal)
  if (found === undefined) return false
  await writeFile(path, await readWal(shelf, found, open), { mode: 0o600 })
  return true
}
