// Talking to a listening server with more freedom than an HTTP client allows: any bytes, any pace, any number of
// answers.
import assert from 'node:assert/strict'
import { type Agent, type IncomingHttpHeaders, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { TestApp } from './harness.ts'

/** Makes the application listen on a free port of the loopback address. */
export async function listen(t: TestApp): Promise<number> {
  await t.app.http.listen({ port: 0, host: '127.0.0.1' })
  return (t.app.http.server.address() as AddressInfo).port
}

export type WireAnswer = {
  status: number
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  json: any
}

export type WireRequest = {
  method?: string
  path: string
  headers?: Record<string, string | string[]>
  /** Sent as it is, with Content-Length unless `chunked`. */
  body?: string | Buffer
  chunked?: boolean
  as?: string
  agent?: Agent
}

/** One request by Node's client. */
export function send(
  port: number,
  { method, path, headers = {}, body, chunked = false, as, agent }: WireRequest,
): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const all = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(body === undefined || chunked ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
      ...headers,
    }
    const out = request(
      { host: '127.0.0.1', port, method: method ?? (body === undefined ? 'GET' : 'POST'), path, headers: all, agent },
      response => {
        const chunks: Buffer[] = []
        response.on('data', chunk => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parsed(text) })
        })
      },
    )
    out.on('error', reject)
    out.end(body)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export type Exchange = {
  /** Everything the server sent. */
  text: string
  /** The answers in it. */
  answers: { status: number; headers: string; body: string }[]
  /** Whether the server closed the connection before we gave up. */
  closed: boolean
  /** From the connection to its end. */
  ms: number
}

export type Pace = {
  /** Goes on sending these one by one, `everyMs`, until the server closes. */
  trickle?: { bytes: string; everyMs: number }
  /** Gives up after this long. */
  patienceMs?: number
}

/** Writes bytes on a connection of its own and reads until the server closes it. */
export function exchange(
  port: number,
  bytes: string | Buffer,
  { trickle, patienceMs = 1_000 }: Pace = {},
): Promise<Exchange> {
  return new Promise(resolve => {
    const started = performance.now()
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    let sent = 0
    const drip =
      trickle &&
      setInterval(() => void socket.write(trickle.bytes[sent++ % trickle.bytes.length] as string), trickle.everyMs)
    const giveUp = setTimeout(() => finish(false), patienceMs)
    function finish(closed: boolean): void {
      clearInterval(drip)
      clearTimeout(giveUp)
      socket.destroy()
      const text = Buffer.concat(chunks).toString('latin1')
      resolve({ text, answers: answersIn(text), closed, ms: performance.now() - started })
    }
    socket.on('data', chunk => chunks.push(chunk as Buffer))
    socket.on('error', () => {})
    socket.on('end', () => finish(true))
    socket.on('close', () => finish(true))
    socket.write(bytes)
  })
}

/** Cuts a stream of answers by their Content-Length; anything left over is a fault of the server. */
function answersIn(text: string): Exchange['answers'] {
  const answers: Exchange['answers'] = []
  for (let rest = text; rest !== ''; ) {
    const head = rest.indexOf('\r\n\r\n')
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(rest)
    assert.ok(head !== -1 && status !== null, `not an answer: ${rest.slice(0, 200)}`)
    const headers = rest.slice(0, head)
    const length = Number(/content-length: (\d+)/i.exec(headers)?.[1] ?? 0)
    answers.push({ status: Number(status[1]), headers, body: rest.slice(head + 4, head + 4 + length) })
    rest = rest.slice(head + 4 + length)
  }
  return answers
}
