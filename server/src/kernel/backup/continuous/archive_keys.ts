// What archived WAL and base backups are encrypted for. A passphrase is slow by design, and there is a segment a minute: where there is no
// public key, a pair is made once, whose private key lies beside the archive, encrypted with the passphrase.
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { writeWhole } from '../../boot/durable_files.ts'
import { startFault } from '../../values/start_fault.ts'
import { identitiesIn, newKeyPair, openWith, type Seal, sealWith } from '../seal.ts'

/** How the settings say it; with neither, files are not encrypted. */
export type Sealing = { recipient?: string | undefined; passphrase?: string | undefined }

export const recipientFile = (root: string) => join(root, 'recipient.txt')
const identityFile = (root: string) => join(root, 'identity.age')

/** Makes the pair that a passphrase opens, where there is none. */
export async function settleKeys(root: string, { recipient, passphrase }: Sealing): Promise<void> {
  if (recipient !== undefined || passphrase === undefined || (await isThere(recipientFile(root)))) return
  const pair = await newKeyPair()
  await writeWhole(
    identityFile(root),
    await sealWith({ passphrase })(Readable.from([Buffer.from(`${pair.identity}\n`)])),
  )
  await writeWhole(recipientFile(root), Readable.from([Buffer.from(`${pair.recipient}\n`)]))
}

/** What base backups are encrypted by. */
export async function sealFor(root: string, { recipient, passphrase }: Sealing): Promise<Seal | undefined> {
  if (recipient !== undefined) return sealWith({ recipients: [recipient] })
  if (passphrase === undefined) return undefined
  return sealWith({ recipients: [(await readFile(recipientFile(root), 'utf8')).trim()] })
}

/**
 * The private keys that open an archive: those that were given, or the one that a passphrase opens.
 * @throws StartFault when the passphrase does not open it
 */
export async function identitiesFor(
  root: string,
  key: { passphrase: string } | { identities: readonly string[] },
): Promise<readonly string[]> {
  if ('identities' in key) return key.identities
  if (!(await isThere(identityFile(root))))
    throw startFault(
      `no passphrase opens what is in ${root}: it is encrypted for a public key. Name the private key with --identity-file`,
    )
  return identitiesIn(await text(await openWith(key)(createReadStream(identityFile(root)))))
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )
