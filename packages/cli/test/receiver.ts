// A server as a developer has it on their machine: it checks signatures by the library of Standard Webhooks, and keeps what came.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export type Received = { path: string; headers: Record<string, string>; body: string; verified: boolean }

export type Receiver = {
  address: string
  port: number
  received: Received[]
  /** What it answers from now on; 200 at first. */
  answer: { status: number; body: string }
  close(): Promise<void>
}

/** @param secret by which it verifies; asked at each request */
export async function startReceiver(secret: () => string, port = 0): Promise<Receiver> {
  const received: Received[] = []
  const answer = { status: 200, body: 'ok' }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request.setEncoding('utf8')) body += piece
    const headers = request.headers as Record<string, string>
    received.push({ path: request.url ?? '', headers, body, verified: verifies(secret(), body, headers) })
    response.writeHead(answer.status).end(answer.body)
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const own = (server.address() as AddressInfo).port
  return {
    address: `http://127.0.0.1:${own}/hooks`,
    port: own,
    received,
    answer,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

function verifies(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}
