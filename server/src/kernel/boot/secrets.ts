// The secrets of the installation as rows that the root key seals: they are made at the first start, sealed where an earlier version left
// them in plain, and opened by every process that has the key. Nothing is written over when the key is another.

import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { newSigningJwk } from '../access/tokens.ts'
import { newId } from '../values/ids.ts'
import { decrypt, encrypt } from '../values/seal.ts'
import { startFault } from '../values/start_fault.ts'
import { ownFileName, type RootKey, type RootKeySource, settleKeyFile } from './root_key.ts'
import {
  announceSecrets,
  changeSecretValue,
  insertSecret,
  listSecrets,
  lockSecrets,
  type SecretKind,
  type SecretRow,
  secretKinds,
  secretName,
} from './secrets_store.ts'

/** A secret that was opened. */
export type Secret = Omit<SecretRow, 'sealed_by'> & { isPlain: boolean }

/** What the secrets of a database are opened with: undefined where they lie in plain and may not be sealed yet. */
export type OpenedSecrets = { secrets: Secret[]; root: RootKey | undefined }

const placeOf = (name: string) => `instance_secrets ${name}`

/** The value of a row: sealed by the root key, or in plain where there is none. */
export function closeSecret(root: RootKey | undefined, name: string, value: Uint8Array) {
  if (root === undefined) return { value: Buffer.from(value), sealed_by: null }
  return { value: encrypt(root.key, placeOf(name), value), sealed_by: root.fingerprint }
}

/**
 * Opens all secrets; makes those that are missing, and seals those in plain where there is a key for it. One process at a time does so, in
 * the transaction of the caller.
 * @throws StartFault where the key is another, or is missing
 */
export async function openSecrets(client: pg.ClientBase, source: RootKeySource, nowMs: number): Promise<OpenedSecrets> {
  await lockSecrets(client)
  const rows = await listSecrets(client)
  const sealers = [...new Set(rows.flatMap(({ sealed_by }) => sealed_by ?? []))]
  const root = sealers.length === 0 ? await rootToBegin(source, rows) : await rootFor(source, sealers)
  const known = rows.map(row => opened(row, root))
  const made = await makeMissing(client, known, root, nowMs)
  if (root !== undefined) {
    for (const { name, value, isPlain } of known)
      if (isPlain) await changeSecretValue(client, name, closeSecret(root, name, value))
  }
  return { secrets: [...known.map(one => ({ ...one, isPlain: root === undefined })), ...made], root }
}

/** The key that nothing is sealed with yet. A new installation gets one; one from before root keys, where no other node is shut out by it. */
async function rootToBegin(source: RootKeySource, rows: readonly SecretRow[]): Promise<RootKey | undefined> {
  if (rows.length > 0 && !source.mayBegin) return undefined
  return (await source.read())[0] ?? (await source.make())
}

/** The key of this fingerprint. A file that was to take the place of the former takes it now, where its key is the one that is wanted. */
async function rootFor(source: RootKeySource, sealers: readonly string[]): Promise<RootKey> {
  const keys = await source.read()
  const found = keys.find(({ fingerprint }) => fingerprint === sealers[0])
  if (found === undefined || sealers.length > 1) throw wrongKey(source, sealers, keys)
  if (source.ownFile !== undefined && found !== keys[0]) await settleKeyFile(source.ownFile)
  return found
}

function wrongKey({ place, ownFile }: RootKeySource, sealers: readonly string[], keys: readonly RootKey[]) {
  const has =
    keys.length === 0
      ? `there is no ${place}`
      : `${place} has ${keys.map(({ fingerprint }) => fingerprint).join(' and ')}`
  const remedy =
    ownFile === undefined
      ? 'Give that key.'
      : `Copy ${ownFileName} of the first node, or the one that was kept with the database, to ${ownFile}; or set TANDEM_ROOT_KEY_FILE, ` +
        'TANDEM_ROOT_KEY or TANDEM_ROOT_KEY_COMMAND.'
  return startFault([
    `The secrets of this installation are sealed with the root key ${sealers.join(' and ')}, and ${has}.`,
    `${remedy} Nothing was changed.`,
  ])
}

function opened(row: SecretRow, root: RootKey | undefined): Secret {
  const { sealed_by, ...rest } = row
  if (sealed_by === null || root === undefined) return { ...rest, isPlain: true }
  return { ...rest, value: unsealed(row, root), isPlain: false }
}

/** The value of a sealed row. @throws when it is of another key, was edited, or moved from another row */
export function unsealed({ name, value }: Pick<SecretRow, 'name' | 'value'>, root: RootKey): Buffer {
  return decrypt(root.key, placeOf(name), value)
}

async function makeMissing(
  client: pg.ClientBase,
  known: readonly Secret[],
  root: RootKey | undefined,
  nowMs: number,
): Promise<Secret[]> {
  const pepper = known.find(({ kind }) => kind === 'pepper')
  const made: Secret[] = []
  for (const kind of secretKinds) {
    if (known.some(one => one.kind === kind)) continue
    // An installation from before versions has one secret for everything.
    const isCopy = pepper !== undefined && kind !== 'signing_key'
    made.push(await addSecret(client, root, { kind, value: isCopy ? pepper.value : await newSecretValue(kind), nowMs }))
  }
  return made
}

export async function newSecretValue(kind: SecretKind): Promise<Buffer> {
  return kind === 'signing_key' ? Buffer.from(JSON.stringify(await newSigningJwk(newId('kid')))) : randomBytes(32)
}

export type Added = { kind: SecretKind; value: Buffer; nowMs: number } & Partial<
  Pick<Secret, 'version' | 'state' | 'due_ms'>
>

export async function addSecret(client: pg.ClientBase, root: RootKey | undefined, added: Added): Promise<Secret> {
  const { kind, value, nowMs, version = 1, state = 'active', due_ms = null } = added
  const name = secretName(kind, version)
  const active_ms = state === 'active' ? nowMs : null
  await insertSecret(client, { kind, version, state, active_ms, due_ms, ...closeSecret(root, name, value) }, nowMs)
  return { name, kind, version, state, value, created_ms: nowMs, active_ms, due_ms, isPlain: root === undefined }
}

/** Seals every row with another key, or leaves all in plain; in the transaction of the caller. */
export async function resealSecrets(
  client: pg.ClientBase,
  secrets: readonly Secret[],
  to: RootKey | undefined,
): Promise<void> {
  for (const { name, value } of secrets) await changeSecretValue(client, name, closeSecret(to, name, value))
  await announceSecrets(client)
}
