// The one way out: every request to an address that a customer named goes through here. The name is resolved and checked
// (resolve.ts), and exactly the addresses that were checked are dialled, with the name in SNI and Host; redirects are not
// followed, no proxy of the environment is used, nothing is unpacked. What goes wrong is reported in one of a few words that
// say nothing of our network.
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { Agent, type buildConnector, type Dispatcher, Pool, WebSocket } from 'undici'
import { noTracer, type Tracer } from '../observe/tracing.ts'
import { bareHost, forbiddenAddress } from './egress.ts'
import { connectWord, type ErrorWord, type Fault, fault, wordOf } from './error_words.ts'
import { createHostResolver, type ResolveOptions } from './resolve.ts'
import { traced } from './traced.ts'

export { type ErrorWord, errorWords } from './error_words.ts'

export type OutboundRequest = {
  method?: 'POST' | 'GET' | 'DELETE'
  url: URL
  /** Names and values in turn. */
  headers: string[]
  body?: Buffer
  /** For the whole call, connecting included; 15 s when not said. */
  timeoutMs?: number
  /** Until the request can leave: look-up, connection and encryption together. Then the word is `connect_timeout`. */
  connectTimeoutMs?: number
  /** From then on, until the answer is whole. */
  answerTimeoutMs?: number
  /** Ends the call early, with the word `reset`. */
  signal?: AbortSignal
  /** Whether, without TLS, it goes to no public address. */
  innerOnly?: boolean
  /** How much of the reply's body is read; 64 KiB when not said. */
  maxReplyBytes?: number
}

export type OutboundReply =
  | {
      ok: true
      status: number
      headers: Record<string, string | string[] | undefined>
      /** What was read of it: at most so much as was asked for, and nothing of a reply that came compressed though we asked for none. */
      body: Buffer
      /** Why that is not all. */
      cut?: 'reply_too_large' | 'timeout' | 'reset' | 'encoded'
    }
  | { ok: false; error: ErrorWord }

export type Outbound = {
  /** Sends one request. Never rejects. */
  send(request: OutboundRequest): Promise<OutboundReply>
  /** Opens a WebSocket by the same rules. Never rejects. */
  socket(url: URL, handlers: SocketHandlers, options?: SocketOptions): Promise<OutboundSocket | Failed>
  /** Calls under way. */
  count(): number
  close(): Promise<void>
}

export type SocketHandlers = {
  onText(text: string): void
  /** It was open, and is not any more. Once. */
  onClosed(): void
}

export type SocketOptions = { headers?: Record<string, string>; timeoutMs?: number; innerOnly?: boolean }

export type OutboundSocket = { ok: true; close(): void }

type Failed = { ok: false; error: ErrorWord }

export type OutboundOptions = ResolveOptions & { connectTimeoutMs?: number; tracer?: Tracer }

const defaultTimeoutMs = 15_000
const defaultMaxReplyBytes = 65_536
const maxHeaderBytes = 16_384
const keepAliveMs = 10_000
const forgetPoolMs = 60_000
const maxPools = 2_000

type Known = { pool: Pool; usedMs: number; calls: number }

export function createOutbound({ connectTimeoutMs = 5_000, tracer = noTracer, ...options }: OutboundOptions): Outbound {
  const resolver = createHostResolver(options)
  // By origin and the addresses that were checked: a connection is never used for a name that has moved elsewhere.
  const pools = new Map<string, Known>()
  let underWay = 0

  function poolOf(url: URL, addresses: readonly string[]): Known {
    const key = `${url.origin} ${addresses.join(' ')}`
    let known = pools.get(key)
    if (known === undefined) {
      if (pools.size >= maxPools) sweep(0)
      known = { pool: new Pool(url.origin, poolOptions(addresses, connectTimeoutMs)), usedMs: 0, calls: 0 }
      pools.set(key, known)
    }
    known.usedMs = performance.now()
    return known
  }

  /** Closes what was not used for so long. */
  function sweep(idleMs: number): void {
    const before = performance.now() - idleMs
    for (const [key, { pool, usedMs, calls }] of pools) {
      if (calls > 0 || usedMs > before) continue
      pools.delete(key)
      pool.close().catch(ignore)
    }
  }
  const sweeping = setInterval(() => sweep(forgetPoolMs), forgetPoolMs / 2)
  sweeping.unref()

  async function send(request: OutboundRequest): Promise<OutboundReply> {
    const { url, timeoutMs = defaultTimeoutMs } = request
    const startMs = performance.now()
    const untilMs = startMs + timeoutMs
    const lookupMs = Math.min(request.connectTimeoutMs ?? connectTimeoutMs, connectTimeoutMs)
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
    const resolved = resolver.peek(url.hostname, port) ?? (await within(resolver.resolve(url.hostname, port), lookupMs))
    if (!resolved.ok) return resolved
    if (request.innerOnly === true && leavesPlain(url, resolved.addresses))
      return { ok: false, error: 'blocked_address' }
    if (request.signal?.aborted) return { ok: false, error: 'reset' }
    if (performance.now() >= untilMs) return { ok: false, error: 'timeout' }
    const known = poolOf(url, resolved.addresses)
    known.calls++
    try {
      return await call(known.pool, request, { startMs, untilMs })
    } finally {
      known.calls--
    }
  }

  async function socket(url: URL, handlers: SocketHandlers, { headers, timeoutMs, innerOnly }: SocketOptions = {}) {
    const port = Number(url.port) || (url.protocol === 'wss:' ? 443 : 80)
    const resolved = await within(resolver.resolve(url.hostname, port), connectTimeoutMs)
    if (!resolved.ok) return resolved
    if (innerOnly === true && leavesPlain(url, resolved.addresses))
      return { ok: false, error: 'blocked_address' } as const
    return openSocket(url, resolved.addresses, handlers, { headers, timeoutMs, connectTimeoutMs })
  }

  return {
    socket: (url, handlers, options) => socket(url, handlers, options).catch(() => ({ ok: false, error: 'failed' })),
    async send(request) {
      underWay++
      try {
        return await (tracer.isOn ? traced(tracer, request, send) : send(request))
      } catch {
        return { ok: false, error: 'failed' }
      } finally {
        underWay--
      }
    },
    count: () => underWay,
    async close() {
      clearInterval(sweeping)
      await Promise.all([...pools.values()].map(({ pool }) => pool.destroy()))
      pools.clear()
    },
  }
}

/** Whether it would go through the public network for everybody to read. */
function leavesPlain({ protocol }: URL, addresses: readonly string[]): boolean {
  return (protocol === 'http:' || protocol === 'ws:') && addresses.some(address => !forbiddenAddress(address))
}

function ignore(): void {}

/** A look-up that takes too long has failed; what it says later still serves the next one. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | Failed> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Failed>(resolve => {
    timer = setTimeout(resolve, ms, { ok: false, error: 'dns_failed' })
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function poolOptions(addresses: readonly string[], connectTimeoutMs: number): Pool.Options {
  return {
    connect: connectorTo(addresses, connectTimeoutMs),
    // How many there are at once is decided by those who send; one receiver of a pool must not wait for another.
    connections: null,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: maxHeaderBytes,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    // One clock for the whole call, below, instead of one for each of its parts.
    headersTimeout: 0,
    bodyTimeout: 0,
  }
}

/** Dials the addresses, one after the other until one answers, and nothing else. */
function connectorTo(addresses: readonly string[], timeoutMs: number): buildConnector.connector {
  return ({ hostname, protocol, port }, callback) => {
    const name = bareHost(hostname)
    const isTls = protocol === 'https:'
    const usedPort = Number(port) || (isTls ? 443 : 80)
    const untilMs = performance.now() + timeoutMs
    const dial = (index: number): void => {
      const leftMs = untilMs - performance.now()
      const ms = leftMs / (addresses.length - index)
      dialOne(addresses[index] as string, usedPort, isTls ? name : undefined, ms, (error, socket) => {
        if (socket !== undefined) callback(null, socket as never)
        else if (index + 1 < addresses.length) dial(index + 1)
        else callback(error as Error, null)
      })
    }
    dial(0)
  }
}

type Dialled = (error: Error | undefined, socket: Socket | undefined) => void

/** @param tlsName the name that the certificate must be for; undefined without TLS */
function dialOne(host: string, port: number, tlsName: string | undefined, timeoutMs: number, done: Dialled): void {
  const socket =
    tlsName === undefined
      ? connectTcp({ host, port })
      : // An address is no server name (RFC 6066 §3); the certificate is then held against the address itself.
        connectTls({ host, port, ALPNProtocols: ['http/1.1'], servername: isIP(tlsName) === 0 ? tlsName : '' })
  socket.setNoDelay(true)
  socket.setKeepAlive(true, 30_000)
  let settled = false
  const settle: Dialled = (error, made) => {
    if (settled) return
    settled = true
    clearTimeout(timer)
    if (error !== undefined) socket.destroy()
    done(error, made)
  }
  const timer = setTimeout(() => settle(fault('connect_timeout'), undefined), timeoutMs)
  socket.once(tlsName === undefined ? 'connect' : 'secureConnect', () => settle(undefined, socket))
  socket.on('error', error => settle(fault(connectWord(error, tlsName !== undefined)), undefined))
  // Without a word, during the TLS handshake.
  socket.once('close', () => settle(fault(tlsName === undefined ? 'reset' : 'tls_failed'), undefined))
}

/** One request on a pool, until its answer is complete, too long or too late. */
function call(pool: Pool, request: OutboundRequest, { startMs, untilMs }: { startMs: number; untilMs: number }) {
  const { method = 'POST', url, headers, body, signal, maxReplyBytes = defaultMaxReplyBytes } = request
  return new Promise<OutboundReply>(resolve => {
    let controller: Dispatcher.DispatchController | undefined
    let answer: { status: number; headers: Record<string, string | string[] | undefined> } | undefined
    let encoded = false
    let bytes = 0
    const chunks: Buffer[] = []
    let over = false

    const finish = (cut: Cut | undefined, error: ErrorWord) => {
      if (over) return
      over = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      if (answer === undefined) return resolve({ ok: false, error })
      const cutReason = cut ?? (encoded ? 'encoded' : undefined)
      const read = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
      resolve({ ok: true, ...answer, body: read, ...(cutReason === undefined ? {} : { cut: cutReason }) })
    }
    const stop = (cut: Cut, error: ErrorWord) => {
      finish(cut, error)
      controller?.abort(fault(error))
    }
    let timer: NodeJS.Timeout | undefined
    /** Gives the call up so many ms after now; where none are said, or fewer are left, with the time of the whole call. */
    const limit = (ms: number | undefined, word: 'connect_timeout' | 'timeout') => {
      const leftMs = untilMs - performance.now()
      const isOwn = ms !== undefined && ms < leftMs
      clearTimeout(timer)
      timer = setTimeout(stop, Math.max(0, isOwn ? ms : leftMs), 'timeout', isOwn ? word : 'timeout')
    }
    const { connectTimeoutMs, answerTimeoutMs } = request
    limit(connectTimeoutMs && startMs + connectTimeoutMs - performance.now(), 'connect_timeout')
    const onAbort = () => stop('reset', 'reset')
    signal?.addEventListener('abort', onAbort)

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started
        // It was given up while it waited for a connection: then nothing is sent.
        if (over) started.abort(fault('timeout'))
        else if (connectTimeoutMs !== undefined || answerTimeoutMs !== undefined) limit(answerTimeoutMs, 'timeout')
      },
      onResponseStart(_controller, status, replyHeaders) {
        // What comes before an answer (RFC 9110 §15.2) is none.
        if (status < 200) return
        answer = { status, headers: replyHeaders }
        const coding = replyHeaders['content-encoding']
        encoded = coding !== undefined && coding !== '' && coding !== 'identity'
      },
      onResponseData(_controller, chunk) {
        if (over) return
        bytes += chunk.length
        if (!encoded)
          chunks.push(bytes > maxReplyBytes ? chunk.subarray(0, chunk.length - bytes + maxReplyBytes) : chunk)
        if (bytes > maxReplyBytes) stop('reply_too_large', 'reply_too_large')
      },
      onResponseEnd: () => finish(undefined, 'failed'),
      onResponseError: (_controller, error) => finish('reset', wordOf(error)),
    }
    try {
      pool.dispatch({ method, path: url.pathname + url.search, headers, body: body ?? null }, handler)
    } catch (error) {
      finish(undefined, wordOf(error as Fault))
    }
  })
}

type Cut = 'reply_too_large' | 'timeout' | 'reset'

type Opening = { headers: Record<string, string> | undefined; timeoutMs: number | undefined; connectTimeoutMs: number }

/** A WebSocket to the addresses that were checked. Its frames are read as text. */
function openSocket(
  url: URL,
  addresses: readonly string[],
  { onText, onClosed }: SocketHandlers,
  { headers, timeoutMs = defaultTimeoutMs, connectTimeoutMs }: Opening,
): Promise<OutboundSocket | Failed> {
  let dialled: Error | undefined
  const dial = connectorTo(addresses, connectTimeoutMs)
  const agent = new Agent({
    allowH2: false,
    connect: (options, callback) =>
      dial(options, (...[error, socket]) => {
        dialled = error ?? undefined
        if (error === null) callback(null, socket)
        else callback(error, null)
      }),
  })
  const ws = new WebSocket(url, { dispatcher: agent, ...(headers === undefined ? {} : { headers }) })
  return new Promise(resolve => {
    let isOpen = false
    let isOver = false
    const over = (error: ErrorWord) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      agent.destroy().catch(ignore)
      if (isOpen) onClosed()
      else resolve({ ok: false, error })
    }
    const timer = setTimeout(() => over('timeout'), timeoutMs)
    ws.addEventListener('open', () => {
      if (isOver) return
      clearTimeout(timer)
      isOpen = true
      resolve({ ok: true, close: () => over('reset') })
    })
    ws.addEventListener('message', ({ data }) => {
      if (!isOver && typeof data === 'string') onText(data)
    })
    ws.addEventListener('close', () => over(dialled === undefined ? 'not_http' : wordOf(dialled)))
    ws.addEventListener('error', () => over(dialled === undefined ? 'not_http' : wordOf(dialled)))
  })
}
