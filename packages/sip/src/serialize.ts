// A message to octets (RFC 3261 §7). Content-Length is always what the body has: a line of that name in `headers` only says
// where it stands.
import type { SipMessage } from './message.ts'

/** A line end inside a value would smuggle in a header. */
const lineEnd = /[\r\n]/

/** Octets ready to be sent. Throws a RangeError for a value with a line end: that is an error of the program. */
export function serializeMessage(message: SipMessage): Buffer {
  const head = formatHead(message)
  const { body } = message
  if (body.length === 0) return Buffer.from(head)
  const headLength = Buffer.byteLength(head)
  const bytes = Buffer.allocUnsafe(headLength + body.length)
  bytes.write(head, 0)
  body.copy(bytes, headLength)
  return bytes
}

/** Start line, header lines and the empty line, as text. */
export function formatHead(message: SipMessage): string {
  let text = startLine(message)
  if (lineEnd.test(text)) throw new RangeError('the start line has a line end')
  let hasLength = false
  for (const { name, value } of message.headers) {
    if (name === 'Content-Length') {
      if (!hasLength) text += `\r\nContent-Length: ${message.body.length}`
      hasLength = true
      continue
    }
    if (lineEnd.test(value) || lineEnd.test(name)) throw new RangeError(`header ${name} has a line end`)
    text += `\r\n${name}: ${value}`
  }
  return hasLength ? `${text}\r\n\r\n` : `${text}\r\nContent-Length: ${message.body.length}\r\n\r\n`
}

/** The first line without its end, as a trace shows it. */
export function startLine(message: SipMessage): string {
  return message.kind === 'request'
    ? `${message.method} ${message.uri} SIP/2.0`
    : `SIP/2.0 ${message.status} ${message.reason}`
}
