// Share links: a request in the fragment of an address, which browsers never send to a server. Secrets are taken out
// before; who opens it finds the editors filled, nothing sent, and no credential chosen.

import type { Draft } from '../request/request.ts'
import { t } from '../texts.ts'
import { readDraft, scrubDraft } from './records.ts'

const PREFIX = 'request='
/** Longer addresses are cut off by mail programs and chats. */
const MAX_FRAGMENT = 32_000
const MAX_TEXT = 1_000_000

/** `request=1.…` to put behind #. Throws a text for people when the request is too large for a link. */
export async function encodeShare(draft: Draft, secrets: readonly string[]): Promise<string> {
  const clean: Draft = { ...scrubDraft(draft, secrets), credential: { kind: 'none' } }
  const { credential: _, ...shared } = clean
  const packed = await transform(new TextEncoder().encode(JSON.stringify(shared)), new CompressionStream('deflate-raw'))
  const fragment = `${PREFIX}1.${toBase64Url(packed)}`
  if (fragment.length <= MAX_FRAGMENT) return fragment
  throw new Error(t('linkTooLarge'))
}

/** Whether a fragment (with or without #) is meant to hold a request. */
export function isShare(fragment: string): boolean {
  return fragment.replace(/^#/, '').startsWith(PREFIX)
}

/** The request of a fragment. Throws a text for people when it cannot be read. */
export async function decodeShare(fragment: string): Promise<Draft> {
  const [version, packed = ''] = fragment.replace(/^#/, '').slice(PREFIX.length).split('.', 2)
  if (version !== '1') throw new Error(t('linkVersion'))
  let draft: Draft | undefined
  try {
    const bytes = await transform(fromBase64Url(packed), new DecompressionStream('deflate-raw'))
    draft = readDraft(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
  } catch {
    draft = undefined
  }
  if (draft === undefined) throw new Error(t('linkDamaged'))
  // A link may have been written by hand: what it brings is cleaned again, and chooses no credential.
  return { ...scrubDraft(draft, []), credential: { kind: 'none' } }
}

async function transform(
  bytes: Uint8Array<ArrayBuffer>,
  stream: GenericTransformStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes])
    .stream()
    .pipeThrough(stream as ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>)
    .getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    // A short link can unfold into gigabytes.
    if (size > MAX_TEXT) throw new Error('too large')
    chunks.push(value)
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, char => char.charCodeAt(0))
}
