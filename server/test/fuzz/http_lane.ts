// A client for HTTP that sends whatever octets it is given and reads what comes back, fast: one connection that is kept, or one for a single
// request that may be no HTTP at all.
import { connect, type Socket } from 'node:net'

/** What came back: the answer, or that the connection was ended without one, or that nothing came in time. */
export type LaneAnswer = { status: number; body: string } | 'ended' | 'silent'

export type Lane = {
  /** Sends a whole request and reads its answer. */
  ask(bytes: Buffer, patienceMs: number): Promise<LaneAnswer>
  close(): void
}

/** Where the first answer ends and what it is; undefined while it is not whole. */
function readAnswer(bytes: Buffer, isEnded: boolean): { status: number; body: string; isLast: boolean } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const head = bytes.toString('latin1', 0, end)
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0)
  const isLast = /^connection: close/im.test(head)
  const rest = bytes.subarray(end + 4)
  const length = /^content-length: (\d+)/im.exec(head)?.[1]
  const isWhole =
    status === 204 ||
    status === 304 ||
    isEnded ||
    (length === undefined ? rest.subarray(-5).toString('latin1') === '0\r\n\r\n' : rest.length >= Number(length))
  return isWhole ? { status, body: rest.toString('utf8', 0, 2_000), isLast } : undefined
}

/** A connection that is opened when it is needed, and again when the server ended it. */
export function openLane(port: number): Lane {
  let socket: Socket | undefined

  function ask(bytes: Buffer, patienceMs: number): Promise<LaneAnswer> {
    const isKept = socket !== undefined && !socket.destroyed && !socket.readableEnded
    const own = isKept ? (socket as Socket) : connect(port, '127.0.0.1').setNoDelay(true)
    socket = own
    return new Promise(resolve => {
      let got = Buffer.alloc(0)
      const finish = (answer: LaneAnswer, isOver: boolean) => {
        clearTimeout(timer)
        own.removeAllListeners()
        own.on('error', () => {})
        if (isOver) own.destroy()
        resolve(answer)
      }
      const timer = setTimeout(() => finish('silent', true), patienceMs)
      own.on('data', (chunk: Buffer) => {
        got = Buffer.concat([got, chunk])
        const answer = readAnswer(got, false)
        if (answer !== undefined) finish(answer, answer.isLast)
      })
      own.on('error', () => {})
      own.on('close', () => {
        const answer = readAnswer(got, true)
        // A connection that was kept may be ended by the server just when it is used again.
        if (answer !== undefined || got.length > 0 || !isKept) return finish(answer ?? 'ended', true)
        clearTimeout(timer)
        resolve(ask(bytes, patienceMs))
      })
      own.write(bytes)
    })
  }

  return { ask, close: () => void socket?.destroy() }
}

/**
 * Sends octets over a connection of their own and closes our side of it: all that the server says until it closes its own, or until `patienceMs`
 * have passed. Where a length was made larger the server may wait for the rest.
 */
export function sayOnce(port: number, bytes: Buffer, patienceMs: number): Promise<string> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    let said = ''
    socket.on('data', chunk => {
      said += chunk.toString('latin1')
      // What goes on for ever is not waited for.
      if (said.length > 200_000) socket.destroy()
    })
    socket.setTimeout(patienceMs, () => socket.destroy())
    socket.on('error', () => {})
    socket.on('close', () => resolve(said))
    socket.end(bytes)
  })
}
