/**
 * Reads HTTP/1.1 responses (RFC 9112) out of the bytes of one connection, however they are cut into packets: status,
 * body by Content-Length, chunked, or until the connection closes. It looks only at what a load generator needs and
 * copies nothing unless asked to keep a body, so that a complete small response costs one pass over its head.
 */

/** What the reader waits for next. */
type Stage = 'head' | 'body' | 'chunk_size' | 'chunk_data' | 'chunk_end' | 'trailer' | 'until_close'

/** The state of one connection. `status` and `closing` belong to the response being read or read last. */
export type Reader = {
  stage: Stage
  status: number
  /** The server said that it closes the connection after this response. */
  closing: boolean
  /** Set before a call of `readResponses` returns 'broken': what was wrong with the bytes. */
  fault: string
  /** Bytes of body or chunk still to come. */
  remaining: number
  /** A head or chunk line cut short by the end of a packet. */
  carry: Buffer | null
  /** Asked once per response when its status is known: keep this body? */
  wantsBody: (status: number) => boolean
  /** Body pieces of the response being read, when wanted; at most `keptLimit` bytes. */
  kept: Buffer[] | null
  keptBytes: number
  length: number
  chunked: boolean
}

const keptLimit = 2048
const headLimit = 65_536
const lineFeed = 10

/** A reader for a fresh connection. `wantsBody` may return true to have `takeBody` return the (shortened) body. */
export function createReader(wantsBody: (status: number) => boolean = () => false): Reader {
  return {
    stage: 'head',
    status: 0,
    closing: false,
    fault: '',
    remaining: 0,
    carry: null,
    wantsBody,
    kept: null,
    keptBytes: 0,
    length: -1,
    chunked: false,
  }
}

/** The kept body of the response read last as text, at most 2 KiB; null when none was wanted. */
export function takeBody(reader: Reader): string | null {
  const { kept } = reader
  reader.kept = null
  reader.keptBytes = 0
  return kept === null ? null : Buffer.concat(kept).toString('utf8')
}

/**
 * Feeds the first `size` bytes of `bytes`; they may be reused after the call. Calls `onResponse` once for each
 * response whose last byte has come. Returns 'broken' when the bytes are not HTTP/1.1; the connection must then be
 * given up.
 */
export function readResponses(reader: Reader, bytes: Buffer, size: number, onResponse: () => void): 'ok' | 'broken' {
  let input = bytes
  let end = size
  let at = 0
  if (reader.carry !== null) {
    input = Buffer.concat([reader.carry, bytes.subarray(0, size)])
    end = input.length
    reader.carry = null
  }
  while (at < end) {
    const next = step(reader, input, at, end, onResponse)
    if (next === -1) return 'broken'
    if (next === at) {
      if (end - at > headLimit) return broken(reader, 'head or chunk line too long')
      reader.carry = Buffer.from(input.subarray(at, end))
      return 'ok'
    }
    at = next
  }
  return 'ok'
}

/** Notifies the reader that the peer closed. True when that ends a response delimited by the close (RFC 9112 §6.3). */
export function endOfStream(reader: Reader): boolean {
  const finished = reader.stage === 'until_close'
  reader.stage = 'head'
  return finished
}

function broken(reader: Reader, fault: string): 'broken' {
  reader.fault = fault
  return 'broken'
}

/**
 * One step from `at`; returns the next position, `at` itself when more bytes are needed, -1 when the bytes are no
 * HTTP.
 */
function step(reader: Reader, input: Buffer, at: number, end: number, onResponse: () => void): number {
  switch (reader.stage) {
    case 'head':
      return readHead(reader, input, at, end, onResponse)
    case 'until_close':
      keep(reader, input, at, end)
      return end
    case 'body':
    case 'chunk_data': {
      const stop = Math.min(end, at + reader.remaining)
      keep(reader, input, at, stop)
      reader.remaining -= stop - at
      if (reader.remaining === 0) {
        if (reader.stage === 'body') finish(reader, onResponse)
        else reader.stage = 'chunk_end'
      }
      return stop
    }
    default:
      return readChunkLine(reader, input, at, end, onResponse)
  }
}

function readHead(reader: Reader, input: Buffer, at: number, end: number, onResponse: () => void): number {
  const after = scanHead(reader, input, at, end)
  if (after === at || after === -1) return after
  const { status } = reader
  if (status >= 100 && status < 200) return after
  reader.kept = reader.wantsBody(status) ? [] : null
  reader.keptBytes = 0
  if (status === 204 || status === 304 || (!reader.chunked && reader.length === 0)) {
    finish(reader, onResponse)
  } else if (reader.chunked) {
    reader.stage = 'chunk_size'
  } else if (reader.length > 0) {
    reader.stage = 'body'
    reader.remaining = reader.length
  } else {
    reader.stage = 'until_close'
    reader.closing = true
  }
  return after
}

/** One pass over the head: status line, then the few header lines that matter. */
function scanHead(reader: Reader, input: Buffer, at: number, end: number): number {
  if (end - at < 13) return at
  const minor = input[at + 7]! - 48
  const status = (input[at + 9]! - 48) * 100 + (input[at + 10]! - 48) * 10 + (input[at + 11]! - 48)
  // "HTTP" read as one number: 0x48545450.
  if (input.readUInt32BE(at) !== 0x48545450 || !(status >= 100 && status <= 999)) {
    reader.fault = 'not an HTTP/1.1 status line'
    return -1
  }
  reader.status = status
  reader.closing = minor === 0
  reader.length = -1
  reader.chunked = false
  let line = at
  for (let i = at + 12; i < end; i++) {
    if (input[i] !== lineFeed) continue
    const stop = input[i - 1] === 13 ? i - 1 : i
    if (stop === line) return i + 1
    readHeaderLine(reader, input, line, stop)
    line = i + 1
  }
  return at
}

function readHeaderLine(reader: Reader, input: Buffer, line: number, stop: number): void {
  const first = input[line]! | 0x20
  // Only 'c' and 't' begin the headers that matter; where the colon stands distinguishes them without making a string.
  if (first === 0x63) {
    if (input[line + 14] === 0x3a && startsWith(input, line, 'content-length')) {
      reader.length = readNumber(input, line + 15, stop, 10)
    } else if (input[line + 10] === 0x3a && startsWith(input, line, 'connection')) {
      const value = skipBlanks(input, line + 11, stop)
      if (startsWith(input, value, 'close')) reader.closing = true
      else if (startsWith(input, value, 'keep-alive')) reader.closing = false
    }
  } else if (first === 0x74 && input[line + 17] === 0x3a && startsWith(input, line, 'transfer-encoding')) {
    reader.chunked = startsWith(input, skipBlanks(input, line + 18, stop), 'chunked')
  }
}

function startsWith(input: Buffer, at: number, lowerCase: string): boolean {
  for (let i = 0; i < lowerCase.length; i++) {
    if ((input[at + i]! | 0x20) !== (lowerCase.charCodeAt(i) | 0x20)) return false
  }
  return true
}

function skipBlanks(input: Buffer, at: number, stop: number): number {
  let i = at
  while (i < stop && (input[i] === 0x20 || input[i] === 0x09)) i++
  return i
}

/** Digits from `at` (leading blanks skipped) up to the first byte that is none; -1 when there is no digit. */
function readNumber(input: Buffer, at: number, stop: number, base: 10 | 16): number {
  let value = -1
  for (let i = skipBlanks(input, at, stop); i < stop; i++) {
    const digit = digitOf(input[i]!)
    if (digit >= base) break
    value = (value === -1 ? 0 : value) * base + digit
  }
  return value
}

function digitOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : 99
}

/** A chunk's size line, the line end behind its data, or a trailer line (RFC 9112 §7.1). */
function readChunkLine(reader: Reader, input: Buffer, at: number, end: number, onResponse: () => void): number {
  const lf = input.indexOf(lineFeed, at)
  if (lf === -1 || lf >= end) return at
  const stop = lf > at && input[lf - 1] === 13 ? lf - 1 : lf
  if (reader.stage === 'chunk_size') {
    const size = readNumber(input, at, stop, 16)
    if (size === -1) {
      reader.fault = 'chunk size is no number'
      return -1
    }
    reader.remaining = size
    reader.stage = size === 0 ? 'trailer' : 'chunk_data'
  } else if (reader.stage === 'chunk_end') {
    if (stop !== at) {
      reader.fault = 'chunk is longer than its size'
      return -1
    }
    reader.stage = 'chunk_size'
  } else if (stop === at) {
    finish(reader, onResponse)
  }
  return lf + 1
}

function keep(reader: Reader, input: Buffer, from: number, to: number): void {
  if (reader.kept === null || reader.keptBytes >= keptLimit) return
  const piece = Buffer.from(input.subarray(from, Math.min(to, from + keptLimit - reader.keptBytes)))
  reader.kept.push(piece)
  reader.keptBytes += piece.length
}

function finish(reader: Reader, onResponse: () => void): void {
  reader.stage = 'head'
  onResponse()
}
