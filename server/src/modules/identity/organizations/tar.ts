// An archive as it is written: POSIX ustar (IEEE Std 1003.1, pax), entry after entry.

import { createGzip } from 'node:zlib'

export type TarEntry = { name: string; size: number; content: AsyncIterable<Uint8Array> | Uint8Array; atMs: number }

/** A file that holds a text. */
export function textEntry(name: string, text: string, atMs: number): TarEntry {
  const content = Buffer.from(text)
  return { name, size: content.length, content, atMs }
}

const block = 512

/** The bytes of an archive of these entries, compressed by gzip. */
export function packedTar(entries: AsyncIterable<TarEntry>): AsyncIterable<Uint8Array> {
  const packed = createGzip({ level: 6 })
  void (async () => {
    try {
      for await (const part of tarOf(entries))
        if (!packed.write(part)) await new Promise(resolve => packed.once('drain', resolve))
      packed.end()
    } catch (error) {
      packed.destroy(error as Error)
    }
  })()
  return packed
}

/** The bytes of an archive of these entries; each has to be as long as it says. */
export async function* tarOf(entries: AsyncIterable<TarEntry>): AsyncGenerator<Uint8Array> {
  for await (const { name, size, content, atMs } of entries) {
    yield headerOf(name, size, atMs)
    let written = 0
    for await (const part of content instanceof Uint8Array ? [content] : content) {
      written += part.length
      yield part
    }
    if (written !== size) throw new Error(`${name} has ${written} bytes, not ${size}`)
    yield new Uint8Array((block - (size % block)) % block)
  }
  yield new Uint8Array(2 * block)
}

function headerOf(name: string, size: number, atMs: number): Uint8Array {
  if (Buffer.byteLength(name) > 100) throw new Error(`the name ${name} is too long`)
  const header = Buffer.alloc(block)
  const octal = (value: number, at: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'ascii')
  header.write(name, 0)
  octal(0o644, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  // Eight gibibytes and more do not fit into octal digits: base 256, as GNU tar and pax read it.
  if (size < 8 ** 11) octal(size, 124, 12)
  else {
    header.writeUInt8(0x80, 124)
    header.writeBigUInt64BE(BigInt(size), 128)
  }
  octal(Math.floor(atMs / 1_000), 136, 12)
  header.write('        ', 148, 'ascii')
  header.write('0', 156, 'ascii')
  header.write('ustar\x0000', 257, 'ascii')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'ascii')
  return header
}
