// The sockets of a session: an even port for RTP and the next one for RTCP (RFC 3550 §11), or one for both (RFC 5761), from a
// range of ports. Here alone is the network; everything that is said over it is decided elsewhere.
import type { Socket } from 'node:dgram'
import { createSocket } from 'node:dgram'
import { isIP } from 'node:net'
import type { RunningClock, Timing } from './clock.ts'
import { systemTiming } from './clock.ts'
import type { Endpoint } from './latch.ts'
import { createRtpSession } from './session.ts'
import type { RtpSession, RtpSessionOptions } from './session_api.ts'

export type PortOptions = {
  /** The address to bind, IPv4 or IPv6; not a name. */
  address: string
  /** Inclusive; default 10,000 to 59,999. */
  minPort?: number
  maxPort?: number
  /** One port for RTP and RTCP; default false. */
  rtcpMux?: boolean
  /** 0 to below 1: where in the range the search begins. */
  random: () => number
}

export type RtpPorts = {
  readonly address: string
  readonly port: number
  /** The same as `port` with `rtcpMux`. */
  readonly rtcpPort: number
  onDatagram(handler: (bytes: Buffer, source: Endpoint, port: 'rtp' | 'rtcp') => void): void
  /** Does nothing once the ports are closed. */
  send(bytes: Buffer, to: Endpoint, from: 'rtp' | 'rtcp'): void
  close(): Promise<void>
  /** Datagrams that could not be sent: no port, another family of addresses. */
  failures(): number
}

/** A range in which no port was free; `code` is `ports_in_use`. */
export type PortsError = Error & { code: 'ports_in_use' }

const busy = new Set(['EADDRINUSE', 'EACCES'])

/** Binds the first free pair (or port) of the range, from a random place on. Rejects with PortsError when none is free. */
export async function openRtpPorts(options: PortOptions): Promise<RtpPorts> {
  const { address, minPort = 10_000, maxPort = 59_999, rtcpMux = false, random } = options
  if (isIP(address) === 0) throw new RangeError(`address: ${address} is not an IP address`)
  const first = minPort + (minPort % 2)
  const count = Math.floor((maxPort - (rtcpMux ? 0 : 1) - first) / 2) + 1
  if (!(count >= 1)) throw new RangeError(`maxPort: ${maxPort} leaves no even port from ${minPort} on`)
  const start = Math.floor(random() * count)
  for (let i = 0; i < count; i++) {
    const port = first + 2 * ((start + i) % count)
    const sockets = await bindAll(address, rtcpMux ? [port] : [port, port + 1])
    if (sockets !== null) return portsOf(address, port, sockets)
  }
  const message = `no free ${rtcpMux ? 'port' : 'pair of ports'} of ${minPort} to ${maxPort} at ${address}`
  throw Object.assign(new Error(message), { code: 'ports_in_use' as const })
}

async function bindAll(address: string, ports: number[]): Promise<Socket[] | null> {
  const sockets: Socket[] = []
  try {
    for (const port of ports) sockets.push(await bind(address, port))
    return sockets
  } catch (error) {
    for (const socket of sockets) socket.close()
    if (busy.has((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}

function bind(address: string, port: number): Promise<Socket> {
  const family = isIP(address)
  const socket = createSocket({
    type: family === 6 ? 'udp6' : 'udp4',
    // An IPv4 peer at an IPv6 socket would have another spelling than in its SDP.
    ipv6Only: family === 6,
    // Only addresses are sent to: asking the resolver would put every datagram off to a later turn of the loop.
    lookup: (host, _options, callback) => callback(null, host, family),
  })
  return new Promise((resolve, reject) => {
    socket.once('error', error => {
      socket.close()
      reject(error)
    })
    socket.bind({ address, port, exclusive: true }, () => {
      socket.removeAllListeners('error')
      resolve(socket)
    })
  })
}

function portsOf(address: string, port: number, sockets: Socket[]): RtpPorts {
  const [rtp, rtcp = rtp] = sockets as [Socket, Socket?]
  let isClosed = false
  let failures = 0
  // Unreachable networks and full buffers are loss like any other, which RTCP reports; nobody is notified of each datagram, since
  // a callback would cost a turn of the queue for every one.
  for (const socket of sockets) {
    socket.on('error', () => {
      failures += 1
    })
  }

  function send(bytes: Buffer, to: Endpoint, from: 'rtp' | 'rtcp'): void {
    if (isClosed) return
    try {
      const socket = from === 'rtp' ? rtp : rtcp
      socket.send(bytes, to.port, to.address)
    } catch {
      // A port of zero or an address of the other family: signalled so by the peer.
      failures += 1
    }
  }

  return {
    address,
    port,
    rtcpPort: rtcp === rtp ? port : port + 1,
    onDatagram(handler) {
      rtp.on('message', (bytes, source) => handler(bytes, source, 'rtp'))
      if (rtcp !== rtp) rtcp.on('message', (bytes, source) => handler(bytes, source, 'rtcp'))
    },
    send,
    async close() {
      if (isClosed) return
      isClosed = true
      await Promise.all(sockets.map(socket => new Promise<void>(resolve => socket.close(() => resolve()))))
    },
    failures: () => failures,
  }
}

export type RunningSession = RtpSession & {
  readonly ports: RtpPorts
  /** Says goodbye, leaves the clock and closes the ports. */
  close(): Promise<void>
}

/** A session at ports that are open, sending at the beat of a clock. */
export function runRtpSession(
  ports: RtpPorts,
  clock: RunningClock,
  options: Omit<RtpSessionOptions, 'send' | 'nowMs'>,
  timing: Timing = systemTiming,
): RunningSession {
  const session = createRtpSession({ ...options, send: ports.send, nowMs: timing.now() })
  ports.onDatagram((bytes, source, port) => session.receive(bytes, source, port, timing.now()))
  const removeFromClock = clock.add((_dueMs, skipped) => session.frame(timing.now(), skipped))
  async function close(): Promise<void> {
    removeFromClock()
    session.leave(timing.now())
    await ports.close()
  }
  return Object.assign(session, { ports, close })
}
