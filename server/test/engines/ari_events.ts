// The events of an Asterisk for tests: WebSockets by application, and what is sent to them about channels, also twice and out of order.
import { createHash } from 'node:crypto'
import type { Socket as Datagrams } from 'node:dgram'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

type Fields = Record<string, unknown>

export type Channel = {
  id: string
  name: string
  state: string
  app: string
  isInStasis: boolean
  number: string
  context: string
  caller: string
  variables: Map<string, string>
  typed: string[]
  isHeld: boolean
  bridge: string | undefined
  media: { socket: Datagrams; host: string; port: number } | undefined
  subscribers: Set<string>
}

/** Whether it comes with the account of the tests. */
export function isKnown({ headers }: IncomingMessage): boolean {
  return headers.authorization === `Basic ${Buffer.from('tandem:secret').toString('base64')}`
}

/** A text frame without a mask, as servers send them (RFC 6455 §5). */
function write(socket: Socket, event: Fields): void {
  const text = Buffer.from(JSON.stringify(event))
  const head = text.length < 126 ? Buffer.from([0x81, text.length]) : Buffer.from([0x81, 126, 0, 0])
  if (text.length >= 126) head.writeUInt16BE(text.length, 2)
  socket.write(Buffer.concat([head, text]))
}

/** A channel as ARI shows it. */
export function shown({ id, name, state, number, context, caller, variables }: Channel) {
  return {
    id,
    name,
    state,
    caller: { name: '', number: caller },
    connected: { name: '', number: '' },
    dialplan: { context, exten: number, priority: 1 },
    channelvars: Object.fromEntries(variables),
  }
}

/** As long as its Asterisk. */
export class AriEvents {
  /** Every event is sent twice, and the second of two before the first. */
  isDisordered = false
  private readonly sockets = new Map<string, Socket>()
  private count = 0
  private delayed: (() => void)[] = []

  applications(): string[] {
    return [...this.sockets.keys()]
  }

  /** Takes a WebSocket for the applications its address names; who had one before is notified and dropped. */
  upgrade(request: IncomingMessage, socket: Socket): void {
    socket.on('error', () => {})
    const { searchParams } = new URL(request.url ?? '', 'http://peer')
    if (!isKnown(request)) return void socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n')
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const accept = createHash('sha1').update(key).digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    )
    for (const app of (searchParams.get('app') ?? '').split(',')) {
      const before = this.sockets.get(app)
      if (before !== undefined) {
        write(before, { type: 'ApplicationReplaced', application: app })
        before.end()
      }
      this.sockets.set(app, socket)
      socket.on('close', () => this.sockets.get(app) === socket && this.sockets.delete(app))
    }
  }

  emit(channel: Channel, type: string, more: Fields = {}): void {
    const at = `2026-11-21T08:44:00.${String(this.count++).padStart(6, '0')}`
    const about = type === 'Dial' ? { peer: shown(channel) } : { channel: shown(channel) }
    const send = () => {
      for (const application of new Set([channel.app, ...channel.subscribers])) {
        const socket = this.sockets.get(application)
        if (socket === undefined) continue
        write(socket, { type, application, timestamp: at, ...about, ...more })
        if (this.isDisordered) write(socket, { type, application, timestamp: at, ...about, ...more })
      }
    }
    if (!this.isDisordered) {
      send()
      return
    }
    // The second of two comes first.
    this.delayed.push(send)
    if (this.delayed.length === 1) setTimeout(() => this.flush(), 15)
    else this.flush()
  }

  private flush(): void {
    const sending = this.delayed.reverse()
    this.delayed = []
    for (const send of sending) send()
  }

  cut(): void {
    for (const socket of this.sockets.values()) socket.destroy()
    this.sockets.clear()
  }
}
