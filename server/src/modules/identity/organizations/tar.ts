// An archive as it is written: tar, compressed by gzip, entry after entry.
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'

export type TarEntry = { name: string; size: number; content: AsyncIterable<Uint8Array> | Uint8Array; atMs: number }

/** A file that holds a text. */
export function textEntry(name: string, text: string, atMs: number): TarEntry {
  const content = Buffer.from(text)
  return { name, size: content.length, content, atMs }
}

/** The bytes of an archive of these entries; it fails with an entry that is not as long as it says. */
export function packedTar(entries: AsyncIterable<TarEntry>): Readable {
  const archive = pack()
  const packed = createGzip({ level: 6 })
  void fill().catch(error => archive.destroy(error as Error))
  async function fill(): Promise<void> {
    for await (const { name, size, content, atMs } of entries) {
      const entry = archive.entry({ name, size, mtime: new Date(atMs), mode: 0o644 })
      await pipeline(content instanceof Uint8Array ? [content] : content, entry)
    }
    archive.finalize()
  }
  // Its failure is that of the stream which is read.
  pipeline(archive, packed).catch(() => {})
  return packed
}
