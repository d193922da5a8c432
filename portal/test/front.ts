// A server before the portal's own, for what Tandem itself never answers: it echoes requests as they arrived, and gives
// bodies of any size. Everything else is handed on, so that a page served through it has one origin for all.
import { Buffer } from 'node:buffer'
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it came over the wire. */
export type Echo = { method: string; target: string; headers: [name: string, value: string][]; body: string }

export type Front = {
  address: string
  close(): Promise<void>
}

/** Paths: `/echo…` echoes, `/big/<bytes>` gives JSON of about that many bytes, `/events` opens a stream, which `/events/break` breaks, `pages` are given as HTML, the rest goes to `behind`. */
export async function startFront(behind: string, pages: Readonly<Record<string, string>> = {}): Promise<Front> {
  const streams = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    const target = request.url ?? '/'
    const page = pages[target]
    if (page !== undefined) response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    else if (target.startsWith('/echo')) void echo(request, response)
    else if (target === '/events/break') breakAll(streams, response)
    else if (target === '/events') events(streams, response)
    else if (target.startsWith('/big/')) big(Number(target.slice(5).split('?')[0]), response)
    else handOn(new URL(behind), request, response)
  })
  const front: Front = {
    address: '',
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  front.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return front
}

async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { rawHeaders } = request
  const headers: Echo['headers'] = []
  for (let index = 0; index < rawHeaders.length; index += 2) headers.push([rawHeaders[index]!, rawHeaders[index + 1]!])
  const reported: Echo = {
    method: request.method ?? '',
    target: request.url ?? '',
    headers,
    body: Buffer.concat(chunks).toString('base64'),
  }
  const text = JSON.stringify(reported)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(request.method === 'HEAD' ? undefined : text)
}

/** A stream with one event in it, which goes on or breaks. */
function events(streams: Set<ServerResponse>, response: ServerResponse): void {
  streams.add(response)
  response.on('close', () => streams.delete(response))
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' })
  response.write('event: greeting\ndata: {"text":"Grüße 👋"}\n\n')
}

/** When who asks has read them: of a connection that breaks, a browser throws away what was not read yet. */
function breakAll(streams: Set<ServerResponse>, response: ServerResponse): void {
  for (const stream of streams) stream.destroy()
  response.writeHead(204).end()
}

const item = {
  id: 'msg_01k9r7d3w2v8e6q4n5m1b0c9xz',
  from: '+15005550006',
  to: '+15005550100',
  body: 'Your table is ready.',
  segments: 1,
  price: 0.0075,
  delivered: true,
  error: null,
  tags: ['a', 'b'],
}

/** Minified, as a server sends it. */
function big(bytes: number, response: ServerResponse): void {
  const row = JSON.stringify(item)
  const count = Math.max(1, Math.floor(bytes / (row.length + 1)))
  const text = `{"status":200,"data":[${new Array(count).fill(row).join(',')}],"last":"needle"}`
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  })
  response.end(text)
}

function handOn(behind: URL, request: IncomingMessage, response: ServerResponse): void {
  const onward = ask(
    // The Host is that of the page: the portal's session is for one origin.
    { host: behind.hostname, port: behind.port, method: request.method, path: request.url, headers: request.headers },
    answer => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(response)
    },
  )
  onward.on('error', () => response.destroy())
  response.on('close', () => onward.destroy())
  request.pipe(onward)
}
