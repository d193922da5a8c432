// One side of the RTP bench in a process of its own: `node rtp_child.ts engine|peer`. The peer sends back whatever comes, at
// once; the engine runs sessions of @tandem/sip, each of which plays what it hears. Both stamp every packet of sound.
import type { Socket } from 'node:dgram'
import { createSocket } from 'node:dgram'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { startFrameClock } from '../packages/sip/src/rtp/clock.ts'
import { createSrtpContext } from '../packages/sip/src/rtp/srtp.ts'
import type { RunningSession } from '../packages/sip/src/rtp/udp.ts'
import { openRtpPorts, runRtpSession } from '../packages/sip/src/rtp/udp.ts'
import type { LatencyUs } from './histogram.ts'
import { createHistogram, record, summarize } from './histogram.ts'
import type { BrowserEngine } from './rtp_browser_engine.ts'
import type { BrowserPeer } from './rtp_browser_peer.ts'

/** `floor`: sockets that do nothing but send at the beat and count, as the least that this machine asks for a stream. */
export type RtpOrder =
  | { peer: number }
  | { engine: number[]; isSecure: boolean }
  | { floor: number[] }
  /** Browsers: the peer makes offers, the engine answers them, the peer takes the answers; the engine begins when all are connected. */
  | { offer: number }
  | { answer: string[] }
  | { connect: string[] }
  | 'begin'
  | 'mark'
  | 'report'
  | 'stop'

/**
 * `pacing`: how far the time between two datagrams of a stream was from 20 ms, in µs. `loopDelay`: how late timers of 1 ms were
 * in this process, which is in its stamps too.
 */
export type RtpFigures = {
  /** Sent and received by the sessions. */
  packets: number
  cpuUs: number
  wallMs: number
  rssBytes: number
  pacing: LatencyUs
  loopDelay: { p99: number; max: number }
}

/** Since the first datagram. `skipped`: frames the clock left out; `concealed`: frames that did not come in time. */
export type RtpTotals = { sent: number; received: number; skipped: number; concealed: number; failures: number }

const frameMs = 20
let pacing = createHistogram()
const loopDelay = monitorEventLoopDelay({ resolution: 1 })
let marked = { packets: 0, cpuUs: 0, wallMs: 0 }

/** Stamps the datagrams of one stream; those before the mark only begin its first interval. */
function createStamp(): () => void {
  let lastMs = 0
  return () => {
    const nowMs = performance.now()
    if (lastMs > 0) record(pacing, Math.abs(nowMs - lastMs - frameMs) * 1000)
    lastMs = nowMs
  }
}

function now() {
  const { user, system } = process.cpuUsage()
  const counts = sessions.map(session => session.statistics())
  const packets = counts.reduce((sum, { sent, received }) => sum + sent.packets + received.packets, 0)
  const bare = totals.sent + totals.received
  return { packets: packets + bare, cpuUs: user + system, wallMs: performance.now() }
}

function mark(): void {
  pacing = createHistogram()
  loopDelay.reset()
  loopDelay.enable()
  marked = now()
}

function report(): RtpFigures {
  const { packets, cpuUs, wallMs } = now()
  return {
    packets: packets - marked.packets,
    cpuUs: cpuUs - marked.cpuUs,
    wallMs: wallMs - marked.wallMs,
    rssBytes: process.memoryUsage.rss(),
    pacing: summarize(pacing),
    loopDelay: { p99: loopDelay.percentile(99) / 1000, max: loopDelay.max / 1000 },
  }
}

const totals: RtpTotals = { sent: 0, received: 0, skipped: 0, concealed: 0, failures: 0 }

/** Like the sockets of sessions, which ask no resolver either. */
async function openSocket(): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', lookup: (host, _options, callback) => callback(null, host, 4) })
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve))
  return socket
}

/** A socket for each stream, as phones have; gives their ports. */
async function startPeer(streams: number): Promise<number[]> {
  const sockets: Socket[] = []
  for (let i = 0; i < streams; i++) {
    const socket = await openSocket()
    const stamp = createStamp()
    socket.on('message', (bytes, { port, address }) => {
      stamp()
      totals.received += 1
      totals.sent += 1
      socket.send(bytes, 0, bytes.length, port, address)
    })
    sockets.push(socket)
  }
  return sockets.map(socket => socket.address().port)
}

const random = Math.random
const clock = startFrameClock()
const sessions: RunningSession[] = []
const browserTools = { counts: totals, createStamp }
let browserEngine: BrowserEngine | undefined
let browserPeer: BrowserPeer | undefined

/** Loaded when there are browsers: the other loads do without the library's memory and threads. */
async function loadBrowserEngine(): Promise<BrowserEngine> {
  const { createBrowserEngine } = await import('./rtp_browser_engine.ts')
  browserEngine ??= createBrowserEngine(clock, browserTools)
  return browserEngine
}

async function loadBrowserPeer(): Promise<BrowserPeer> {
  const { createBrowserPeer } = await import('./rtp_browser_peer.ts')
  browserPeer ??= createBrowserPeer(browserTools)
  return browserPeer
}

async function startEngine(ports: number[], isSecure: boolean): Promise<void> {
  for (const port of ports) {
    const own = await openRtpPorts({ address: '127.0.0.1', minPort: 10_000, maxPort: 29_999, random })
    const stamp = createStamp()
    const stamped = {
      ...own,
      send: (...[bytes, to, from]: Parameters<typeof own.send>) => {
        own.send(bytes, to, from)
        if (from === 'rtp') stamp()
      },
    }
    const session = runRtpSession(stamped, clock, {
      agreement: { remote: { address: '127.0.0.1', port }, law: 'PCMU', srtp: isSecure ? echoKeys() : null },
      cname: 'bench',
      wallMs: Date.now(),
      random,
    })
    session.setSource(into => {
      session.read(into)
      return true
    })
    sessions.push(session)
  }
}

async function startFloor(ports: number[]): Promise<void> {
  for (const port of ports) {
    const socket = await openSocket()
    const stamp = createStamp()
    socket.on('message', () => {
      totals.received += 1
    })
    clock.add(() => {
      socket.send(Buffer.allocUnsafe(172), port, '127.0.0.1')
      totals.sent += 1
      stamp()
    })
  }
}

/** What comes back was protected by ourselves, so both directions have one key. */
function echoKeys() {
  const keys = {
    suite: 'AES_CM_128_HMAC_SHA1_80',
    masterKey: Buffer.alloc(16, 7),
    masterSalt: Buffer.alloc(14),
  } as const
  return { send: createSrtpContext(keys), receive: createSrtpContext(keys) }
}

/** Stops sending and waits until nothing comes any more. */
async function stopEngine(): Promise<void> {
  totals.skipped = clock.skipped
  clock.stop()
  const receivedOf = () =>
    sessions.reduce((sum, session) => sum + session.statistics().received.packets, totals.received)
  for (let before = -1; before < receivedOf(); ) {
    before = receivedOf()
    await new Promise(resolve => setTimeout(resolve, 300))
  }
  for (const session of sessions) {
    const { sent, received, buffer } = session.statistics()
    totals.sent += sent.packets
    totals.received += received.packets
    totals.concealed += buffer.concealedFrames
    totals.failures += session.ports.failures()
  }
}

async function obey(order: RtpOrder): Promise<unknown> {
  if (order === 'mark') return mark()
  if (order === 'report') return report()
  if (order === 'stop') {
    if (clock.streams > 0) await stopEngine()
    return totals
  }
  if (order === 'begin') return browserEngine?.begin()
  if ('offer' in order) return (await loadBrowserPeer()).offer(order.offer)
  if ('answer' in order) return (await loadBrowserEngine()).answer(order.answer)
  if ('connect' in order) return (await loadBrowserPeer()).connect(order.connect)
  if ('peer' in order) return startPeer(order.peer)
  return 'floor' in order ? startFloor(order.floor) : startEngine(order.engine, order.isSecure)
}

process.on('disconnect', () => process.exit())
process.on('message', (order: RtpOrder) => {
  obey(order).then(
    answer => process.send?.(answer ?? 'done'),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.send?.('ready')
