// From a stream (TCP, TLS) to messages: where each ends is given by its Content-Length (RFC 3261 §18.3), and between them stand
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
  return new StreamReader(limits)
}

/** Lives as long as one connection: the octets of a message that is not whole yet. */
class StreamReader implements SipReader {
  private readonly limits: ParseLimits
  private readonly maxHead
  private readonly maxBody
  private store = empty
  private have = 0
  private searched = 0
  private pending: Pending | undefined
  private wasLineEnd = false
  private isBroken = false

  constructor(limits: ParseLimits) {
    this.limits = limits
    this.maxHead = limits.maxHead ?? defaultLimits.maxHead
    this.maxBody = limits.maxBody ?? defaultLimits.maxBody
  }

  push(chunk: Buffer): StreamItem[] {
    const items: StreamItem[] = []
    if (this.isBroken) return items
    const isDirect = this.have === 0
    if (!isDirect) this.append(chunk)
    const bytes = isDirect ? chunk : this.store.subarray(0, this.have)
    const used = this.readItems(bytes, items)
    if (this.isBroken) this.keep(empty)
    else if (isDirect || used > 0) this.keep(bytes.subarray(used))
    return items
  }

  /** Doubles the store as it fills, so that a message that comes octet by octet is not copied as often. */
  private append(chunk: Buffer): void {
    if (this.have + chunk.length > this.store.length) {
      const bigger = Buffer.allocUnsafeSlow(Math.max(this.have + chunk.length, this.store.length * 2))
      this.store.copy(bigger, 0, 0, this.have)
      this.store = bigger
    }
    chunk.copy(this.store, this.have)
    this.have += chunk.length
  }

  /** Begins a new store: bodies already given out are views of the old one. */
  private keep(rest: Buffer): void {
    this.have = rest.length
    this.store = this.have === 0 ? empty : Buffer.allocUnsafeSlow(Math.max(this.have, 1024))
    rest.copy(this.store)
  }

  /** Reads what is whole and returns how many octets that took. */
  private readItems(bytes: Buffer, items: StreamItem[]): number {
    let at = 0
    while (at < bytes.length && !this.isBroken) {
      const next = this.pending ? this.readBody(bytes, at, this.pending, items) : this.readStart(bytes, at, items)
      if (next === undefined) break
      at = next
    }
    // A message without a body is whole with its head.
    return at
  }

  private readStart(bytes: Buffer, at: number, items: StreamItem[]): number | undefined {
    if (bytes[at] === 13) return this.readLineEnd(bytes, at, items)
    const end = bytes.indexOf(headEnd, Math.max(at, this.searched - 3))
    if (end === -1 ? bytes.length - at > this.maxHead : end - at > this.maxHead) {
      return this.stop(createFault('size', 'the head of the message is larger than we take', { status: 513 }), items)
    }
    if (end === -1) {
      this.searched = bytes.length - at
      return undefined
    }
    this.searched = 0
    this.wasLineEnd = false
    this.readHead(bytes, at, end, items)
    if (this.isBroken || !this.pending) return end + 4
    return this.pending.length === 0 ? this.readBody(bytes, end + 4, this.pending, items) : end + 4
  }

  private readLineEnd(bytes: Buffer, at: number, items: StreamItem[]): number | undefined {
    if (at + 1 === bytes.length) return undefined
    if (bytes[at + 1] !== 10) return this.stop(createFault('start_line', 'a lone CR stands before a message'), items)
    const isDouble = !this.wasLineEnd && bytes[at + 2] === 13 && bytes[at + 3] === 10
    items.push({ kind: isDouble || this.wasLineEnd ? 'ping' : 'pong' })
    this.wasLineEnd = !isDouble && !this.wasLineEnd
    return at + (isDouble ? 4 : 2)
  }

  private readHead(bytes: Buffer, at: number, end: number, items: StreamItem[]): void {
    const head = parseHead(bytes, at, end, this.limits)
    const message = isFault(head) ? head.message : head.message
    if (message === undefined) return void this.stop(head as SipFault, items)
    const length = isFault(head) ? readContentLength(message) : head.contentLength
    if (isFault(length)) return void this.stop(length, items)
    if (length === undefined) {
      const detail = 'Content-Length is missing, and on a stream it has to be there'
      return void this.stop(createFault('missing', detail, { header: 'Content-Length', message }), items)
    }
    if (length > this.maxBody) {
      const detail = 'the body of the message is larger than we take'
      return void this.stop(createFault('size', detail, { status: 513, message }), items)
    }
    this.pending = { item: isFault(head) ? head : message, length }
  }

  private readBody(bytes: Buffer, at: number, { item, length }: Pending, items: StreamItem[]): number | undefined {
    if (bytes.length - at < length) return undefined
    this.pending = undefined
    if (isFault(item)) items.push({ ...item, fatal: false })
    else items.push(length === 0 ? item : { ...item, body: bytes.subarray(at, at + length) })
    return at + length
  }

  private stop(fault: SipFault, items: StreamItem[]): undefined {
    this.isBroken = true
    this.pending = undefined
    items.push({ ...fault, fatal: true })
  }

  get held(): number {
    return this.have
  }
}
