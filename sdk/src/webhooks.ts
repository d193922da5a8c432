// What a receiver of webhooks needs to know that a delivery is from Tandem and fresh (Standard Webhooks 1.0, "Verifying signatures").
import { TandemError } from './errors.ts'
import type { WebhookEvent } from './types.generated.ts'

/** Headers as a server has them: `request.headers` of Node and of Fetch alike. */
export type DeliveryHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export type DeliveryToVerify = {
  headers: DeliveryHeaders
  /** As it came: text or bytes, not parsed and written again. */
  body: string | Uint8Array
  /** `whsec_…` of the webhook; several, where one receiver has several. */
  secret: string | readonly string[]
  /** How far its time may be from ours; 300 when left out. */
  toleranceSeconds?: number
}

/**
 * The event of a delivery.
 * @throws TandemError `webhook_not_verified` when it is not signed by the secret, or too old
 * @throws TypeError when a secret is none: that is a fault of the receiver
 */
export async function verifyWebhook({
  headers,
  body,
  secret,
  toleranceSeconds = 300,
}: DeliveryToVerify): Promise<WebhookEvent> {
  const keys = await Promise.all([secret].flat().map(keyOf))
  const header = (name: string) => headerOf(headers, `webhook-${name}`) ?? refuse(`It has no header webhook-${name}.`)
  const [id, at, signatures] = [header('id'), header('timestamp'), header('signature')]
  // A time that is no number is refused too.
  if (!(Math.abs(Date.now() / 1000 - Number(at)) <= toleranceSeconds))
    refuse(`Its time, ${at}, is more than ${toleranceSeconds} seconds from the clock here.`)
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const head = new TextEncoder().encode(`${id}.${at}.`)
  const signed = new Uint8Array(head.length + bytes.length)
  signed.set(head)
  signed.set(bytes, head.length)
  // While a secret is rotated there are two signatures, with a space between.
  for (const signature of signatures.split(' ').flatMap(signatureOf))
    for (const key of keys) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return eventOf(bytes)
  return refuse('Its signature does not fit: another secret, or the body is not as it came.')
}

function refuse(why: string, cause?: unknown): never {
  throw new TandemError(`The delivery was not verified. ${why}`, {
    code: 'webhook_not_verified',
    retriable: false,
    cause,
  })
}

function eventOf(bytes: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent
  } catch (cause) {
    return refuse('Its body is no JSON.', cause)
  }
}

async function keyOf(secret: string): Promise<CryptoKey> {
  // A variable of the environment may not be set.
  const bytes = (secret as string | undefined)?.startsWith('whsec_') ? bytesOf(secret.slice(6)) : undefined
  if (bytes === undefined || bytes.length === 0)
    throw new TypeError('The secret of the webhook is missing, or none: it begins with whsec_.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** The bytes of `v1,<base64>`; none of another version. */
function signatureOf(text: string): Uint8Array<ArrayBuffer>[] {
  const bytes = text.startsWith('v1,') ? bytesOf(text.slice(3)) : undefined
  return bytes === undefined ? [] : [bytes]
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), char => char.charCodeAt(0))
  } catch {
    return undefined
  }
}

const hasGet = (headers: DeliveryHeaders): headers is Extract<DeliveryHeaders, { get(name: string): string | null }> =>
  typeof (headers as { get?: unknown }).get === 'function'

/** Node and frameworks write names in lower case, some as they came. */
function headerOf(headers: DeliveryHeaders, name: string): string | undefined {
  if (hasGet(headers)) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([own]) => own.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : found?.[0]
}
