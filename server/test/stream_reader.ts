// Reads an event stream over a real socket, for tests: keeps what came, waits for what should come.
import { type ClientRequest, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { App } from '../src/app.ts'

export type Message = {
  event: string
  id: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
  data: any
}

export type StreamReader = {
  status: number
  headers: IncomingHttpHeaders
  /** The whole body so far, comments included. */
  text(): string
  messages: Message[]
  /** The last id seen, also one that came without data. */
  lastId(): string | undefined
  /** Resolves with the first message that fits, among those that came and those to come. @throws after `timeoutMs` */
  until(fits: (message: Message) => boolean, timeoutMs?: number): Promise<Message>
  /** Resolves when the connection is over. */
  ended: Promise<void>
  /** Breaks the connection off. */
  close(): void
}

export type ReaderOptions = {
  as: string
  /** Of another stream than that of requests and events. */
  path?: string
  query?: string
  lastEventId?: string | undefined
  headers?: Record<string, string>
  /** Called with every message, as it comes. */
  onMessage?: (message: Message, reader: StreamReader) => void
}

/** Makes an app listen, once, and answers its port. */
export async function listening(app: App): Promise<number> {
  if (app.http.server.address() === null) await app.http.listen({ port: 0, host: '127.0.0.1' })
  return (app.http.server.address() as AddressInfo).port
}

/** Opens a stream; resolves when its head is there, whatever the status. */
export async function openStream(app: App, options: ReaderOptions): Promise<StreamReader> {
  const port = await listening(app)
  const { as, path = '/v2/stream', query = '', lastEventId, headers = {} } = options
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = request(
      {
        port,
        host: '127.0.0.1',
        path: `${path}${query}`,
        agent: false,
        headers: {
          authorization: `Bearer ${as}`,
          ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
          ...headers,
        },
      },
      response => {
        const pieces: string[] = []
        let rest = ''
        let id: string | undefined
        const waiting = new Set<() => void>()
        const ended = new Promise<void>(done => response.once('close', done))
        const reader: StreamReader = {
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: () => pieces.join(''),
          messages: [],
          lastId: () => id,
          ended,
          close: () => sent.destroy(),
          until: (fits, timeoutMs = 5_000) =>
            new Promise((found, failed) => {
              const late = setTimeout(() => {
                waiting.delete(look)
                failed(new Error(`no such message within ${timeoutMs} ms: ${pieces.join('').slice(-2_000)}`))
              }, timeoutMs)
              const look = () => {
                const message = reader.messages.find(fits)
                if (message === undefined) return
                clearTimeout(late)
                waiting.delete(look)
                found(message)
              }
              waiting.add(look)
              look()
            }),
        }
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          pieces.push(chunk)
          const blocks = `${rest}${chunk}`.split('\n\n')
          rest = blocks.pop() as string
          for (const block of blocks) {
            const fields = fieldsOf(block)
            id = fields['id'] ?? id
            if (fields['data'] === undefined) continue
            const message = { event: fields['event'] ?? 'message', id, data: JSON.parse(fields['data']) }
            reader.messages.push(message)
            options.onMessage?.(message, reader)
          }
          for (const look of [...waiting]) look()
        })
        response.on('error', () => {})
        resolve(reader)
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}

function fieldsOf(block: string): Record<string, string | undefined> {
  const lines = block.split('\n').filter(line => !line.startsWith(':'))
  return Object.fromEntries(lines.map(line => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]))
}
