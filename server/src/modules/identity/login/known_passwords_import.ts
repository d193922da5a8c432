// Makes the file of known passwords (known_passwords.ts) of lists, in whatever order and size: hashes are sorted by pieces that fit into
// memory, written, and merged. A list that is sorted already, as that of HIBP, makes one piece.
import { closeSync, fsyncSync, mkdtempSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { hashBytes, hashOfPassword, headBytes, mark, startOfHashes } from './known_passwords.ts'
import { passwordMinLength } from './password_rules.ts'

/** Of 8 bytes: 32 MiB, the larger part of what an import takes. */
const inMemory = 4 * 1024 * 1024
const chunkBytes = 64 * 1024
const longestLine = 16 * 1024
const lineFeed = 0x0a
const carriageReturn = 0x0d

/** What is wrong with a list. */
export class ListFault extends Error {}

export type Imported = { read: number; skipped: number; kept: number }

/** @throws ListFault when a list is none; nothing is changed then */
export function importKnownPasswords(lists: readonly string[], path: string): Imported {
  const folder = mkdtempSync(join(dirname(path), 'known_passwords-'))
  try {
    const sorter = createSorter(folder)
    let [read, skipped] = [0, 0]
    for (const list of lists) {
      const counted = readList(list, sorter.add)
      read += counted.read
      skipped += counted.skipped
    }
    const made = join(folder, 'made')
    const kept = writeFile(made, sorter.merged(), sorter.count())
    renameSync(made, path)
    return { read, skipped, kept }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Hashes as HIBP has them, or passwords in clear, one a line: the first line says which. */
function readList(list: string, add: (hash: number) => void): { read: number; skipped: number } {
  let [read, skipped] = [0, 0]
  let isOfHashes: boolean | undefined
  for (const line of linesOf(list)) {
    read++
    if (line.length === 0) {
      skipped++
      continue
    }
    isOfHashes ??= kindOf(list, line)
    if (isOfHashes) {
      add(hashIn(line) ?? fault(list, `line ${read} is no SHA-1 in 40 hexadecimal digits`))
      continue
    }
    const password = line.toString('utf8')
    // Shorter ones cannot be chosen anyway.
    if (Array.from(password).length < passwordMinLength) skipped++
    else add(hashOfPassword(password).readUIntBE(0, hashBytes))
  }
  return { read, skipped }
}

function kindOf(list: string, line: Buffer): boolean {
  const text = line.toString('latin1')
  if (/^[0-9a-f]{32}:\d+$/i.test(text))
    fault(list, 'has NTLM hashes; it must be the list of SHA-1 hashes, or of passwords')
  if (line.includes(0)) fault(list, 'is no text; unpack it first')
  return /^[0-9a-f]{40}(:\d+)?$/i.test(text)
}

function fault(list: string, what: string): never {
  throw new ListFault(`${list}: ${what}.`)
}

function* linesOf(list: string): Generator<Buffer> {
  const file = openSync(list, 'r')
  try {
    const chunk = Buffer.alloc(chunkBytes)
    let rest = Buffer.alloc(0)
    for (;;) {
      const length = readSync(file, chunk, 0, chunk.length, null)
      if (length === 0) break
      const bytes = Buffer.concat([rest, chunk.subarray(0, length)])
      let from = 0
      for (let to = bytes.indexOf(lineFeed); to !== -1; to = bytes.indexOf(lineFeed, from)) {
        yield trimmed(bytes.subarray(from, to))
        from = to + 1
      }
      rest = bytes.subarray(from)
      if (rest.length > longestLine) fault(list, 'is no list with one password or hash a line')
    }
    if (rest.length > 0) yield trimmed(rest)
  } finally {
    closeSync(file)
  }
}

function trimmed(line: Buffer): Buffer {
  return line.at(-1) === carriageReturn ? line.subarray(0, -1) : line
}

/** The value of a hexadecimal digit, or 16. */
const digits = Uint8Array.from({ length: 256 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16)
  return Number.isNaN(value) ? 16 : value
})

function hashIn(line: Buffer): number | undefined {
  if (line.length < 40 || (line.length > 40 && line[40] !== 0x3a)) return undefined
  let hash = 0
  for (let at = 0; at < hashBytes * 2; at++) {
    const digit = digits[line[at] as number] as number
    if (digit > 15) return undefined
    hash = hash * 16 + digit
  }
  return hash
}

/** Sorts more numbers than fit into memory: pieces in files, each ascending. A piece that continues the one before is put behind it. */
function createSorter(folder: string) {
  const numbers = new Float64Array(inMemory)
  const files: string[] = []
  let [held, total, last] = [0, 0, -1]
  let writer: ReturnType<typeof createWriter> | undefined

  function spill(): void {
    const piece = numbers.subarray(0, held).sort()
    if (writer === undefined || (piece[0] as number) < last) {
      writer?.close()
      const file = join(folder, `piece-${files.length}`)
      files.push(file)
      writer = createWriter(openSync(file, 'w'), 0)
    }
    for (const number of piece) writer.number(number, hashBytes)
    last = piece.at(-1) as number
    held = 0
  }

  return {
    add(number: number): void {
      if (held === numbers.length) spill()
      numbers[held++] = number
      total++
    },
    count: () => total,
    /** All of them, ascending, each once. */
    *merged(): Generator<number> {
      if (held > 0) spill()
      writer?.close()
      const pieces = files.map(file => numbersIn(file))
      const heads = pieces.map(piece => next(piece))
      let before = -1
      for (;;) {
        let least = 0
        for (let piece = 1; piece < heads.length; piece++)
          if ((heads[piece] as number) < (heads[least] as number)) least = piece
        const number = heads[least] ?? Number.POSITIVE_INFINITY
        if (number === Number.POSITIVE_INFINITY) return
        heads[least] = next(pieces[least] as Generator<number>)
        if (number !== before) yield number
        before = number
      }
    },
  }
}

const next = (numbers: Generator<number>) => {
  const { value, done } = numbers.next()
  return done === true ? Number.POSITIVE_INFINITY : value
}

function* numbersIn(path: string): Generator<number> {
  const file = openSync(path, 'r')
  try {
    const chunk = Buffer.alloc(hashBytes * 10_000)
    for (;;) {
      const length = readSync(file, chunk, 0, chunk.length, null)
      if (length === 0) return
      for (let at = 0; at < length; at += hashBytes) yield chunk.readUIntBE(at, hashBytes)
    }
  } finally {
    closeSync(file)
  }
}

/** Numbers written one behind the other from a position on; the file may be written at another place at the same time. */
function createWriter(file: number, from: number) {
  const buffer = Buffer.alloc(chunkBytes)
  let [position, used] = [from, 0]
  const flush = () => {
    writeAll(file, buffer.subarray(0, used), position)
    position += used
    used = 0
  }
  return {
    number(number: number, bytes: number): void {
      if (used + bytes > buffer.length) flush()
      used = buffer.writeUIntBE(number, used, bytes)
    },
    flush,
    close(): void {
      flush()
      closeSync(file)
    },
  }
}

function writeAll(file: number, bytes: Buffer, position: number): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, position + at)
}

/** Such that a part is a few kilobytes at most, and the index small beside what it is to. */
function partBytesOf(count: number): number {
  if (count > 2 ** 26) return 3
  return count > 2 ** 14 ? 2 : 1
}

/** @returns how many there are */
function writeFile(path: string, ascending: Iterable<number>, atMost: number): number {
  const partBytes = partBytesOf(atMost)
  const restBytes = hashBytes - partBytes
  const partSize = 256 ** restBytes
  const file = openSync(path, 'wx', 0o600)
  try {
    const index = createWriter(file, headBytes)
    const hashes = createWriter(file, startOfHashes(partBytes))
    let [count, part] = [0, -1]
    const startParts = (upTo: number) => {
      for (; part < upTo; part++) index.number(count, 4)
    }
    for (const hash of ascending) {
      startParts(Math.floor(hash / partSize))
      hashes.number(hash % partSize, restBytes)
      count++
    }
    startParts(256 ** partBytes)
    index.flush()
    hashes.flush()
    const head = Buffer.alloc(headBytes)
    mark.copy(head)
    head.writeUIntBE(count, mark.length, 6)
    head.writeUInt8(partBytes, mark.length + 6)
    writeAll(file, head, 0)
    fsyncSync(file)
    return count
  } finally {
    closeSync(file)
  }
}
