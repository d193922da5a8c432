// All connections of a transport: those that others opened and those that we opened, shared by everything that goes to the same
// place (RFC 3261 §18), and found again by flow or by peer.
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { SipMessage } from '../message.ts'
import type { Timing } from '../rtp/clock.ts'
import type { Dial } from './connect.ts'
import { dial } from './connect.ts'
import type { Connection } from './connection.ts'
import { createConnection } from './connection.ts'
import type { TlsClientOptions } from './tls.ts'
import { identityFlaw, peerCertificate, serverNameOf } from './tls.ts'
import type { FullLimits, SipFlow, Target, TransportError, TransportFault } from './types.ts'
import { formatEndpoint, transportError } from './types.ts'

export type PoolOptions = {
  timing: Timing
  limits: FullLimits
  connectTimeoutMs: number
  pingMs: number | undefined
  /** Settings for a target; undefined when its profile is unknown. */
  tlsFor(target: Target): TlsClientOptions | undefined
  /** False when it was none that can be used. */
  onMessage(message: SipMessage, flow: SipFlow): boolean
  onFault(fault: TransportFault, flow: SipFlow): void
  onKeepAlive(flow: SipFlow): void
  onClosed(flow: SipFlow, error: TransportError): void
}

export type Pool = {
  /** A connection that somebody opened to `local`. */
  accept(socket: Socket): void
  /** The connection to a target, opened when there is none. Rejects with a TransportError. */
  open(target: Target, localAddress: string | undefined, reuseInbound: boolean | 'source'): Promise<Connection>
  find(id: string): Connection | undefined
  /** Connections of ours under a TLS profile are not shared any more, and those about to open fail; answers those that stand. */
  retire(profile: string): SipFlow[]
  /** Notes the port at which the peer of a connection says it listens: the one of its Via. */
  noteSentPort(flow: SipFlow, port: number): void
  readonly size: number
  /** Closes all, and waits until they are gone. */
  close(): Promise<void>
}

/** `sentPort`: of the last request of an inbound connection. */
type Entry = { readonly connection: Connection; readonly socket: Socket; sentPort: number | undefined }

type Opening = { readonly promise: Promise<Connection>; readonly stop: (error: TransportError) => void }

export function createPool(options: PoolOptions): Pool {
  const { limits, timing } = options
  const entries = new Map<string, Entry>()
  const inbound = new Map<string, Set<Entry>>()
  const outbound = new Map<string, Connection>()
  const opening = new Map<string, Opening>()
  let last = 0
  let closing: TransportError | undefined
  let onEmpty: (() => void) | undefined

  function add(socket: Socket, flow: SipFlow, onGone: (entry: Entry) => void): Entry {
    const connection = createConnection(socket, flow, options, {
      onMessage: message => options.onMessage(message, flow),
      onFault: fault => options.onFault(fault, flow),
      onKeepAlive: () => options.onKeepAlive(flow),
      onClosed(error) {
        entries.delete(flow.id)
        onGone(entry)
        options.onClosed(flow, error)
        if (entries.size === 0) onEmpty?.()
      },
    })
    const entry: Entry = { connection, socket, sentPort: undefined }
    entries.set(flow.id, entry)
    return entry
  }

  function flowOf(socket: Socket, isInbound: boolean, isPinned = false): SipFlow | undefined {
    const { remoteAddress, remotePort, localAddress, localPort } = socket
    if (remoteAddress === undefined || remotePort === undefined) return undefined
    if (localAddress === undefined || localPort === undefined) return undefined
    const remote = { address: remoteAddress, port: remotePort }
    const isSecure = socket instanceof TLSSocket
    const transport = isSecure ? 'tls' : 'tcp'
    last += 1
    return {
      id: `${transport}/${last}/${formatEndpoint(remote)}`,
      transport,
      reliable: true,
      secure: isSecure,
      isInbound,
      remote,
      local: { address: localAddress, port: localPort },
      peerCertificate: isSecure ? peerCertificate(socket, isPinned) : undefined,
    }
  }

  function accept(socket: Socket): void {
    const flow = closing === undefined ? flowOf(socket, true) : undefined
    // It went away before we looked.
    if (flow === undefined) return void socket.destroy()
    const { address } = flow.remote
    const entry = add(socket, flow, gone => {
      const others = inbound.get(address)
      others?.delete(gone)
      if (others?.size === 0) inbound.delete(address)
    })
    const others = inbound.get(address) ?? new Set()
    inbound.set(address, others.add(entry))
  }

  function open(
    target: Target,
    localAddress: string | undefined,
    reuseInbound: boolean | 'source',
  ): Promise<Connection> {
    if (closing !== undefined) return Promise.reject(closing)
    const key = keyOf(target)
    const ready = outbound.get(key)
    if (ready?.isOpen) return Promise.resolve(ready)
    const other = reuseInbound === false ? undefined : findInbound(target, reuseInbound === 'source')
    if (other !== undefined) return Promise.resolve(other)
    const running = opening.get(key)
    if (running !== undefined) return running.promise
    const where = `${target.transport} ${formatEndpoint(target)}`
    if (outbound.size + opening.size >= limits.maxOutbound) {
      const text = `${where}: ${limits.maxOutbound} connections are open already`
      return Promise.reject(transportError('too_many_connections', text))
    }
    const tls = options.tlsFor(target)
    if (tls === undefined) {
      return Promise.reject(transportError('tls_failed', `${where}: there is no TLS profile "${target.profile}"`))
    }
    const started = start(target, key, localAddress, tls)
    opening.set(key, started)
    return started.promise
  }

  function start(target: Target, key: string, localAddress: string | undefined, tls: TlsClientOptions): Opening {
    const { promise, resolve, reject } = Promise.withResolvers<Connection>()
    let attempt: Dial | undefined
    const settle = (error: TransportError | undefined, socket: Socket | undefined) => {
      opening.delete(key)
      const flow = socket === undefined ? undefined : flowOf(socket, false, tls.fingerprints !== undefined)
      if (socket !== undefined && flow !== undefined) return resolve(keep(socket, flow, key))
      socket?.destroy()
      const text = `${target.transport} ${formatEndpoint(target)}: the connection closed at once`
      reject(error ?? transportError('connect_failed', text))
    }
    try {
      const timeoutMs = options.connectTimeoutMs
      attempt = dial(target, { timing, timeoutMs, localAddress, tls }, settle)
    } catch (error) {
      // A certificate, a key or an authority that cannot be read.
      const text = `${target.transport} ${formatEndpoint(target)}: our TLS settings are not usable: ${(error as Error).message}`
      queueMicrotask(() => settle(transportError('tls_failed', text, error), undefined))
    }
    return {
      promise,
      stop(error) {
        attempt?.cancel()
        settle(error, undefined)
      },
    }
  }

  function keep(socket: Socket, flow: SipFlow, key: string): Connection {
    const { connection } = add(socket, flow, () => {
      if (outbound.get(key) === connection) outbound.delete(key)
    })
    outbound.set(key, connection)
    return connection
  }

  /**
   * A connection the peer opened, when it said that it listens at the target's port or speaks from it. Over TLS it must have
   * shown a certificate that is good for the target (RFC 5923 §5, §9): without one anybody could take its calls. Not so where
   * this very connection is meant.
   */
  function findInbound({ transport, address, port, ...rest }: Target, isSource: boolean): Connection | undefined {
    for (const { connection, socket, sentPort } of inbound.get(address) ?? []) {
      const { flow } = connection
      if (!connection.isOpen || flow.transport !== transport) continue
      if (isSource && flow.remote.port === port) return connection
      if (isSource) continue
      if (sentPort !== port && flow.remote.port !== port) continue
      if (socket instanceof TLSSocket && !isPeer(socket, { transport, address, port, ...rest })) continue
      return connection
    }
    return undefined
  }

  function isPeer(socket: TLSSocket, target: Target): boolean {
    return socket.authorized && identityFlaw(serverNameOf(target), socket.getPeerCertificate()) === undefined
  }

  function retire(profile: string): SipFlow[] {
    const isOfProfile = (key: string) => key.startsWith('tls ') && key.endsWith(` ${profile}`)
    const error = transportError('closed', 'its settings have changed')
    for (const [key, { stop }] of [...opening]) if (isOfProfile(key)) stop(error)
    const flows: SipFlow[] = []
    for (const [key, { flow }] of outbound) {
      if (!isOfProfile(key)) continue
      outbound.delete(key)
      flows.push(flow)
    }
    return flows
  }

  async function close(): Promise<void> {
    closing ??= transportError('closed', 'the transport was closed')
    for (const { stop } of [...opening.values()]) stop(closing)
    if (entries.size === 0) return
    const empty = new Promise<void>(resolve => {
      onEmpty = resolve
    })
    for (const { connection } of [...entries.values()]) connection.end(closing)
    await empty
  }

  return {
    accept,
    open,
    find: id => entries.get(id)?.connection,
    retire,
    noteSentPort(flow, port) {
      const entry = entries.get(flow.id)
      if (entry !== undefined) entry.sentPort = port
    },
    get size() {
      return entries.size
    },
    close,
  }
}

/** What may share a connection: over TLS only what expects the same name and shows the same certificate. */
function keyOf({ transport, address, port, serverName, profile }: Target): string {
  const place = `${transport} ${address} ${port}`
  return transport === 'tls' ? `${place} ${serverName?.toLowerCase() ?? ''} ${profile ?? ''}` : place
}
