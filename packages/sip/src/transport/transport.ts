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
import { createPool } from './pool.ts'
import { isWildcard, responseTarget, targetForSize, topVia } from './route.ts'
import type { TlsServerOptions } from './tls.ts'
import type { FullLimits, SipFlow, Target, TransportError, TransportFault, TransportName } from './types.ts'
import { defaultPort, defaultTransportLimits, formatEndpoint, isTransportError, transportError } from './types.ts'
import type { UdpPort } from './udp.ts'
import { localAddressTo, openUdpPort } from './udp.ts'

type Port<Socket> = Bound & { readonly socket: Socket }

const keepAlive = Buffer.from('\r\n\r\n')
const ignore: Done = () => {}
/** Peers of which something is remembered. */
const maxPeers = 1_000
/** How long a peer that could not be reached over TCP gets its large requests over UDP at once. */
const withoutTcpMs = 600_000

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > maxPeers) map.delete(map.keys().next().value!)
}

/** Rejects with `address_in_use` or `bind_failed`, and then nothing is left open. */
export async function openSipTransport(options: SipTransportOptions): Promise<SipTransport> {
  const { onMessage, onTrace, timing = systemTiming, connectTimeoutMs = 5_000, checkSentBy = true } = options
  const limits: FullLimits = { ...defaultTransportLimits, ...options.limits }
  const counters: TransportCounters = {
    messagesIn: 0,
    messagesOut: 0,
    faults: 0,
    faultsDropped: 0,
    keepAlives: 0,
    connectionsRefused: 0,
    handshakesFailed: 0,
    sendsFailed: 0,
  }
  const udpPorts: Port<UdpPort>[] = []
  const streamPorts: Port<StreamPort>[] = []
  const tlsPorts: StreamPort[] = []
  const transports: TransportName[] = []
  if (options.udp !== undefined && options.udp.length > 0) transports.push('udp')
  if (options.tcp !== undefined) transports.push('tcp')
  if (options.tls !== undefined) transports.push('tls')
  const sentBys = createSentByRegister(boundOf)
  const routes = new Map<string, { own: string; untilMs: number }>()
  const withoutTcp = new Map<string, number>()
  let faultSecond = 0
  let faultsInSecond = 0
  let isClosed = false
  let closing: Promise<void> | undefined

  const pool = createPool({
    timing,
    limits,
    connectTimeoutMs,
    pingMs: options.pingMs,
    tlsFor: ({ profile }) => (profile === undefined ? (options.tlsClient ?? {}) : options.tlsProfiles?.(profile)),
    onMessage(message, flow) {
      if (onTrace !== undefined) trace('in', serializeMessage(message), flow)
      return take(message, flow)
    },
    onFault(fault, flow) {
      if (onTrace !== undefined) traceFault(fault, flow)
      tell(fault, flow)
    },
    onKeepAlive: heard,
    onClosed: options.onClosed,
  })

  function trace(direction: 'in' | 'out', bytes: Buffer, flow: SipFlow): void {
    onTrace?.(direction, bytes, flow, timing.now())
  }

  function traceFault({ message }: TransportFault, flow: SipFlow): void {
    try {
      if (message !== undefined) trace('in', serializeMessage(message), flow)
    } catch (error) {
      // What is wrong with it may be that it cannot be spelt.
      if (!(error instanceof RangeError)) throw error
    }
  }

  function heard(flow: SipFlow): void {
    counters.keepAlives += 1
    options.onKeepAlive?.(flow)
  }

  /** A message that was framed: marks its source and hands it on. False when it was of no use. */
  function take(message: SipMessage, flow: SipFlow): boolean {
    const marked = message.kind === 'request' ? withReceived(message, flow.remote) : message
    const core = readCore(marked)
    if (isFault(core)) return tell(core, flow)
    if (marked.kind === 'response' && checkSentBy && !sentBys.isOurs(core.via, flow)) {
      const detail = `the response is for ${formatVia({ ...core.via, params: [] })}, which we are not`
      return tell(createFault('refused', detail, { header: 'Via', message: marked }), flow)
    }
    if (marked.kind === 'request' && flow.isInbound && flow.reliable) {
      pool.noteSentPort(flow, core.via.port || defaultPort(flow.transport))
    }
    counters.messagesIn += 1
    onMessage(marked, core, flow)
    return true
  }

  function tell(fault: TransportFault, flow: SipFlow): false {
    counters.faults += 1
    if (!flow.reliable && !mayTell()) {
      counters.faultsDropped += 1
      return false
    }
    const { message } = fault
    // The answer goes by the Via, so that has to be marked all the same.
    const marked = message?.kind === 'request' ? withReceived(message, flow.remote) : message
    options.onFault(marked === message ? fault : { ...fault, message: marked }, flow)
    return false
  }

  /** Anybody can send us garbage with anybody's address on it: answering it all would make us a part of an attack. */
  function mayTell(): boolean {
    const second = Math.floor(timing.now() / 1000)
    if (second !== faultSecond) faultsInSecond = 0
    faultSecond = second
    faultsInSecond += 1
    return faultsInSecond <= limits.maxDatagramFaults
  }

  function onDatagram(local: Endpoint, bytes: Buffer, source: Endpoint): void {
    const flow = datagramFlow(local, source, true)
    // STUN (RFC 5626 §4.4.2), whose first octet is 0 or 1, is not offered; it is no fault either.
    if (bytes.length === 0 || bytes[0]! < 2 || isKeepAlive(bytes)) return void heard(flow)
    const message = parseMessage(bytes, limits)
    if (onTrace !== undefined) trace('in', bytes, flow)
    if (isFault(message)) tell(message, flow)
    else take(message, flow)
  }

  function datagramFlow(local: Endpoint, remote: Endpoint, isInbound: boolean): SipFlow {
    const id = `udp/${formatEndpoint(local)}/${formatEndpoint(remote)}`
    return { id, transport: 'udp', reliable: false, secure: false, isInbound, remote, local }
  }

  function udpPortOf({ local }: SipFlow): Port<UdpPort> | undefined {
    return (
      udpPorts.find(({ address, port }) => port === local.port && address === local.address) ??
      udpPorts.find(
        ({ address, port }) => port === local.port && isWildcard(address) && isIP(address) === isIP(local.address),
      )
    )
  }

  function boundOf(flow: SipFlow): Bound | undefined {
    if (flow.transport === 'udp') return udpPortOf(flow)
    const ports = streamPorts.filter(({ transport }) => transport === flow.transport)
    const isItsOwn = ({ address, port }: Endpoint) =>
      port === flow.local.port && (isWildcard(address) || address === flow.local.address)
    return (flow.isInbound ? ports.find(isItsOwn) : undefined) ?? pickBound(ports, flow.remote.address)
  }

  /** Done once, and counted. */
  function counted(done: Done): Done {
    return error => {
      if (error === undefined) counters.messagesOut += 1
      else counters.sendsFailed += 1
      done(error)
    }
  }

  function send(message: SipMessage, to: SipFlow | Target, done: Done = ignore): boolean {
    const bytes = serializeMessage(message)
    const finish = counted(done)
    if (!('id' in to)) return sendLater(bytes, flowTo(to), finish)
    const via = message.kind === 'response' ? topVia(message) : undefined
    const target = via === undefined ? undefined : responseTarget({ via }, to)
    if (to.transport === 'udp') return sendDatagram(bytes, to, target ?? to.remote, finish)
    const connection = pool.find(to.id)
    if (target !== undefined && !connection?.isOpen && !isClosed) {
      return sendLater(bytes, flowTo(target, { reuseInbound: true }), finish)
    }
    if (connection !== undefined) return sendOn(connection, bytes, finish)
    const text = `${to.transport} ${formatEndpoint(to.remote)}: the connection is closed`
    queueMicrotask(() => finish(transportError('flow_closed', text)))
    return false
  }

  function sendOn(connection: Connection, bytes: Buffer, done: Done): boolean {
    if (connection.isOpen) trace('out', bytes, connection.flow)
    return connection.send(bytes, done)
  }

  function sendDatagram(bytes: Buffer, flow: SipFlow, to: Endpoint, done: Done): boolean {
    const port = udpPortOf(flow)
    if (port === undefined) {
      queueMicrotask(() => done(noSocket('udp', to.address)))
      return false
    }
    trace('out', bytes, flow)
    port.socket.send(bytes, to, done)
    return true
  }

  function sendLater(bytes: Buffer, opened: Promise<SipFlow>, done: Done): boolean {
    opened.then(
      flow => {
        const connection = pool.find(flow.id)
        if (flow.transport === 'udp') sendDatagram(bytes, flow, flow.remote, done)
        else if (connection !== undefined) sendOn(connection, bytes, done)
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

  function noSocket(transport: TransportName, address: string): TransportError {
    const family = isIP(address) === 6 ? 'IPv6' : 'IPv4'
    const text = `${transport} ${address}: no port for ${transport.toUpperCase()} over ${family} is open here`
    return transportError('no_socket', text)
  }

  async function flowTo(target: Target, { octets = 0, reuseInbound = false }: FlowOptions = {}): Promise<SipFlow> {
    if (isClosed) throw transportError('closed', 'the transport was closed')
    if (isIP(target.address) === 0) {
      throw transportError('unsupported', `${target.address} is not an IP address; ask locate for one`)
    }
    if (!(target.port >= 1 && target.port <= 65_535)) {
      throw transportError('unsupported', `${formatEndpoint(target)}: the port must be 1 to 65535`)
    }
    const sized = targetForSize(target, octets)
    if (sized !== target && transports.includes('tcp') && !lacksTcp(target)) {
      try {
        return await streamFlow(sized, reuseInbound)
      } catch (error) {
        // §18.1.1: a peer without TCP gets it over UDP after all.
        if (!isTransportError(error) || isClosed) throw error
        remember(withoutTcp, formatEndpoint(target), timing.now() + withoutTcpMs)
      }
    }
    return target.transport === 'udp' ? udpFlow(target) : streamFlow(target, reuseInbound)
  }

  /** Behind a firewall that swallows TCP every large request would wait for the connection in vain. */
  function lacksTcp(target: Target): boolean {
    return (withoutTcp.get(formatEndpoint(target)) ?? Number.NEGATIVE_INFINITY) > timing.now()
  }

  async function streamFlow(target: Target, reuseInbound: boolean | 'source'): Promise<SipFlow> {
    const { transport, address } = target
    if (!transports.includes(transport)) throw noSocket(transport, address)
    const from = pickBound(
      streamPorts.filter(port => port.transport === transport),
      address,
    )
    const hasAddress = from !== undefined && !isWildcard(from.address) && isIP(from.address) === isIP(address)
    return (await pool.open(target, hasAddress ? from.address : undefined, reuseInbound)).flow
  }

  async function udpFlow({ address, port }: Target): Promise<SipFlow> {
    const from = pickBound(udpPorts, address)
    if (from === undefined) throw noSocket('udp', address)
    const remote = { address, port }
    const own = isWildcard(from.address) ? await routeTo(address) : undefined
    return datagramFlow({ address: own ?? from.address, port: from.port }, remote, false)
  }

  /** Asked anew after a minute: machines get other addresses. */
  async function routeTo(address: string): Promise<string | undefined> {
    const known = routes.get(address)
    if (known !== undefined && known.untilMs > timing.now()) return known.own
    const own = await localAddressTo(address)
    if (own === undefined) return undefined
    remember(routes, address, { own, untilMs: timing.now() + 60_000 })
    return own
  }

  async function openUdp(binding: Binding): Promise<void> {
    const receiveBuffer = options.receiveBuffer ?? 4_194_304
    const socket = await openUdpPort(binding, receiveBuffer, (bytes, source) => onDatagram(socket.local, bytes, source))
    udpPorts.push({ ...socket.local, transport: 'udp', advertise: binding.advertise, socket })
  }

  const listening: ListenHandlers = {
    admission: createAdmission(limits),
    handshakeMs: connectTimeoutMs,
    onSocket: pool.accept,
    onRefused() {
      counters.connectionsRefused += 1
    },
    onHandshakeFailed() {
      counters.handshakesFailed += 1
    },
  }

  async function openStream(transport: 'tcp' | 'tls', binding: Binding, tls?: TlsServerOptions): Promise<void> {
    const socket = await openStreamPort(binding, tls, listening)
    streamPorts.push({ ...socket.local, transport, advertise: binding.advertise, socket })
    if (tls !== undefined) tlsPorts.push(socket)
  }

  function close(): Promise<void> {
    closing ??= closeAll()
    return closing
  }

  async function closeAll(): Promise<void> {
    isClosed = true
    // Connections first, for what waits to be written; the ports cut only what is left.
    const ports = streamPorts.map(({ socket }) => socket)
    for (const port of ports) port.stop()
    await pool.close()
    await Promise.all([...ports, ...udpPorts.map(({ socket }) => socket)].map(port => port.close()))
  }

  try {
    for (const binding of options.udp ?? []) await openUdp(binding)
    for (const binding of options.tcp ?? []) await openStream('tcp', binding)
    for (const binding of options.tls ?? []) await openStream('tls', binding, binding)
  } catch (error) {
    await close()
    throw error
  }

  return {
    bound: [...udpPorts, ...streamPorts].map(({ socket: _, ...bound }) => bound),
    transports,
    send,
    flowTo,
    flow: id => pool.find(id)?.flow,
    sentBy: sentBys.of,
    via(flow): Via {
      const { host, port } = sentBys.of(flow)
      const params = flow.transport === 'udp' ? [{ name: 'rport', value: undefined }] : []
      return { transport: flow.transport.toUpperCase(), host, port, params }
    },
    ping(flow, pongMs) {
      if (flow.transport !== 'udp') pool.find(flow.id)?.ping(pongMs)
      else udpPortOf(flow)?.socket.send(keepAlive, flow.remote, ignore)
    },
    retire: pool.retire,
    closeFlow(flow) {
      pool.find(flow.id)?.end(transportError('closed', `${flow.id}: closed by us`))
    },
    renewTls(index, tls) {
      const port = tlsPorts[index]
      if (port === undefined) throw new RangeError(`there is no TLS port ${index}`)
      port.renew(tls)
    },
    get connections() {
      return pool.size
    },
    counters,
    close,
  }
}
