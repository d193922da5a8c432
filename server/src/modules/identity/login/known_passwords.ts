// Passwords that are in lists guessers have, which every new password is looked up in: the most used ones, which come with the server, and a
// file in the data folder, made of such lists by `tandem passwords import`. Nothing is kept in memory; a new file counts from the next password on.
//
// common_passwords.bin has the first 10,000 with ten characters or more, and the first 5,000 with fifteen, of the list
// 10-million-password-list-top-1000000 of SecLists (MIT).
//
// A file holds the first 48 bits of the SHA-1 of each password, as HIBP publishes them, sorted and parted by their first bytes:
//   mark (8 bytes), how many (6), bytes by which they are parted (1), 0 · for each part where it begins, and the end (4 each) · the rest
//   of each hash. All numbers are big-endian.
import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../../../kernel/observe/log.ts'
import { canonical } from './password.ts'

export type KnownPasswords = {
  /** Whether guessers have it in their lists. */
  has(password: string): Promise<boolean>
}

declare module '../../../kernel/endpoint/endpoint.ts' {
  interface Services {
    knownPasswords: KnownPasswords
  }
}

export const mark = Buffer.from('TDMPWD01')
export const headBytes = 16
export const hashBytes = 6

export type Head = { count: number; partBytes: number }

export function knownPasswordsFile(dataDir: string): string {
  return join(dataDir, 'known_passwords')
}

export function hashOfPassword(password: string): Buffer {
  return createHash('sha1').update(canonical(password)).digest().subarray(0, hashBytes)
}

const commonFile = join(import.meta.dirname, 'common_passwords.bin')

/** A file that is damaged keeps nobody from changing their password, but is in the log each time. */
export function openKnownPasswords(path: string, log: Pick<Log, 'error'>): KnownPasswords {
  async function isListed(file: string, hash: Buffer): Promise<boolean> {
    try {
      return await withFile(file, async opened => opened !== undefined && (await isIn(opened, hash)))
    } catch (err) {
      log.error({ err, path: file }, 'the list of known passwords could not be read')
      return false
    }
  }
  return {
    async has(password) {
      const hash = hashOfPassword(password)
      return (await isListed(commonFile, hash)) || (await isListed(path, hash))
    },
  }
}

/** What is in the file; undefined when there is none. */
export async function headOf(path: string): Promise<Head | undefined> {
  return withFile(path, async file => (file === undefined ? undefined : readHead(file)))
}

async function withFile<T>(path: string, work: (file: FileHandle | undefined) => Promise<T>): Promise<T> {
  const file = await open(path).catch(error => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  try {
    return await work(file)
  } finally {
    await file?.close()
  }
}

async function readHead(file: FileHandle): Promise<Head> {
  const head = await bytesAt(file, 0, headBytes)
  if (!head.subarray(0, mark.length).equals(mark)) throw new Error('the file is no list of known passwords')
  return { count: head.readUIntBE(mark.length, 6), partBytes: head.readUInt8(mark.length + 6) }
}

async function isIn(file: FileHandle, hash: Buffer): Promise<boolean> {
  const { partBytes } = await readHead(file)
  const part = hash.readUIntBE(0, partBytes)
  const index = await bytesAt(file, headBytes + part * 4, 8)
  const [from, to] = [index.readUInt32BE(0), index.readUInt32BE(4)]
  const rest = hash.subarray(partBytes)
  const listed = await bytesAt(file, startOfHashes(partBytes) + from * rest.length, (to - from) * rest.length)
  for (let at = 0; at < listed.length; at += rest.length)
    if (listed.compare(rest, 0, rest.length, at, at + rest.length) === 0) return true
  return false
}

export function startOfHashes(partBytes: number): number {
  return headBytes + (256 ** partBytes + 1) * 4
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  if (length === 0) return bytes
  const { bytesRead } = await file.read(bytes, 0, length, position)
  if (bytesRead < length) throw new Error('the file is cut short')
  return bytes
}
