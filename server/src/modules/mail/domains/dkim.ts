// DKIM signatures (RFC 6376) with the key of a domain: RSA, because the library leaves a mail unsigned without an error for other keys.
// What is not signed in the end is not sent.
import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import DKIM from 'nodemailer/lib/dkim'
import type { Keyring } from '../../../kernel/values/keyring.ts'
import { createSeal } from '../../../kernel/values/seal.ts'

const generate = promisify(generateKeyPair)

/** Everything a reader goes by, and both headers of RFC 8058 §4, which are worth nothing unsigned. */
const signedHeaders = [
  'From',
  'Sender',
  'Reply-To',
  'Subject',
  'Date',
  'Message-ID',
  'To',
  'Cc',
  'MIME-Version',
  'Content-Type',
  'Content-Transfer-Encoding',
  'In-Reply-To',
  'References',
  'List-Id',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
  'Auto-Submitted',
].join(':')

/** A new RSA-2048 key: PEM, and the public half in base64 as the DNS has it. */
export async function newDkimKey(): Promise<{ privateKey: string; publicKey: string }> {
  const { privateKey, publicKey } = await generate('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return { privateKey, publicKey: publicKey.toString('base64') }
}

/** Seals keys of domains, each for its own record. */
export function keySeal(keyring: Keyring, tenantId: number) {
  const seal = createSeal(keyring, 'mail_domains')
  return {
    close: (id: string, key: string) => seal.close(`${tenantId} ${id}`, key),
    open: (id: string, sealed: string) => seal.open(`${tenantId} ${id}`, sealed),
  }
}

export type Signer = { domain: string; selector: string; privateKey: string }

/**
 * The mail with its signature in front.
 * @throws Error where it would be without
 */
export async function signMail(raw: Buffer, { domain, selector, privateKey }: Signer): Promise<Buffer> {
  const dkim = new DKIM({ domainName: domain, keySelector: selector, privateKey, headerFieldNames: signedHeaders })
  const chunks: Buffer[] = []
  for await (const chunk of dkim.sign(raw)) chunks.push(chunk as Buffer)
  const signed = Buffer.concat(chunks)
  const head = signed
    .subarray(0, 2_000)
    .toString('latin1')
    .replaceAll(/\r\n[ \t]+/g, ' ')
  const field = /^DKIM-Signature: ([^\r\n]*)\r\n/i.exec(head)?.[1]
  if (field === undefined || !field.includes(`d=${domain};`) || !/\bb=\s*[A-Za-z0-9+/]/.test(field))
    throw new Error(`a mail of ${domain} was not signed`)
  return signed
}
