// A UDP port for SIP: datagrams in and out, and nothing of what they say. Also the rest of what is particular to sockets: why
// one cannot be bound, and which of the machine's addresses leads to a peer.
import type { Socket } from 'node:dgram'
import { createSocket } from 'node:dgram'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Endpoint } from '../rtp/latch.ts'
import type { Done } from './connection.ts'
import { isWildcard } from './route.ts'
import type { TransportError, TransportName } from './types.ts'
import { formatEndpoint, systemCode, transportError } from './types.ts'

export type UdpPort = {
  /** As bound; the port is never 0. */
  readonly local: Endpoint
  /** `done` is called once, and never from within. */
  send(bytes: Buffer, to: Endpoint, done: Done): void
  close(): Promise<void>
}

/** What one datagram can carry over IPv4; IPv6 has 20 more. */
const maxDatagram = 65_507

/** Rejects with `address_in_use` or `bind_failed`. `receiveBuffer`: octets asked of the system, which may give less. */
export async function openUdpPort(
  binding: Endpoint,
  receiveBuffer: number,
  onDatagram: (bytes: Buffer, source: Endpoint) => void,
): Promise<UdpPort> {
  const socket = await bindUdp(binding)
  try {
    socket.setRecvBufferSize(receiveBuffer)
  } catch {
    // What the system gives has to do.
  }
  const { address, port } = socket.address()
  const local = { address, port }
  let isClosed = false
  socket.on('message', (bytes, source) => {
    if (source.port !== 0 && !isClosed) onDatagram(bytes, { address: source.address, port: source.port })
  })
  // What a network says of one datagram is no reason to give up the port.
  socket.on('error', () => {})

  function send(bytes: Buffer, to: Endpoint, done: Done): void {
    const where = `udp ${formatEndpoint(to)}`
    const fail = (error: TransportError) => queueMicrotask(() => done(error))
    if (isClosed) return void fail(transportError('flow_closed', `${where}: the port is closed`))
    if (bytes.length > maxDatagram) {
      return void fail(
        transportError('too_large', `${where}: ${bytes.length} octets are too many for UDP; use TCP or TLS`),
      )
    }
    const sendFailed = (error: unknown) =>
      transportError('send_failed', `${where}: could not be sent to (${systemCode(error) ?? String(error)})`, error)
    try {
      socket.send(bytes, to.port, to.address, error => done(error ? sendFailed(error) : undefined))
    } catch (error) {
      // A port of 0, which somebody wrote into a message.
      fail(sendFailed(error))
    }
  }

  async function close(): Promise<void> {
    if (isClosed) return
    isClosed = true
    await new Promise<void>(resolve => socket.close(() => resolve()))
  }

  return { local, send, close }
}

function createUdpSocket(family: number): Socket {
  return createSocket({
    type: family === 6 ? 'udp6' : 'udp4',
    // An IPv4 peer at an IPv6 socket would have another spelling than in its messages.
    ipv6Only: family === 6,
    // Only addresses are sent to: asking the resolver would put every datagram off to a later turn of the loop.
    lookup: (host, _options, callback) => callback(null, host, family),
  })
}

function bindUdp({ address, port }: Endpoint): Promise<Socket> {
  const socket = createUdpSocket(checkedFamily('udp', address))
  return new Promise((resolve, reject) => {
    socket.once('error', error => {
      socket.close()
      reject(bindError('udp', { address, port }, error))
    })
    socket.bind({ address, port, exclusive: true }, () => {
      socket.removeAllListeners('error')
      resolve(socket)
    })
  })
}

/** 4 or 6; throws where an address to bind is none. */
export function checkedFamily(transport: TransportName, address: string): 4 | 6 {
  const family = isIP(address)
  if (family === 4 || family === 6) return family
  throw transportError('bind_failed', `${transport} ${address}: give an IP address to listen on, such as 0.0.0.0`)
}

export function bindError(transport: TransportName, binding: Endpoint, error: unknown): TransportError {
  const where = `${transport} ${formatEndpoint(binding)}`
  const code = systemCode(error)
  if (code === 'EADDRINUSE') {
    const text = `${where}: another program has this port; stop that program or choose another port`
    return transportError('address_in_use', text, error)
  }
  if (code === 'EADDRNOTAVAIL') {
    const text = `${where}: this machine has no such address; choose one of its own, or 0.0.0.0 for all`
    return transportError('bind_failed', text, error)
  }
  if (code === 'EACCES') {
    return transportError('bind_failed', `${where}: this user may not have the port; choose one above 1023`, error)
  }
  return transportError('bind_failed', `${where}: cannot be listened on (${code ?? String(error)})`, error)
}

/**
 * The address of this machine from which a peer would be reached, by the system's routes; undefined when there is no route.
 * Nothing is sent.
 */
export function localAddressTo(address: string): Promise<string | undefined> {
  const socket = createUdpSocket(isIP(address))
  return new Promise(resolve => {
    const finish = (found: string | undefined) => {
      socket.close()
      resolve(found === undefined || isWildcard(found) ? undefined : found)
    }
    socket.once('error', () => finish(undefined))
    socket.connect(9, address, () => finish(socket.address().address))
  })
}

/** The first address of the machine that others can reach, else its loopback. */
export function ownAddress(family: 4 | 6): string {
  for (const entries of Object.values(networkInterfaces())) {
    for (const entry of entries ?? []) {
      if (!entry.internal && entry.family === `IPv${family}` && !entry.address.startsWith('fe80:')) return entry.address
    }
  }
  return family === 4 ? '127.0.0.1' : '::1'
}
