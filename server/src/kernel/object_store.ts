// Where large things are kept that are no rows, such as recordings: objects under a key, written once and read in parts. Two
// kinds of store, a folder on disk and a bucket of S3-compatible storage; and the folder of this machine, where files lie
// while they are being made.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { newId } from './ids.ts'
import { parseS3Address } from './object_key.ts'
import { createDiskStore } from './object_store_disk.ts'
import { createS3Store } from './object_store_s3.ts'

export type StoredObject = { key: string; size: number }

/** What was put: its length, and the SHA-256 of its bytes in hexadecimal. */
export type PutResult = { size: number; sha256: string }

/** First and last byte, from 0, both included. */
export type ByteRange = { from: number; to: number }

export type ObjectStore = {
  /** What rows call it: `disk`, or `s3://bucket/prefix`. */
  readonly name: string
  /** Whether it can be reached from this machine only. */
  readonly local: boolean
  /** Writes an object, or writes it again. It is there whole and durable when this resolves, and not at all when it fails. */
  put(key: string, source: AsyncIterable<Uint8Array> | string): Promise<PutResult>
  /** @throws ObjectMissing when there is no such object */
  read(key: string, range?: ByteRange): Promise<Readable>
  /** Length in bytes; undefined when there is no such object. */
  size(key: string): Promise<number | undefined>
  /** Removes an object; one that is not there is removed already. */
  remove(key: string): Promise<void>
  /** All objects whose key begins with `prefix`, in no order. */
  list(prefix?: string): AsyncIterable<StoredObject>
}

/** A folder of this machine for files that are being made. */
export type LocalFolder = {
  /** Absolute path; it may not be there yet. */
  readonly path: string
  /** Tells the folders of several machines apart; made at the first call, and kept in the folder. */
  id(): string
  /** The same without making it: undefined while nothing was ever stored here. */
  knownId(): string | undefined
}

export type ObjectStores = {
  /** Where new objects go. */
  readonly current: ObjectStore
  readonly folder: LocalFolder
  /** The store of this name, also when new objects go elsewhere by now; undefined when the settings cannot reach it. */
  at(name: string): ObjectStore | undefined
}

export type ObjectStoreSettings = Pick<
  Config,
  'dataDir' | 'recordings' | 's3Endpoint' | 's3Region' | 's3AccessKeyId' | 's3SecretAccessKey'
>

/** The stores of the settings. Touches neither disk nor network. */
export function openObjectStores(settings: ObjectStoreSettings, clock: Clock): ObjectStores {
  const path = join(settings.dataDir, 'recordings')
  const disk = createDiskStore(path, clock)
  const known = new Map<string, ObjectStore>([[disk.name, disk]])
  const { s3Endpoint: endpoint, s3Region: region, s3AccessKeyId, s3SecretAccessKey } = settings

  function at(name: string): ObjectStore | undefined {
    const store = known.get(name)
    if (store !== undefined) return store
    const address = parseS3Address(name)
    if (address === undefined || s3AccessKeyId === undefined || s3SecretAccessKey === undefined) return undefined
    const credentials = { accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey }
    const made = createS3Store({ address, endpoint, region, ...credentials, clock })
    known.set(name, made)
    return made
  }

  const current = at(settings.recordings)
  if (current === undefined) throw new Error(`no store is called ${settings.recordings}`)
  return { current, folder: localFolder(path), at }
}

function localFolder(path: string): LocalFolder {
  let id: string | undefined
  return {
    path,
    id() {
      id ??= folderId(path)
      return id
    },
    knownId() {
      if (id === undefined && existsSync(join(path, 'folder_id'))) id = folderId(path)
      return id
    },
  }
}

/** Processes that start at the same time agree: the file is made once, by one of them. */
function folderId(path: string): string {
  const file = join(path, 'folder_id')
  mkdirSync(path, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, newId('fld'), { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const id = readFileSync(file, 'utf8').trim()
  if (!/^fld_\w{26}$/.test(id)) throw new Error(`${file} does not hold the id of the folder; remove it and start again`)
  return id
}
