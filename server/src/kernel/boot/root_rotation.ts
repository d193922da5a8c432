// Replaces the root key. The next one is durable before a row is sealed with it, all rows change in one transaction, and a start takes
// whichever of both fits: a process that dies in between leaves a pair that works.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ConnectionOptions } from '../data/db.ts'
import { startFault } from '../values/start_fault.ts'
import { withSecrets } from './instance.ts'
import { newRootKey, nextFile, type RootKey, type RootKeySource, rootKeySource, writeKeyFile } from './root_key.ts'
import { resealSecrets } from './secrets.ts'

export type RootRotation = {
  owner: ConnectionOptions
  source: RootKeySource
  /** A file for the next key: taken from there, or made there. */
  toFile?: string | undefined
  /** Where a process may die, for tests. */
  passed?: (step: 'written' | 'sealed') => void
}

export type RotatedRoot = {
  fingerprint: string
  /** Where the key in use lies from now on. */
  place: string
  /** Whether a setting has to name another place before the next start. */
  isElsewhere: boolean
}

/** @throws StartFault where nothing says where the next key is */
export async function rotateRoot({ owner, source, toFile, passed = () => {} }: RootRotation): Promise<RotatedRoot> {
  // Files change only while the secrets are locked: of two rotations at once neither writes over the key of the other.
  const next = await withSecrets(owner, source, async (client, secrets) => {
    const made = await nextKey(source, toFile)
    passed('written')
    await resealSecrets(client, secrets, made.key)
    return made
  })
  passed('sealed')
  const isElsewhere = next.place !== source.place
  // Opening them puts the file of the next key in the place of the former.
  if (!isElsewhere) await withSecrets(owner, source, async () => {})
  return { fingerprint: next.key.fingerprint, place: next.place, isElsewhere }
}

type Next = { key: RootKey; place: string }

async function nextKey(source: RootKeySource, toFile: string | undefined): Promise<Next> {
  if (toFile !== undefined) {
    const place = resolve(toFile)
    if (existsSync(place)) return { key: (await rootKeySource({ dataDir: '', rootKeyFile: place }).read())[0]!, place }
    const key = newRootKey()
    await writeKeyFile(place, key)
    return { key, place }
  }
  const { ownFile, place } = source
  if (ownFile !== undefined) {
    const key = newRootKey()
    await writeKeyFile(nextFile(ownFile), key)
    return { key, place: ownFile }
  }
  const given = await source.read()
  if (given.length === 2) return { key: given[1]!, place }
  throw startFault(
    `${place} gives one root key. Let it give two on all nodes, the one in use and the next one, parted by a blank, and start them again; or ` +
      'name a file for the next one with --to-file.',
  )
}

/** Leaves the secrets in the database in plain: for the way back to a version that knows no root key. */
export async function withoutRoot(owner: ConnectionOptions, source: RootKeySource): Promise<void> {
  await withSecrets(owner, source, (client, secrets) => resealSecrets(client, secrets, undefined))
}
