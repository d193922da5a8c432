// Ports for TCP and TLS: who may connect, how many from one place, and the handshake. What is let in is handed on as a socket.
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer } from 'node:net'
import type { TLSSocket, Server as TlsServer } from 'node:tls'
import { createServer as createTlsServer } from 'node:tls'
import type { Endpoint } from '../rtp/latch.ts'
import { sourceKey } from './route.ts'
import type { TlsServerOptions } from './tls.ts'
import { serverTlsOptions } from './tls.ts'
import type { FullLimits, TransportError } from './types.ts'
import { formatEndpoint, systemCode, transportError } from './types.ts'
import { bindError, checkedFamily } from './udp.ts'

/** Counts connections, in all and of each source. */
export type Admission = {
  /** Takes a place and gives what frees it again; undefined when there is none. */
  enter(address: string): (() => void) | undefined
  readonly size: number
}

export function createAdmission(limits: Pick<FullLimits, 'maxConnections' | 'maxPerSource'>): Admission {
  const counts = new Map<string, number>()
  let size = 0
  return {
    enter(address) {
      const key = sourceKey(address)
      const count = counts.get(key) ?? 0
      if (size >= limits.maxConnections || count >= limits.maxPerSource) return undefined
      counts.set(key, count + 1)
      size += 1
      let isIn = true
      return () => {
        if (!isIn) return
        isIn = false
        size -= 1
        const left = counts.get(key)! - 1
        if (left === 0) counts.delete(key)
        else counts.set(key, left)
      }
    },
    get size() {
      return size
    },
  }
}

export type ListenHandlers = {
  admission: Admission
  /** How long a handshake may take. */
  handshakeMs: number
  onSocket(socket: Socket | TLSSocket): void
  /** There was no place for it. */
  onRefused(source: Endpoint): void
  onHandshakeFailed(error: TransportError, source: Endpoint): void
}

export type StreamPort = {
  readonly local: Endpoint
  /** Other certificates for handshakes to come. */
  renew(tls: TlsServerOptions): void
  /** Lets nobody in any more. */
  stop(): void
  /** Cuts what is left, such as those in mid-handshake, and waits until nothing is. */
  close(): Promise<void>
}

/** Rejects with `address_in_use` or `bind_failed`; throws for a key that does not fit its certificate. */
export async function openStreamPort(
  binding: Endpoint,
  tls: TlsServerOptions | undefined,
  handlers: ListenHandlers,
): Promise<StreamPort> {
  const name = tls === undefined ? 'tcp' : 'tls'
  const family = checkedFamily(name, binding.address)
  const raw = new Set<Socket>()
  let secure = tls === undefined ? undefined : createSecure(tls, handlers)
  const server = createServer(socket => {
    const source = sourceOf(socket)
    const leave = source === undefined ? undefined : handlers.admission.enter(source.address)
    if (source === undefined || leave === undefined) {
      socket.destroy()
      if (source !== undefined) handlers.onRefused(source)
      return
    }
    raw.add(socket)
    socket.once('close', () => {
      raw.delete(socket)
      leave()
    })
    // After the handshake, errors are reported by the socket that came of it.
    socket.on('error', () => {})
    if (secure === undefined) handlers.onSocket(socket)
    else secure.emit('connection', socket)
  })
  await listen(server, name, binding, family)
  const { address, port } = server.address() as AddressInfo
  const closed = Promise.withResolvers<void>()
  let isStopped = false

  function stop(): void {
    if (isStopped) return
    isStopped = true
    server.close(() => closed.resolve())
  }

  return {
    local: { address, port },
    renew(next) {
      if (secure === undefined) throw new RangeError(`tcp ${formatEndpoint(binding)} has no certificate`)
      secure = createSecure(next, handlers)
    },
    stop,
    async close() {
      stop()
      for (const socket of raw) socket.destroy()
      await closed.promise
    },
  }
}

function sourceOf(socket: Socket): Endpoint | undefined {
  const { remoteAddress, remotePort } = socket
  return remoteAddress === undefined || remotePort === undefined
    ? undefined
    : { address: remoteAddress, port: remotePort }
}

/** It never listens itself: it is given the sockets that were let in. */
function createSecure(tls: TlsServerOptions, { handshakeMs, onSocket, onHandshakeFailed }: ListenHandlers): TlsServer {
  const server = createTlsServer({ ...serverTlsOptions(tls), handshakeTimeout: handshakeMs })
  server.on('secureConnection', onSocket)
  server.on('tlsClientError', (error, socket) => {
    const source = sourceOf(socket) ?? { address: '', port: 0 }
    const text = `tls ${formatEndpoint(source)}: no handshake (${systemCode(error) ?? error.message})`
    socket.destroy()
    onHandshakeFailed(transportError('tls_failed', text, error), source)
  })
  return server
}

function listen(server: Server, name: 'tcp' | 'tls', binding: Endpoint, family: 4 | 6): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', error => reject(bindError(name, binding, error)))
    server.listen({ host: binding.address, port: binding.port, ipv6Only: family === 6, exclusive: true }, () => {
      server.removeAllListeners('error')
      // Out of file descriptors: those who are connected stay so.
      server.on('error', () => {})
      resolve()
    })
  })
}
