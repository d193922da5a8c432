// The archive of a backup: a tar file (POSIX pax), compressed by Zstandard and, unless that is declined, encrypted by age. Each of the
// three has its own programs, so what is inside can be read without Tandem: `age -d … | zstd -d | tar -t`.
//
//   backup.json                 first: what made it, of which schema
//   instance.key                behind it, where Tandem made the root key itself
//   tables/<name>/000001.copy   rows in the text format of COPY, whole rows in each part
//   objects/<store>/<key>       files as they are kept
//   manifest.json               last: how many rows and bytes there are; an archive without it is not whole
import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { isStartFault, startFault } from '../values/start_fault.ts'
import { isSealed, type Opener, type Seal } from './seal.ts'

export type Entry = {
  name: string
  /** Bytes; the content must have exactly so many. */
  size: number
  content: AsyncIterable<Uint8Array> | Uint8Array
}

/** Where each sequence stands: its last value, and whether that was used. */
export type Sequences = Record<string, { value: string; isUsed: boolean }>

/** What is said at the end of a backup. */
export type Closing = {
  /** Rows of each table. */
  rows: Record<string, number>
  objects: number
  sequences: Sequences
}

export type Manifest<Last = Closing> = Last & {
  /** Entries before this one. */
  entries: number
  /** Bytes of their contents. */
  bytes: number
  /** SHA-256 over name, length and content of each, in hexadecimal. */
  sha256: string
}

const manifestName = 'manifest.json'

/**
 * The bytes of an archive. An error of `entries` ends the stream with it: what was written by then has no manifest.
 * @param entries its return value goes into the manifest
 */
export async function writeArchive<Last extends object>(
  entries: AsyncGenerator<Entry, Last>,
  { seal, atMs }: { seal: Seal | undefined; atMs: number },
): Promise<Readable> {
  const archive = pack()
  void produce().catch(error => archive.destroy(error as Error))
  async function produce(): Promise<void> {
    const sums = createSums()
    for (;;) {
      const next = await entries.next()
      if (next.done === true) {
        const manifest: Manifest<Last> = { ...next.value, ...sums.end() }
        await put({ name: manifestName, ...whole(JSON.stringify(manifest, null, 2)) })
        return archive.finalize()
      }
      sums.begin(next.value)
      await put(next.value, bytes => sums.add(bytes))
    }
  }
  async function put({ name, size, content }: Entry, seen: (bytes: Uint8Array) => void = () => {}): Promise<void> {
    const entry = archive.entry({ name, size, mtime: new Date(atMs), mode: 0o600 })
    await pipeline(watched(content, seen), entry)
  }
  const level = { params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 } }
  const compressed = createZstdCompress(level)
  // Its failure is that of the stream which is read.
  pipeline(archive, compressed).catch(() => {})
  return seal === undefined ? compressed : seal(compressed)
}

async function* watched(content: Entry['content'], seen: (bytes: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  for await (const bytes of content instanceof Uint8Array ? [content] : content) {
    seen(bytes)
    yield bytes
  }
}

/** A text as content. */
export function whole(words: string): Pick<Entry, 'size' | 'content'> {
  const content = Buffer.from(words)
  return { size: content.length, content }
}

function createSums() {
  const hash: Hash = createHash('sha256')
  let entries = 0
  let bytes = 0
  return {
    begin({ name, size }: Pick<Entry, 'name' | 'size'>) {
      entries++
      hash.update(`${name}\0${size}\0`)
    },
    add(content: Uint8Array) {
      bytes += content.length
      hash.update(content)
    },
    end: () => ({ entries, bytes, sha256: hash.digest('hex') }),
  }
}

/** An entry as it is read: its content is to be read, or skipped by asking for the next. */
export type ReadEntry = { name: string; size: number; content: AsyncIterable<Uint8Array> }

/**
 * Reads an archive, entry after entry, and gives the manifest at the end.
 * @param open what opens it when it is encrypted
 * @throws StartFault when it is not an archive of a backup, not whole, or changed
 */
export async function* readArchive<Last = Closing>(
  source: Readable,
  open: Opener | undefined,
): AsyncGenerator<ReadEntry, Manifest<Last>, undefined> {
  const plain = await opened(source, open)
  const reading = extract()
  const decompress = createZstdDecompress()
  const pumping = pipeline(plain, decompress, reading)
  pumping.catch(() => {})
  const sums = createSums()
  let manifest: Manifest<Last> | undefined
  try {
    for await (const entry of reading) {
      const { name, size = 0 } = entry.header
      const bytes = entry as AsyncIterable<Uint8Array>
      if (name === manifestName) {
        manifest = JSON.parse(await text(bytes)) as Manifest<Last>
        continue
      }
      sums.begin({ name, size })
      const content = inWords(watched(bytes, part => sums.add(part)))
      yield { name, size, content }
      // What the reader left of it counts too.
      for await (const _ of content);
    }
    await pumping
  } catch (error) {
    throw unreadable(error)
  }
  const found = sums.end()
  if (manifest === undefined) throw startFault('the archive ends before its end: it was not written whole')
  if (found.entries !== manifest.entries || found.bytes !== manifest.bytes || found.sha256 !== manifest.sha256)
    throw startFault('the archive is not what was written: its sum of check (SHA-256) is another')
  return manifest
}

async function* inWords(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* content
  } catch (error) {
    throw unreadable(error)
  }
}

async function opened(source: Readable, open: Opener | undefined): Promise<Readable> {
  const { first, all } = await peek(source)
  if (!isSealed(first)) return all
  if (open === undefined)
    throw startFault('the backup is encrypted: name what opens it with --passphrase-file or --identity-file')
  return open(all)
}

/** The first bytes of a stream, and the stream with them before it. */
async function peek(source: Readable): Promise<{ first: Uint8Array; all: Readable }> {
  const iterator = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  const parts: Uint8Array[] = []
  let length = 0
  while (length < 32) {
    const next = await iterator.next()
    if (next.done === true) break
    parts.push(next.value)
    length += next.value.length
  }
  async function* again(): AsyncGenerator<Uint8Array> {
    yield* parts
    for (;;) {
      const next = await iterator.next()
      if (next.done === true) return
      yield next.value
    }
  }
  return { first: Buffer.concat(parts), all: Readable.from(again(), { objectMode: false }) }
}

/** @returns an error whose text an operator understands; what the disk or the network says is left as it is */
function unreadable(error: unknown): Error {
  const { syscall, message } = error as NodeJS.ErrnoException
  // Where its content was read it has its words already.
  if (isStartFault(error)) return error
  if (syscall !== undefined) return error as Error
  const words = /unexpected end|premature close|final chunk|truncated/i.test(message)
    ? 'the archive ends before its end: it was not written whole'
    : `the file is not a backup of Tandem, or a part of it is damaged (${message})`
  return startFault(words, error)
}
