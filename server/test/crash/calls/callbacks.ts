// Where calls ask how to go on: an address and one to fall back on, which may be away, too slow, or talk nonsense.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export type Mood = 'well' | 'down' | 'slow' | 'wrong'

export type CallbackSide = {
  url: string
  fallbackUrl: string
  setMoods(main: Mood, fallback: Mood): void
  /** Requests for instructions: answered with some, and not. */
  counts: { main: number; fallback: number; spoiled: number; spoiledFallback: number }
  close(): Promise<void>
}

/** More than a call waits for. */
const slowMs = 6_000

/** @param instructions what each call is sent, by its direction */
export async function startCallbacks(instructions: Record<string, readonly object[]>): Promise<CallbackSide> {
  const moods = { main: 'well' as Mood, fallback: 'well' as Mood }
  const counts = { main: 0, fallback: 0, spoiled: 0, spoiledFallback: 0 }
  const sockets = new Set<Socket>()
  const timers = new Set<NodeJS.Timeout>()

  function take(request: IncomingMessage, response: ServerResponse, text: string): void {
    const isFallback = request.url?.endsWith('/fallback') === true
    const mood = isFallback ? moods.fallback : moods.main
    const { type, data } = JSON.parse(text) as { type: string; data: { direction: string } }
    const isQuestion = type === 'instructions.requested'
    if (isQuestion && mood === 'well') counts[isFallback ? 'fallback' : 'main']++
    else if (isQuestion) counts[isFallback ? 'spoiledFallback' : 'spoiled']++
    if (mood === 'down') {
      request.socket.destroy()
      return
    }
    const answer = () => {
      const list = isQuestion ? { instructions: instructions[data.direction] } : {}
      const body = mood === 'wrong' && isQuestion ? '{"instructions":[{"verb":"sing"}]}' : JSON.stringify(list)
      response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    }
    const timer = setTimeout(
      () => {
        timers.delete(timer)
        answer()
      },
      mood === 'slow' && isQuestion ? slowMs : 0,
    )
    timers.add(timer)
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => take(request, response, Buffer.concat(chunks).toString()))
    request.on('error', () => {})
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${base}/calls`,
    fallbackUrl: `${base}/fallback`,
    counts,
    setMoods(main, fallback) {
      moods.main = main
      moods.fallback = fallback
    },
    async close() {
      for (const timer of timers) clearTimeout(timer)
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
