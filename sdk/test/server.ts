// What the tests of the SDK talk to: the real application behind a socket, and a server that answers by script.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startTestApp, type TestApp } from '../../server/test/harness.ts'

export type ListeningApp = TestApp & { baseUrl: string }

/** A whole Tandem on a free port; `close()` ends it. */
export async function startListeningApp(): Promise<ListeningApp> {
  const t = await startTestApp()
  const baseUrl = await t.app.http.listen({ host: '127.0.0.1', port: 0 })
  return { ...t, baseUrl }
}

export type Seen = { method: string; path: string; headers: IncomingMessage['headers']; body: string }

export type Handler = (request: Seen, response: ServerResponse) => void

export type ScriptedServer = {
  baseUrl: string
  /** Every request in the order it came. */
  seen: Seen[]
  [Symbol.asyncDispose](): Promise<void>
}

/** Answers the n-th request with the n-th handler; the last one stays. */
export async function startScriptedServer(...handlers: [Handler, ...Handler[]]): Promise<ScriptedServer> {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method = '', url: path = '', headers } = request
    seen.push({ method, path, headers, body })
    const handle = handlers[Math.min(seen.length, handlers.length) - 1] as Handler
    handle(seen.at(-1) as Seen, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** A handler that answers JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Handler {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
}

/** A handler that breaks the connection without an answer. */
export const reset: Handler = (_, response) => {
  response.socket?.resetAndDestroy()
}

/** A handler that never answers. */
export const silence: Handler = () => {}
