// From a stream (TCP, TLS) to messages: where each ends is told by its Content-Length (RFC 3261 §18.3), and between them stand
// the line ends that keep the connection open (RFC 5626 §4.4.1). Holds no more than one message of the largest size.
import type { SipFault, SipMessage } from './message.ts'
import { createFault, isFault } from './message.ts'
import type { ParseLimits } from './parse.ts'
import { defaultLimits, parseHead, readContentLength } from './parse.ts'

/** After a fatal fault nobody knows where the next message begins: answer it if it can be answered, then close. */
export type StreamFault = SipFault & { readonly fatal: boolean }

/** 'ping' is CR LF CR LF, to be answered by CR LF; 'pong' is a lone CR LF. */
export type StreamItem = SipMessage | StreamFault | { readonly kind: 'ping' } | { readonly kind: 'pong' }

export type SipReader = {
  /** What became complete with this piece, in order. After a fatal fault nothing more is read. */
  push(chunk: Buffer): StreamItem[]
  /** Octets held of a message that is not complete yet. */
  readonly held: number
}

/** A head whose body is still to come, or is to be skipped when the head has a fault. */
type Pending = { item: SipMessage | SipFault; length: number }

const headEnd = Buffer.from('\r\n\r\n')
const empty = Buffer.alloc(0)

/**
 * Reads messages from pieces of any size. Bodies are views of the piece, or of a buffer that is not written again. Faults:
 * a message without Content-Length, with a bad one, larger than `limits` or without a start line is fatal; others are
 * skipped to their end.
 */
export function createSipReader(limits: ParseLimits = {}): SipReader {
  const maxHead = limits.maxHead ?? defaultLimits.maxHead
  const maxBody = limits.maxBody ?? defaultLimits.maxBody
  let store = empty
  let have = 0
  let searched = 0
  let pending: Pending | undefined
  let wasLineEnd = false
  let isBroken = false

  function push(chunk: Buffer): StreamItem[] {
    const items: StreamItem[] = []
    if (isBroken) return items
    const isDirect = have === 0
    if (!isDirect) append(chunk)
    const bytes = isDirect ? chunk : store.subarray(0, have)
    const used = readItems(bytes, items)
    if (isBroken) keep(empty)
    else if (isDirect || used > 0) keep(bytes.subarray(used))
    return items
  }

  /** Doubles the store as it fills, so that a message that comes octet by octet is not copied as often. */
  function append(chunk: Buffer): void {
    if (have + chunk.length > store.length) {
      const bigger = Buffer.allocUnsafeSlow(Math.max(have + chunk.length, store.length * 2))
      store.copy(bigger, 0, 0, have)
      store = bigger
    }
    chunk.copy(store, have)
    have += chunk.length
  }

  /** Begins a new store: bodies already given out are views of the old one. */
  function keep(rest: Buffer): void {
    have = rest.length
    store = have === 0 ? empty : Buffer.allocUnsafeSlow(Math.max(have, 1024))
    rest.copy(store)
  }

  /** Reads what is whole and returns how many octets that took. */
  function readItems(bytes: Buffer, items: StreamItem[]): number {
    let at = 0
    while (at < bytes.length && !isBroken) {
      const next = pending ? readBody(bytes, at, pending, items) : readStart(bytes, at, items)
      if (next === undefined) break
      at = next
    }
    // A message without a body is whole with its head.
    return at
  }

  function readStart(bytes: Buffer, at: number, items: StreamItem[]): number | undefined {
    if (bytes[at] === 13) return readLineEnd(bytes, at, items)
    const end = bytes.indexOf(headEnd, Math.max(at, searched - 3))
    if (end === -1 ? bytes.length - at > maxHead : end - at > maxHead) {
      return stop(createFault('size', 'the head of the message is larger than we take', { status: 513 }), items)
    }
    if (end === -1) {
      searched = bytes.length - at
      return undefined
    }
    searched = 0
    wasLineEnd = false
    readHead(bytes, at, end, items)
    if (isBroken || !pending) return end + 4
    return pending.length === 0 ? readBody(bytes, end + 4, pending, items) : end + 4
  }

  function readLineEnd(bytes: Buffer, at: number, items: StreamItem[]): number | undefined {
    if (at + 1 === bytes.length) return undefined
    if (bytes[at + 1] !== 10) return stop(createFault('start_line', 'a lone CR stands before a message'), items)
    const isDouble = !wasLineEnd && bytes[at + 2] === 13 && bytes[at + 3] === 10
    items.push({ kind: isDouble || wasLineEnd ? 'ping' : 'pong' })
    wasLineEnd = !isDouble && !wasLineEnd
    return at + (isDouble ? 4 : 2)
  }

  function readHead(bytes: Buffer, at: number, end: number, items: StreamItem[]): void {
    const head = parseHead(bytes, at, end, limits)
    const message = isFault(head) ? head.message : head.message
    if (message === undefined) return void stop(head as SipFault, items)
    const length = isFault(head) ? readContentLength(message) : head.contentLength
    if (isFault(length)) return void stop(length, items)
    if (length === undefined) {
      const detail = 'Content-Length is missing, and on a stream it has to be there'
      return void stop(createFault('missing', detail, { header: 'Content-Length', message }), items)
    }
    if (length > maxBody) {
      const detail = 'the body of the message is larger than we take'
      return void stop(createFault('size', detail, { status: 513, message }), items)
    }
    pending = { item: isFault(head) ? head : message, length }
  }

  function readBody(bytes: Buffer, at: number, { item, length }: Pending, items: StreamItem[]): number | undefined {
    if (bytes.length - at < length) return undefined
    pending = undefined
    if (isFault(item)) items.push({ ...item, fatal: false })
    else items.push(length === 0 ? item : { ...item, body: bytes.subarray(at, at + length) })
    return at + length
  }

  function stop(fault: SipFault, items: StreamItem[]): undefined {
    isBroken = true
    pending = undefined
    items.push({ ...fault, fatal: true })
  }

  return {
    push,
    get held() {
      return have
    },
  }
}
