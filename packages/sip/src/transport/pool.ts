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
  return new ConnectionPool(options)
}

/** Lives as long as its transport: the connections that are open, and those about to open. */
class ConnectionPool implements Pool {
  private readonly options: PoolOptions
  private readonly limits: PoolOptions['limits']
  private readonly timing: PoolOptions['timing']
  private readonly entries = new Map<string, Entry>()
  private readonly inbound = new Map<string, Set<Entry>>()
  private readonly outbound = new Map<string, Connection>()
  private readonly opening = new Map<string, Opening>()
  private last = 0
  private closing: TransportError | undefined
  private onEmpty: (() => void) | undefined

  constructor(options: PoolOptions) {
    this.options = options
    const { limits, timing } = options
    this.limits = limits
    this.timing = timing
  }

  private add(socket: Socket, flow: SipFlow, onGone: (entry: Entry) => void): Entry {
    const connection = createConnection(socket, flow, this.options, {
      onMessage: message => this.options.onMessage(message, flow),
      onFault: fault => this.options.onFault(fault, flow),
      onKeepAlive: () => this.options.onKeepAlive(flow),
      onClosed: error => {
        this.entries.delete(flow.id)
        onGone(entry)
        this.options.onClosed(flow, error)
        if (this.entries.size === 0) this.onEmpty?.()
      },
    })
    const entry: Entry = { connection, socket, sentPort: undefined }
    this.entries.set(flow.id, entry)
    return entry
  }

  private flowOf(socket: Socket, isInbound: boolean, isPinned = false): SipFlow | undefined {
    const { remoteAddress, remotePort, localAddress, localPort } = socket
    if (remoteAddress === undefined || remotePort === undefined) return undefined
    if (localAddress === undefined || localPort === undefined) return undefined
    const remote = { address: remoteAddress, port: remotePort }
    const isSecure = socket instanceof TLSSocket
    const transport = isSecure ? 'tls' : 'tcp'
    this.last += 1
    return {
      id: `${transport}/${this.last}/${formatEndpoint(remote)}`,
      transport,
      reliable: true,
      secure: isSecure,
      isInbound,
      remote,
      local: { address: localAddress, port: localPort },
      peerCertificate: isSecure ? peerCertificate(socket, isPinned) : undefined,
    }
  }

  accept(socket: Socket): void {
    const flow = this.closing === undefined ? this.flowOf(socket, true) : undefined
    // It went away before we looked.
    if (flow === undefined) return void socket.destroy()
    const { address } = flow.remote
    const entry = this.add(socket, flow, gone => {
      const others = this.inbound.get(address)
      others?.delete(gone)
      if (others?.size === 0) this.inbound.delete(address)
    })
    const others = this.inbound.get(address) ?? new Set()
    this.inbound.set(address, others.add(entry))
  }

  open(target: Target, localAddress: string | undefined, reuseInbound: boolean | 'source'): Promise<Connection> {
    if (this.closing !== undefined) return Promise.reject(this.closing)
    const key = keyOf(target)
    const ready = this.outbound.get(key)
    if (ready?.isOpen) return Promise.resolve(ready)
    const other = reuseInbound === false ? undefined : this.findInbound(target, reuseInbound === 'source')
    if (other !== undefined) return Promise.resolve(other)
    const running = this.opening.get(key)
    if (running !== undefined) return running.promise
    const where = `${target.transport} ${formatEndpoint(target)}`
    if (this.outbound.size + this.opening.size >= this.limits.maxOutbound) {
      const text = `${where}: ${this.limits.maxOutbound} connections are open already`
      return Promise.reject(transportError('too_many_connections', text))
    }
    const tls = this.options.tlsFor(target)
    if (tls === undefined) {
      return Promise.reject(transportError('tls_failed', `${where}: there is no TLS profile "${target.profile}"`))
    }
    const started = this.start(target, key, localAddress, tls)
    this.opening.set(key, started)
    return started.promise
  }

  private start(target: Target, key: string, localAddress: string | undefined, tls: TlsClientOptions): Opening {
    const { promise, resolve, reject } = Promise.withResolvers<Connection>()
    let attempt: Dial | undefined
    const settle = (error: TransportError | undefined, socket: Socket | undefined) => {
      this.opening.delete(key)
      const flow = socket === undefined ? undefined : this.flowOf(socket, false, tls.fingerprints !== undefined)
      if (socket !== undefined && flow !== undefined) return resolve(this.keep(socket, flow, key))
      socket?.destroy()
      const text = `${target.transport} ${formatEndpoint(target)}: the connection closed at once`
      reject(error ?? transportError('connect_failed', text))
    }
    try {
      const timeoutMs = this.options.connectTimeoutMs
      attempt = dial(target, { timing: this.timing, timeoutMs, localAddress, tls }, settle)
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

  private keep(socket: Socket, flow: SipFlow, key: string): Connection {
    const { connection } = this.add(socket, flow, () => {
      if (this.outbound.get(key) === connection) this.outbound.delete(key)
    })
    this.outbound.set(key, connection)
    return connection
  }

  /**
   * A connection the peer opened, when it said that it listens at the target's port or speaks from it. Over TLS it must have
   * shown a certificate that is good for the target (RFC 5923 §5, §9): without one anybody could take its calls. Not so where
   * this very connection is meant.
   */
  private findInbound({ transport, address, port, ...rest }: Target, isSource: boolean): Connection | undefined {
    for (const { connection, socket, sentPort } of this.inbound.get(address) ?? []) {
      const { flow } = connection
      if (!connection.isOpen || flow.transport !== transport) continue
      if (isSource && flow.remote.port === port) return connection
      if (isSource) continue
      if (sentPort !== port && flow.remote.port !== port) continue
      if (socket instanceof TLSSocket && !this.isPeer(socket, { transport, address, port, ...rest })) continue
      return connection
    }
    return undefined
  }

  private isPeer(socket: TLSSocket, target: Target): boolean {
    return socket.authorized && identityFlaw(serverNameOf(target), socket.getPeerCertificate()) === undefined
  }

  retire(profile: string): SipFlow[] {
    const isOfProfile = (key: string) => key.startsWith('tls ') && key.endsWith(` ${profile}`)
    const error = transportError('closed', 'its settings have changed')
    for (const [key, { stop }] of [...this.opening]) if (isOfProfile(key)) stop(error)
    const flows: SipFlow[] = []
    for (const [key, { flow }] of this.outbound) {
      if (!isOfProfile(key)) continue
      this.outbound.delete(key)
      flows.push(flow)
    }
    return flows
  }

  async close(): Promise<void> {
    this.closing ??= transportError('closed', 'the transport was closed')
    for (const { stop } of [...this.opening.values()]) stop(this.closing)
    if (this.entries.size === 0) return
    const empty = new Promise<void>(resolve => {
      this.onEmpty = resolve
    })
    for (const { connection } of [...this.entries.values()]) connection.end(this.closing)
    await empty
  }

  find(id: string): Connection | undefined {
    return this.entries.get(id)?.connection
  }

  noteSentPort(flow: SipFlow, port: number): void {
    const entry = this.entries.get(flow.id)
    if (entry !== undefined) entry.sentPort = port
  }

  get size(): number {
    return this.entries.size
  }
}

/** What may share a connection: over TLS only what expects the same name and shows the same certificate. */
function keyOf({ transport, address, port, serverName, profile }: Target): string {
  const place = `${transport} ${address} ${port}`
  return transport === 'tls' ? `${place} ${serverName?.toLowerCase() ?? ''} ${profile ?? ''}` : place
}
