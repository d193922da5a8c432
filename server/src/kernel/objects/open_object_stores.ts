// Opens the stores that the settings name: a folder on disk, buckets of S3-compatible storage, and the folder of this machine.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../values/clock.ts'
import { newId } from '../values/ids.ts'
import { parseS3Address } from '../values/object_key.ts'
import type { LocalFolder, ObjectStore, ObjectStoreSettings, ObjectStores } from './object_store.ts'
import { createDiskStore } from './object_store_disk.ts'
import { createS3Store } from './object_store_s3.ts'

/** The stores of the settings. Touches neither disk nor network. */
export function openObjectStores(settings: ObjectStoreSettings, clock: Clock): ObjectStores {
  const disk = createDiskStore(settings.folder, clock)
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

  const current = at(settings.current)
  if (current === undefined) throw new Error(`no store is called ${settings.current}`)
  return { current, folder: localFolder(settings.folder), at }
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
