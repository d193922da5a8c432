// What may happen to a mail that came in, and what makes it the same as another.
import { createHash } from 'node:crypto'
import { move, type Table } from '../../../kernel/values/states.ts'

export const inboundStates = ['matched', 'unmatched', 'ignored'] as const
export type InboundState = (typeof inboundStates)[number]

export type InboundEvent = 'assigned' | 'set_aside'

/** A mail is matched, unmatched or ignored from the first; people put it right. */
export const inboundTable: Table<InboundState, InboundEvent> = {
  assigned: { from: ['matched', 'unmatched', 'ignored'], to: 'matched' },
  set_aside: { from: ['matched', 'unmatched'], to: 'ignored' },
}

export function nextInbound(state: InboundState, event: InboundEvent): InboundState | undefined {
  return move(inboundTable, state, event)
}

export const doors = ['smtp', 'imap', 'http'] as const
export type Door = (typeof doors)[number]

export const senderChecks = ['verified', 'unverified', 'unknown'] as const
export type SenderCheck = (typeof senderChecks)[number]

export const matchings = ['token', 'thread', 'sender', 'recipient', 'person'] as const
export type Matching = (typeof matchings)[number]

/** What one way or another may bring, with its headers. */
export const maxMailBytes = 25 * 1024 * 1024

export type Identity = {
  messageId: string | null
  /** For mails without a Message-ID: what else distinguishes two. */
  date: string
  from: string
  /** Everything behind the head. */
  body: Uint8Array
}

/**
 * The same for a mail on whatever way it comes: mail servers add headers, and pipes turn line ends.
 * @param target the address of ours that it is for; empty for the tray
 */
export function dedupeKey({ messageId, date, from, body }: Identity, target: string): Buffer {
  const hash = createHash('sha256')
  const name = messageId === null ? `none\0${date}\0${from}` : `id\0${messageId}`
  hash.update(`${name}\0${target}\0`)
  hash.update(plainBody(body))
  return hash.digest()
}

/** Without CR, and without empty lines at the end. */
function plainBody(body: Uint8Array): Buffer {
  const plain = Buffer.allocUnsafe(body.length)
  let length = 0
  for (const byte of body) if (byte !== 13) plain[length++] = byte
  while (length > 0 && plain[length - 1] === 10) length--
  return plain.subarray(0, length)
}

/** Where the head ends and the body begins. */
export function bodyOf(raw: Uint8Array): Uint8Array {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const ends = ['\r\n\r\n', '\n\n'].map(mark => [bytes.indexOf(mark), mark.length] as const).filter(([at]) => at >= 0)
  const [first] = ends.sort(([a], [b]) => a - b)
  return first === undefined ? bytes.subarray(bytes.length) : bytes.subarray(first[0] + first[1])
}
