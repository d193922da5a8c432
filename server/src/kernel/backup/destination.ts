// Where backups go: a file, a folder, or a bucket of S3-compatible storage. In a folder or bucket each has a name of its own, by its
// time, and the older ones are thinned out.
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { draftOf, writeWhole } from '../boot/durable_files.ts'
import type { ObjectStores } from '../objects/object_store.ts'
import { isObjectMissing } from '../values/object_key.ts'
import { startFault } from '../values/start_fault.ts'
import { type Keep, thinnedOut } from './rotation.ts'

export type Destination = {
  /** As people read it: an absolute path, or the address of an object. */
  readonly address: string
  /** Writes a backup. It is there whole, or not at all. @returns its bytes */
  write(content: Readable): Promise<number>
  /**
   * Removes older backups beside it. @returns the names of those that are gone
   * @param isOurs by its name, whether this installation keeps it by schedule: others may have the same folder or bucket
   */
  rotate(keep: Keep, isOurs: (name: string) => boolean): Promise<string[]>
}

const namePattern = /^tandem-(\d{8}T\d{6}Z)-[0-9a-z]{6}\.tar\.zst(\.age)?$/

/** The name of a backup of this moment. @param id of the backup; its end distinguishes two of one second */
export function backupName(atMs: number, id: string, isSealed: boolean): string {
  const stamp = new Date(atMs).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  return `tandem-${stamp}-${id.slice(-6).toLowerCase()}.tar.zst${isSealed ? '.age' : ''}`
}

/** When a backup of this name was made, in milliseconds; undefined when it is no such name. */
function timeOfName(name: string): number | undefined {
  const stamp = namePattern.exec(name)?.[1]
  if (stamp === undefined) return undefined
  const [, year, month, day, hour, minute, second] = /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/.exec(stamp)!
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

const isBucket = (place: string) => place.startsWith('s3://')

/**
 * @param place a folder that is there or ends with a slash, `s3://bucket/prefix`, or the path of a file
 * @throws StartFault when the settings cannot reach the bucket
 */
export async function openDestination(place: string, name: string, objects: ObjectStores): Promise<Destination> {
  if (isBucket(place)) {
    const store = objects.at(place.replace(/\/$/, ''))
    if (store === undefined) throw startFault(unreachable(place))
    return {
      address: `${store.name}/${name}`,
      write: async content => (await store.put(name, content)).size,
      async rotate(keep, isOurs) {
        const names: string[] = []
        for await (const { key } of store.list('tandem-')) names.push(key)
        const gone = thinnedOut(names.filter(isOurs).flatMap(timed), keep)
        for (const old of gone) await store.remove(old)
        return gone
      },
    }
  }
  const isFolder = place.endsWith('/') || (await isFolderAt(place))
  const path = resolve(isFolder ? join(place, name) : place)
  return {
    address: path,
    write: content => writeFile(path, content),
    async rotate(keep, isOurs) {
      if (!isFolder) return []
      const gone = thinnedOut((await readdir(dirname(path))).filter(isOurs).flatMap(timed), keep)
      for (const old of gone) await rm(join(dirname(path), old), { force: true })
      return gone
    },
  }
}

function timed(name: string): { name: string; atMs: number }[] {
  const atMs = timeOfName(name)
  return atMs === undefined ? [] : [{ name, atMs }]
}

async function isFolderAt(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isDirectory(),
    () => false,
  )
}

async function writeFile(path: string, content: Readable): Promise<number> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  return (await writeWhole(path, content)).size
}

/**
 * Opens a backup for reading: a file, `-` for standard input, or `s3://bucket/prefix/name`.
 * @throws StartFault when it is not there
 */
export async function openBackup(place: string, objects: ObjectStores): Promise<Readable> {
  if (place === '-') return process.stdin
  if (isBucket(place)) {
    const cut = place.lastIndexOf('/')
    const store = objects.at(place.slice(0, cut))
    if (store === undefined) throw startFault(unreachable(place))
    try {
      return await store.read(place.slice(cut + 1))
    } catch (error) {
      throw isObjectMissing(error) ? startFault(`there is no backup ${place}`, error) : error
    }
  }
  if (await isFolderAt(place)) {
    const newest = (await readdir(place))
      .filter(name => namePattern.test(name))
      .sort()
      .at(-1)
    const example = newest === undefined ? 'which holds no backup' : `for example ${join(place, newest)}`
    throw startFault(`${place} is a folder: name the file in it, ${example}`)
  }
  await stat(place).catch(error => {
    throw startFault(`${basename(place)} cannot be read (${(error as NodeJS.ErrnoException).code}): ${place}`, error)
  })
  return createReadStream(place)
}

/** Removes what a backup left that was killed. Parts of an upload to a bucket end by a rule of the bucket. */
export async function removeDraft(address: string): Promise<void> {
  if (!isBucket(address)) await rm(draftOf(address), { force: true })
}

const unreachable = (place: string) =>
  `${place} cannot be reached: it takes s3://bucket/prefix, and the settings TANDEM_S3_ACCESS_KEY_ID and TANDEM_S3_SECRET_ACCESS_KEY`
