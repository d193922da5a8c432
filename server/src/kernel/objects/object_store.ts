// Where large things are kept that are no rows: objects under a key, written once and read in parts. Two
// kinds of store, a folder on disk and a bucket of S3-compatible storage; and the folder of this machine, where files lie
// while they are being made.
import type { Readable } from 'node:stream'

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
  /** Distinguishes the folders of several machines; made at the first call, and kept in the folder. */
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

export type ObjectStoreSettings = {
  /** Where files lie on this machine. */
  folder: string
  /** Where new objects go: `disk`, or `s3://bucket/prefix`. */
  current: string
  s3Endpoint?: string
  s3Region: string
  s3AccessKeyId?: string
  s3SecretAccessKey?: string
}
