/**
 * Requests as data, so that they can be handed to another process: method, path, headers and a body in which `{{n}}`
 * stands for a counter. The bytes are built once; afterwards only the digits of the counter are overwritten.
 */

/**
 * One request. `{{n}}` (10 digits) or `{{n:W}}` (W digits, the counter modulo 10^W) in path, header values or body
 * becomes the number of the request, padded with zeros, so that every request has the same length.
 */
export type RequestTemplate = {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string
}

const counterPattern = /\{\{n(?::(\d{1,2}))?\}\}/g

type Counter = { offset: number; width: number }

/**
 * Makes the function that gives the bytes of request `n` (a whole number from 0). Each connection has a buffer of its
 * own, which is overwritten by the next request on that connection: one request in flight per connection is assumed.
 */
export function compileTemplate(template: RequestTemplate, host: string): (n: number, connection?: number) => Buffer {
  const { bytes, counters } = prepare(template, host)
  const buffers: Buffer[] = []
  return (n, connection = 0) => {
    let buffer = buffers[connection]
    if (buffer === undefined) {
      buffer = Buffer.from(bytes)
      buffers[connection] = buffer
    }
    for (const { offset, width } of counters) writeDigits(buffer, offset, width, n)
    return buffer
  }
}

function prepare(template: RequestTemplate, host: string): { bytes: Buffer; counters: Counter[] } {
  const body = template.body ?? ''
  const headers: Record<string, string> = { host, ...template.headers }
  if (template.body !== undefined) {
    headers['content-type'] ??= 'application/json'
    headers['content-length'] = String(Buffer.byteLength(fillCounters(body)))
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const text = `${template.method} ${template.path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
  const counters: Counter[] = []
  let grown = 0
  for (const match of text.matchAll(counterPattern)) {
    const width = Number(match[1] ?? 10)
    counters.push({ offset: Buffer.byteLength(text.slice(0, match.index)) + grown, width })
    grown += width - match[0].length
  }
  return { bytes: Buffer.from(fillCounters(text)), counters }
}

function fillCounters(text: string): string {
  return text.replace(counterPattern, (_, width: string | undefined) => '0'.repeat(Number(width ?? 10)))
}

function writeDigits(buffer: Buffer, offset: number, width: number, n: number): void {
  let rest = n
  for (let i = offset + width - 1; i >= offset; i--) {
    const tenth = Math.floor(rest / 10)
    buffer[i] = 48 + (rest - tenth * 10)
    rest = tenth
  }
}
