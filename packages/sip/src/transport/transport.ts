// The transport of SIP (RFC 3261 §18): opens the ports, takes messages in with what their source is, and sends messages on
// their way. Its parts: udp, listen, connect and connection have the sockets; route, bindings and locate have the rules.
import { isIP } from 'node:net'
import { readCore } from '../core.ts'
import type { SipMessage } from '../message.ts'
import { createFault, isFault } from '../message.ts'
import { isKeepAlive, parseMessage } from '../parse.ts'
import { withReceived } from '../replies.ts'
import { systemTiming } from '../rtp/clock.ts'
import type { Endpoint } from '../rtp/latch.ts'
import { serializeMessage } from '../serialize.ts'
import type { Via } from '../values.ts'
import { formatVia } from '../values.ts'
import type { Binding, FlowOptions, SipTransport, SipTransportOptions, TransportCounters } from './api.ts'
import type { Bound } from './bindings.ts'
import { createSentByRegister, pickBound } from './bindings.ts'
import type { Connection, Done } from './connection.ts'
import type { ListenHandlers, StreamPort } from './listen.ts'
import { createAdmission, openStreamPort } from './listen.ts'
import { createPeerMemory } from './peer_memory.ts'
import { createPool } from './pool.ts'
import type { SentBy } from './route.ts'
import { isWildcard, responseTarget, targetForSize, topVia } from './route.ts'
import type { TlsServerOptions } from './tls.ts'
import type { FullLimits, SipFlow, Target, TransportError, TransportFault, TransportName } from './types.ts'
import { defaultPort, defaultTransportLimits, formatEndpoint, isTransportError, transportError } from './types.ts'
import type { UdpPort } from './udp.ts'
import { openUdpPort } from './udp.ts'

type Port<Socket> = Bound & { readonly socket: Socket }

const keepAlive = Buffer.from('\r\n\r\n')
const ignore: Done = () => {}
/** Rejects with `address_in_use` or `bind_failed`, and then nothing is left open. */
export async function openSipTransport(options: SipTransportOptions): Promise<SipTransport> {
  const transport = new Transport(options)
  await transport.listen()
  return transport
}

/** Lives from `openSipTransport` until `close`: its ports, its connections, and what it has counted. */
class Transport implements SipTransport {
  private readonly options: SipTransportOptions
  private readonly onMessage: SipTransportOptions['onMessage']
  private readonly onTrace: SipTransportOptions['onTrace']
  private readonly timing: NonNullable<SipTransportOptions['timing']>
  private readonly checkSentBy: NonNullable<SipTransportOptions['checkSentBy']>
  private readonly limits: FullLimits
  readonly counters: TransportCounters = {
    messagesIn: 0,
    messagesOut: 0,
    faults: 0,
    faultsDropped: 0,
    keepAlives: 0,
    connectionsRefused: 0,
    handshakesFailed: 0,
    sendsFailed: 0,
  }
  private readonly udpPorts: Port<UdpPort>[] = []
  private readonly streamPorts: Port<StreamPort>[] = []
  private readonly tlsPorts: StreamPort[] = []
  readonly transports: TransportName[] = []
  private readonly sentBys
  private readonly peers
  private faultSecond = 0
  private faultsInSecond = 0
  private isClosed = false
  private closing: Promise<void> | undefined
  private readonly pool
  private readonly listening: ListenHandlers

  constructor(options: SipTransportOptions) {
    this.options = options
    const { onMessage, onTrace, timing = systemTiming, connectTimeoutMs = 5_000, checkSentBy = true } = options
    this.onMessage = onMessage
    this.onTrace = onTrace
    this.timing = timing
    this.checkSentBy = checkSentBy
    this.limits = { ...defaultTransportLimits, ...options.limits }
    if (options.udp !== undefined && options.udp.length > 0) this.transports.push('udp')
    if (options.tcp !== undefined) this.transports.push('tcp')
    if (options.tls !== undefined) this.transports.push('tls')
    this.peers = createPeerMemory(timing)
    this.sentBys = createSentByRegister(flow => this.boundOf(flow))
    this.pool = createPool({
      timing,
      limits: this.limits,
      connectTimeoutMs,
      pingMs: options.pingMs,
      tlsFor: ({ profile }) => (profile === undefined ? (options.tlsClient ?? {}) : options.tlsProfiles?.(profile)),
      onMessage: (message, flow) => {
        if (onTrace !== undefined) this.trace('in', serializeMessage(message), flow)
        return this.take(message, flow)
      },
      onFault: (fault, flow) => {
        if (onTrace !== undefined) this.traceFault(fault, flow)
        this.report(fault, flow)
      },
      onKeepAlive: flow => this.heard(flow),
      onClosed: options.onClosed,
    })
    this.listening = {
      admission: createAdmission(this.limits),
      handshakeMs: connectTimeoutMs,
      onSocket: socket => this.pool.accept(socket),
      onRefused: () => {
        this.counters.connectionsRefused += 1
      },
      onHandshakeFailed: () => {
        this.counters.handshakesFailed += 1
      },
    }
  }

  private trace(direction: 'in' | 'out', bytes: Buffer, flow: SipFlow): void {
    this.onTrace?.(direction, bytes, flow, this.timing.now())
  }

  private traceFault({ message }: TransportFault, flow: SipFlow): void {
    try {
      if (message !== undefined) this.trace('in', serializeMessage(message), flow)
    } catch (error) {
      // What is wrong with it may be that it cannot be spelt.
      if (!(error instanceof RangeError)) throw error
    }
  }

  private heard(flow: SipFlow): void {
    this.counters.keepAlives += 1
    this.options.onKeepAlive?.(flow)
  }

  /** A message that was framed: marks its source and hands it on. False when it was of no use. */
  private take(message: SipMessage, flow: SipFlow): boolean {
    const marked = message.kind === 'request' ? withReceived(message, flow.remote) : message
    const core = readCore(marked)
    if (isFault(core)) return this.report(core, flow)
    if (marked.kind === 'response' && this.checkSentBy && !this.sentBys.isOurs(core.via, flow)) {
      const detail = `the response is for ${formatVia({ ...core.via, params: [] })}, which we are not`
      return this.report(createFault('refused', detail, { header: 'Via', message: marked }), flow)
    }
    if (marked.kind === 'request' && flow.isInbound && flow.reliable) {
      this.pool.noteSentPort(flow, core.via.port || defaultPort(flow.transport))
    }
    this.counters.messagesIn += 1
    this.onMessage(marked, core, flow)
    return true
  }

  private report(fault: TransportFault, flow: SipFlow): false {
    this.counters.faults += 1
    if (!flow.reliable && !this.mayReport()) {
      this.counters.faultsDropped += 1
      return false
    }
    const { message } = fault
    // The answer goes by the Via, so that has to be marked all the same.
    const marked = message?.kind === 'request' ? withReceived(message, flow.remote) : message
    this.options.onFault(marked === message ? fault : { ...fault, message: marked }, flow)
    return false
  }

  /** Anybody can send us garbage with anybody's address on it: answering it all would make us a part of an attack. */
  private mayReport(): boolean {
    const second = Math.floor(this.timing.now() / 1000)
    if (second !== this.faultSecond) this.faultsInSecond = 0
    this.faultSecond = second
    this.faultsInSecond += 1
    return this.faultsInSecond <= this.limits.maxDatagramFaults
  }

  private onDatagram(local: Endpoint, bytes: Buffer, source: Endpoint): void {
    const flow = this.datagramFlow(local, source, true)
    // STUN (RFC 5626 §4.4.2), whose first octet is 0 or 1, is not offered; it is no fault either.
    if (bytes.length === 0 || bytes[0]! < 2 || isKeepAlive(bytes)) return void this.heard(flow)
    const message = parseMessage(bytes, this.limits)
    if (this.onTrace !== undefined) this.trace('in', bytes, flow)
    if (isFault(message)) this.report(message, flow)
    else this.take(message, flow)
  }

  private datagramFlow(local: Endpoint, remote: Endpoint, isInbound: boolean): SipFlow {
    const id = `udp/${formatEndpoint(local)}/${formatEndpoint(remote)}`
    return { id, transport: 'udp', reliable: false, secure: false, isInbound, remote, local }
  }

  private udpPortOf({ local }: SipFlow): Port<UdpPort> | undefined {
    return (
      this.udpPorts.find(({ address, port }) => port === local.port && address === local.address) ??
      this.udpPorts.find(
        ({ address, port }) => port === local.port && isWildcard(address) && isIP(address) === isIP(local.address),
      )
    )
  }

  private boundOf(flow: SipFlow): Bound | undefined {
    if (flow.transport === 'udp') return this.udpPortOf(flow)
    const ports = this.streamPorts.filter(({ transport }) => transport === flow.transport)
    const isItsOwn = ({ address, port }: Endpoint) =>
      port === flow.local.port && (isWildcard(address) || address === flow.local.address)
    return (flow.isInbound ? ports.find(isItsOwn) : undefined) ?? pickBound(ports, flow.remote.address)
  }

  /** Done once, and counted. */
  private counted(done: Done): Done {
    return error => {
      if (error === undefined) this.counters.messagesOut += 1
      else this.counters.sendsFailed += 1
      done(error)
    }
  }

  send(message: SipMessage, to: SipFlow | Target, done: Done = ignore): boolean {
    const bytes = serializeMessage(message)
    const finish = this.counted(done)
    if (!('id' in to)) return this.sendLater(bytes, this.flowTo(to), finish)
    const via = message.kind === 'response' ? topVia(message) : undefined
    const target = via === undefined ? undefined : responseTarget({ via }, to)
    if (to.transport === 'udp') return this.sendDatagram(bytes, to, target ?? to.remote, finish)
    const connection = this.pool.find(to.id)
    if (target !== undefined && !connection?.isOpen && !this.isClosed) {
      return this.sendLater(bytes, this.flowTo(target, { reuseInbound: true }), finish)
    }
    if (connection !== undefined) return this.sendOn(connection, bytes, finish)
    const text = `${to.transport} ${formatEndpoint(to.remote)}: the connection is closed`
    queueMicrotask(() => finish(transportError('flow_closed', text)))
    return false
  }

  private sendOn(connection: Connection, bytes: Buffer, done: Done): boolean {
    if (connection.isOpen) this.trace('out', bytes, connection.flow)
    return connection.send(bytes, done)
  }

  private sendDatagram(bytes: Buffer, flow: SipFlow, to: Endpoint, done: Done): boolean {
    const port = this.udpPortOf(flow)
    if (port === undefined) {
      queueMicrotask(() => done(this.noSocket('udp', to.address)))
      return false
    }
    this.trace('out', bytes, flow)
    port.socket.send(bytes, to, done)
    return true
  }

  private sendLater(bytes: Buffer, opened: Promise<SipFlow>, done: Done): boolean {
    opened.then(
      flow => {
        const connection = this.pool.find(flow.id)
        if (flow.transport === 'udp') this.sendDatagram(bytes, flow, flow.remote, done)
        else if (connection !== undefined) this.sendOn(connection, bytes, done)
        else done(transportError('flow_closed', `${flow.id}: the connection is closed`))
      },
      // A rejection of another kind is an error of the program, which must not be hidden as one of the network.
      error => {
        if (!isTransportError(error)) throw error
        done(error)
      },
    )
    return true
  }

  private noSocket(transport: TransportName, address: string): TransportError {
    const family = isIP(address) === 6 ? 'IPv6' : 'IPv4'
    const text = `${transport} ${address}: no port for ${transport.toUpperCase()} over ${family} is open here`
    return transportError('no_socket', text)
  }

  async flowTo(target: Target, { octets = 0, reuseInbound = false }: FlowOptions = {}): Promise<SipFlow> {
    if (this.isClosed) throw transportError('closed', 'the transport was closed')
    if (isIP(target.address) === 0) {
      throw transportError('unsupported', `${target.address} is not an IP address; ask locate for one`)
    }
    if (!(target.port >= 1 && target.port <= 65_535)) {
      throw transportError('unsupported', `${formatEndpoint(target)}: the port must be 1 to 65535`)
    }
    const sized = targetForSize(target, octets)
    if (sized !== target && this.transports.includes('tcp') && !this.peers.lacksTcp(target)) {
      try {
        return await this.streamFlow(sized, reuseInbound)
      } catch (error) {
        // §18.1.1: a peer without TCP gets it over UDP after all.
        if (!isTransportError(error) || this.isClosed) throw error
        this.peers.noteWithoutTcp(target)
      }
    }
    return target.transport === 'udp' ? this.udpFlow(target) : this.streamFlow(target, reuseInbound)
  }

  private async streamFlow(target: Target, reuseInbound: boolean | 'source'): Promise<SipFlow> {
    const { transport, address } = target
    if (!this.transports.includes(transport)) throw this.noSocket(transport, address)
    const from = pickBound(
      this.streamPorts.filter(port => port.transport === transport),
      address,
    )
    const hasAddress = from !== undefined && !isWildcard(from.address) && isIP(from.address) === isIP(address)
    return (await this.pool.open(target, hasAddress ? from.address : undefined, reuseInbound)).flow
  }

  private async udpFlow({ address, port }: Target): Promise<SipFlow> {
    const from = pickBound(this.udpPorts, address)
    if (from === undefined) throw this.noSocket('udp', address)
    const remote = { address, port }
    const own = isWildcard(from.address) ? await this.peers.ownAddressTo(address) : undefined
    return this.datagramFlow({ address: own ?? from.address, port: from.port }, remote, false)
  }

  private async openUdp(binding: Binding): Promise<void> {
    const receiveBuffer = this.options.receiveBuffer ?? 4_194_304
    const socket = await openUdpPort(binding, receiveBuffer, (bytes, source) =>
      this.onDatagram(socket.local, bytes, source),
    )
    this.udpPorts.push({ ...socket.local, transport: 'udp', advertise: binding.advertise, socket })
  }

  private async openStream(transport: 'tcp' | 'tls', binding: Binding, tls?: TlsServerOptions): Promise<void> {
    const socket = await openStreamPort(binding, tls, this.listening)
    this.streamPorts.push({ ...socket.local, transport, advertise: binding.advertise, socket })
    if (tls !== undefined) this.tlsPorts.push(socket)
  }

  close(): Promise<void> {
    this.closing ??= this.closeAll()
    return this.closing
  }

  private async closeAll(): Promise<void> {
    this.isClosed = true
    // Connections first, for what waits to be written; the ports cut only what is left.
    const ports = this.streamPorts.map(({ socket }) => socket)
    for (const port of ports) port.stop()
    await this.pool.close()
    await Promise.all([...ports, ...this.udpPorts.map(({ socket }) => socket)].map(port => port.close()))
  }

  /** Opens the ports. Rejects with `address_in_use` or `bind_failed`, and then nothing is left open. */
  async listen(): Promise<void> {
    try {
      for (const binding of this.options.udp ?? []) await this.openUdp(binding)
      for (const binding of this.options.tcp ?? []) await this.openStream('tcp', binding)
      for (const binding of this.options.tls ?? []) await this.openStream('tls', binding, binding)
    } catch (error) {
      await this.close()
      throw error
    }
  }

  get bound(): readonly Bound[] {
    return [...this.udpPorts, ...this.streamPorts].map(({ socket: _, ...bound }) => bound)
  }

  flow(id: string): SipFlow | undefined {
    return this.pool.find(id)?.flow
  }

  sentBy(flow: SipFlow): SentBy {
    return this.sentBys.of(flow)
  }

  via(flow: SipFlow): Via {
    const { host, port } = this.sentBys.of(flow)
    const params = flow.transport === 'udp' ? [{ name: 'rport', value: undefined }] : []
    return { transport: flow.transport.toUpperCase(), host, port, params }
  }

  ping(flow: SipFlow, pongMs?: number): void {
    if (flow.transport !== 'udp') this.pool.find(flow.id)?.ping(pongMs)
    else this.udpPortOf(flow)?.socket.send(keepAlive, flow.remote, ignore)
  }

  retire(profile: string): SipFlow[] {
    return this.pool.retire(profile)
  }

  closeFlow(flow: SipFlow): void {
    this.pool.find(flow.id)?.end(transportError('closed', `${flow.id}: closed by us`))
  }

  renewTls(index: number, tls: TlsServerOptions): void {
    const port = this.tlsPorts[index]
    if (port === undefined) throw new RangeError(`there is no TLS port ${index}`)
    port.renew(tls)
  }

  get connections(): number {
    return this.pool.size
  }
}
