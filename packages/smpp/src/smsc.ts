// The message centre's side (SMSC): listens, lets those in who may, hands their messages over and sends them theirs. What
// a message is worth and where it goes is its user's affair.
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { defaultMaxLength } from './reader.ts'
import type { Smsc, SmscLimits, SmscOptions, SmscSession } from './smsc_api.ts'
import type { Connection, Hub } from './smsc_connection.ts'
import { createConnection } from './smsc_connection.ts'
import { systemClock } from './timing.ts'

const defaultLimits: SmscLimits = {
  connections: 200,
  bindsPerSystemId: 20,
  handling: 500,
  faults: 10,
  bindMs: 10_000,
  pduLength: defaultMaxLength,
}

export function createSmsc(options: SmscOptions): Smsc {
  const limits = { ...defaultLimits, ...options.limits }
  const sessions = new Map<number, SmscSession>()
  const connections = new Set<Connection>()
  const binds = new Map<string, number>()
  let lastId = 0
  const hub: Hub = {
    options,
    limits,
    clock: options.clock ?? systemClock,
    binds,
    nextId: () => ++lastId,
    added: session => {
      sessions.set(session.id, session)
      options.onSession?.(session)
    },
    removed: (session, reason) => {
      sessions.delete(session.id)
      options.onSessionEnd?.(session, reason)
    },
    closed: connection => connections.delete(connection),
  }
  const accept = (socket: Socket) => {
    // Its errors are reported by the link; one that is turned away has none to report.
    socket.on('error', () => {})
    if (connections.size >= limits.connections || isClosing) socket.destroy()
    else connections.add(createConnection(socket, hub))
  }
  let isClosing = false
  const server: Server = options.tls
    ? createTlsServer({ handshakeTimeout: limits.bindMs, ...options.tls }, accept).on('tlsClientError', () => {})
    : createTcpServer(accept)

  return {
    get sessions() {
      return [...sessions.values()]
    },
    listen: ({ port, host = '127.0.0.1' }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen({ port, host }, () => {
          server.off('error', reject)
          const address = server.address() as { port: number; address: string }
          resolve({ port: address.port, host: address.address })
        })
      }),
    close: async ({ drainMs = 5000 } = {}) => {
      isClosing = true
      const stopped = new Promise<void>(resolve => server.close(() => resolve()))
      await Promise.all([...connections].map(connection => connection.close(drainMs)))
      await stopped
    },
  }
}
