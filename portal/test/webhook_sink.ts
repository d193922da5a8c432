// A receiver of webhooks on a free port of this machine: keeps what came, answers as configured.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

export type Received = { headers: IncomingHttpHeaders; body: string; path: string }

export type Sink = {
  url: string
  received: Received[]
  /** What it answers from now on; 204 at first. */
  answer: { status: number; body?: string }
  /** Resolves with the newest request that fits, waiting up to ten seconds for it. */
  until(fits: (received: Received) => boolean): Promise<Received>
  close(): Promise<void>
}

export async function startSink(): Promise<Sink> {
  const { sink, listen } = createSink()
  await listen()
  return sink
}

/** A receiver for the tests of the `describe` that asks for it; its `url` is there from the first of them on. */
export function sinkForTests(): Sink {
  const { sink, listen } = createSink()
  before(listen)
  after(() => sink.close())
  return sink
}

function createSink(): { sink: Sink; listen(): Promise<void> } {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ headers: request.headers, body, path: request.url ?? '' })
    response.writeHead(sink.answer.status, { 'content-type': 'text/plain' }).end(sink.answer.body ?? '')
  })
  const sink: Sink = {
    url: '',
    received,
    answer: { status: 204 },
    async until(fits) {
      const deadlineMs = performance.now() + 30_000
      for (;;) {
        const found = received.findLast(fits)
        if (found !== undefined) return found
        if (performance.now() > deadlineMs) throw new Error(`nothing that fits came: ${JSON.stringify(received)}`)
        await sleep(20)
      }
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  async function listen() {
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    sink.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
  }
  return { sink, listen }
}
