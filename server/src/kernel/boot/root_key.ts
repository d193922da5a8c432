// The root key: it seals the secrets of the installation and lies outside of the database, in a file, in the environment, or with a program
// that prints it. While one takes the place of another, a source may give both: the one that fits is taken.
import { execFile } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { startFault } from '../values/start_fault.ts'
import { flushFolder, makeFolder, writeWhole } from './durable_files.ts'

export type RootKey = { key: Buffer; fingerprint: string }

export type RootKeySettings = {
  dataDir: string
  /** At most one of these. */
  rootKeyFile?: string | undefined
  rootKey?: string | undefined
  rootKeyCommand?: string | undefined
  /** Where there is one, other nodes may share it. */
  databaseUrl?: string | undefined
}

export type RootKeySource = {
  /** Where the key comes from, for people: a path, or the name of a setting. */
  readonly place: string
  /** The file that Tandem makes and replaces by itself; undefined where the operator gives the key. */
  readonly ownFile: string | undefined
  /** Whether secrets that lie in plain are sealed without being asked: not where another node might then not open them. */
  readonly mayBegin: boolean
  /** All keys that it gives, the one in use first; none where its own file is not there yet. @throws StartFault */
  read(): Promise<RootKey[]>
  /** Makes the key in its own file, durable before it is used. @throws StartFault where the operator gives the key */
  make(): Promise<RootKey>
}

const keyBytes = 32
/** In the data folder, and in backups. */
export const ownFileName = 'instance.key'
const commandLimitMs = 30_000
const howToMake = 'Make one with: openssl rand -base64 32'

/** What people compare keys by: it says nothing of the key. */
export function fingerprintOf(key: Uint8Array): string {
  return createHmac('sha256', key).update('tandem root key').digest('hex').slice(0, 12)
}

export function rootKeySource(settings: RootKeySettings): RootKeySource {
  const { dataDir, rootKeyFile, rootKey, rootKeyCommand, databaseUrl } = settings
  if (rootKey !== undefined) return given('TANDEM_ROOT_KEY', async () => rootKey)
  if (rootKeyCommand !== undefined) return given('TANDEM_ROOT_KEY_COMMAND', () => outputOf(rootKeyCommand))
  if (rootKeyFile !== undefined) return given(rootKeyFile, async () => contentOf(rootKeyFile))
  const path = join(dataDir, ownFileName)
  return {
    place: path,
    ownFile: path,
    mayBegin: databaseUrl === undefined || existsSync(path),
    read: async () => [path, nextFile(path)].filter(existsSync).flatMap(file => keysIn(file, contentOf(file))),
    async make() {
      const made = newRootKey()
      try {
        await writeKeyFile(path, made)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        throw startFault(
          `The root key cannot be written to ${path} (${code}). Make the folder writable, or give a key by TANDEM_ROOT_KEY_FILE, ` +
            'TANDEM_ROOT_KEY or TANDEM_ROOT_KEY_COMMAND (docs/keys.md).',
          error,
        )
      }
      return made
    },
  }
}

function given(place: string, read: () => Promise<string>): RootKeySource {
  return {
    place,
    ownFile: undefined,
    mayBegin: true,
    read: async () => keysIn(place, await read()),
    make: async () => {
      throw startFault(`${place} gives no key. ${howToMake}`)
    },
  }
}

/** The file in which the next key lies while it takes the place of the one in use. */
export function nextFile(path: string): string {
  return `${path}.next`
}

export function newRootKey(): RootKey {
  const key = randomBytes(keyBytes)
  return { key, fingerprint: fingerprintOf(key) }
}

/** Keys of 32 bytes in base64 or hexadecimal, separated by blanks or commas. @throws StartFault; nothing of a key is in it */
export function keysIn(place: string, text: string): RootKey[] {
  const words = text.split(/[\s,]+/).filter(Boolean)
  const wrong = (why: string) => startFault(`The root key of ${place} ${why}. ${howToMake}`)
  if (words.length === 0) throw wrong('is empty')
  return words.map(word => {
    const key = /^[0-9a-f]{64}$/i.test(word) ? Buffer.from(word, 'hex') : Buffer.from(word, 'base64')
    if (key.length !== keyBytes || !/^[\w+/=-]+$/.test(word))
      throw wrong(`has another form: it takes ${keyBytes} bytes in base64 or hexadecimal`)
    return { key, fingerprint: fingerprintOf(key) }
  })
}

/** Writes a key for this user alone; it is on the disk when this resolves. */
export async function writeKeyFile(path: string, { key }: RootKey): Promise<void> {
  await makeFolder(dirname(path))
  await writeWhole(path, Readable.from([Buffer.from(`${key.toString('base64')}\n`)]))
}

/** Puts the next key file in the place of the one in use. */
export async function settleKeyFile(path: string): Promise<void> {
  await rename(nextFile(path), path)
  await flushFolder(dirname(path))
}

/** @throws StartFault when the file cannot be read */
function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw startFault(`The file ${path} with the root key cannot be read (${code}). ${howToMake} > ${path}`, error)
  }
}

/** What a program prints: it is run without a shell, its words are parted at blanks. @throws StartFault with what it complained of */
async function outputOf(command: string): Promise<string> {
  const [program = '', ...args] = command.split(/\s+/).filter(Boolean)
  try {
    return (await promisify(execFile)(program, args, { timeout: commandLimitMs, maxBuffer: 65_536 })).stdout
  } catch (error) {
    const { code, killed, stderr = '' } = error as NodeJS.ErrnoException & { killed?: boolean; stderr?: string }
    const why = killed === true ? `took longer than ${commandLimitMs / 1_000} seconds` : `failed (${code})`
    const said = stderr.trim().slice(-500)
    throw startFault(
      `The program of TANDEM_ROOT_KEY_COMMAND, ${basename(program)}, ${why}${said === '' ? '.' : `: ${said}`}`,
    )
  }
}
