// The root key in a backup. Where Tandem made it itself, in its data folder, it goes along: such a backup can be restored on a new machine
// with nothing else. One that a setting gives is the operator's to keep, and a restore says which it needs before it loads anything.
import { text } from 'node:stream/consumers'
import type pg from 'pg'
import { keysIn, ownFileName, type RootKey, type RootKeySource, writeKeyFile } from '../boot/root_key.ts'
import { closeSecret, unsealed } from '../boot/secrets.ts'
import { changeSecretValue, listSealers, listSecrets } from '../boot/secrets_store.ts'
import { startFault } from '../values/start_fault.ts'
import { type Entry, type ReadEntry, whole } from './archive.ts'

/** Of a head: by which keys its secrets are sealed, and whether they are in the archive. */
export type RootKeyHead = { sealedBy: string[]; isInside: boolean }

/**
 * The key that the secrets of a snapshot are sealed with. It may be replaced at this moment: what the source gave before the snapshot and
 * what it gives now holds the right one.
 */
export async function rootKeyOf(
  client: pg.ClientBase,
  source: RootKeySource,
  before: readonly RootKey[],
): Promise<{ head: RootKeyHead; entry: Entry | undefined }> {
  const sealedBy = await listSealers(client)
  const known = [...before, ...(source.ownFile === undefined ? [] : await source.read())]
  const keys = sealedBy.flatMap(wanted => known.find(({ fingerprint }) => fingerprint === wanted) ?? [])
  if (keys.length === 0 || source.ownFile === undefined)
    return { head: { sealedBy, isInside: false }, entry: undefined }
  const lines = keys.map(({ key }) => `${key.toString('base64')}\n`).join('')
  return { head: { sealedBy, isInside: true }, entry: { name: ownFileName, ...whole(lines) } }
}

/** @throws StartFault where the secrets of a backup are sealed with a key that neither it nor the settings have */
export async function requireRootKey(rootKey: RootKeyHead | undefined, source: RootKeySource): Promise<void> {
  if (rootKey === undefined || rootKey.isInside || rootKey.sealedBy.length === 0) return
  const has = await source.read()
  if (rootKey.sealedBy.every(wanted => has.some(({ fingerprint }) => fingerprint === wanted))) return
  const place = source.ownFile ?? source.place
  throw startFault(
    `the secrets in the backup are sealed with the root key ${rootKey.sealedBy.join(' and ')}, which is not in it: give it by ` +
      `TANDEM_ROOT_KEY_FILE, TANDEM_ROOT_KEY or TANDEM_ROOT_KEY_COMMAND, or put it into ${place}`,
  )
}

export async function readRootKeys({ content }: Pick<ReadEntry, 'content'>): Promise<RootKey[]> {
  return keysIn('the backup', await text(content))
}

/**
 * Sees to it that the secrets that were loaded can be opened here: by the key of the settings, or by a file made of the one in the backup.
 * In the transaction of the restore.
 */
export async function adoptRootKey(
  client: pg.ClientBase,
  source: RootKeySource,
  inside: readonly RootKey[],
): Promise<void> {
  const [used] = inside
  if (used === undefined) return
  const here = await source.read()
  if (here.some(({ fingerprint }) => fingerprint === used.fingerprint)) return
  if (here[0] === undefined && source.ownFile !== undefined) return writeKeyFile(source.ownFile, used)
  for (const row of await listSecrets(client)) {
    if (row.sealed_by === null) continue
    await changeSecretValue(client, row.name, closeSecret(here[0], row.name, unsealed(row, used)))
  }
}
