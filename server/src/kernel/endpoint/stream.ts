// Event streams: an answer that goes on, as text/event-stream (WHATWG HTML §9.2). Here live what all streams share: how
// messages are written, the heartbeat, the bounds, and the ends: a credential that died, a reader too slow, a server that
// stops. What is sent on a stream is up to the endpoint.
import type { ServerResponse } from 'node:http'
import { createShares, type Quota, quotas, type Shares, type Holder as Taker } from '../data/quota.ts'
import type { CustomRole } from '../values/custom_role.ts'
import { Problem } from '../values/problem.ts'

/** One message. `data` is JSON on one line; `id` is where a reader that lost its connection goes on. */
export type StreamMessage = { event: string; data: string; id?: string | undefined }

/** Where an endpoint writes its messages. */
export type Sink = {
  /** Hands a message to the socket. After the end it goes nowhere. */
  send(message: StreamMessage): void
  /**
   * Undefined when more may be sent at once; else resolves when what was sent has left, or the stream has ended. Who sends
   * much without waiting for this makes any reader a slow one.
   */
  drained(): Promise<void> | undefined
  /** Ends the stream with a last message `end`, whose data is `{reason}`. */
  end(reason: string): void
  readonly ended: boolean
}

/** What the handler of a stream returns; its work begins with `start`. */
export type StreamSource = {
  /** Telephones have room of their own, so that they ring however many other streams there are. */
  readonly kind?: 'phone'
  start(sink: Sink): void
  /** Frees what the handler took; called once, however the stream ends and also when it never starts. */
  stop(): void
  /** The id the reader may resume from when nothing more is sent; sent with every heartbeat. */
  lastId(): string | undefined
  /** Whether that id would now spare a resumption work, for what was not the reader's: it is sent sooner then. */
  moved?(): boolean
}

/** Whose stream it is; compared again and again with what the credential is worth now. */
export type Holder = Taker & {
  readonly userId: number
  readonly role: string
  readonly custom: CustomRole | null
  readonly permissions: ReadonlySet<string>
  /** Of a principal: a stream ends when its organization may not do any more what it could. */
  readonly organizationState?: string
}

export type Opening = {
  source: StreamSource
  principal: Holder
  credential: string
  /** Writes the head of the answer and returns what the messages are written to. */
  begin(): ServerResponse
}

export type Streams = {
  /** @throws Problem `too_many_streams`, or `unavailable` while the server stops; then the source is stopped as well */
  open(opening: Opening): void
  /** Number of open streams, for metrics. */
  count(): number
  /** Ends every stream and refuses new ones: before the server drains, since streams would never end by themselves. */
  close(): void
}

export type StreamOptions = {
  clock: { now(): number }
  /** Throws what makes a credential worthless; see `Authenticator`. */
  authenticate(credential: string, nowMs: number): Holder | Promise<Holder>
  perUser?: number
  quota?: Quota
  heartbeatMs?: number
  /** What may wait for one reader and for all of them, in bytes beyond those the operating system takes. */
  maxWaitingBytes?: number
  maxWaitingBytesOfAll?: number
}

const mebibyte = 1024 * 1024
/** Half a second here and the second of the revocation feed stay below the two that a revocation may take. */
const checkEveryMs = 500
/** How old the id may be that a reader knows, once much that is not its own has gone by. */
const movedMs = 2_000
/** A reader that takes nothing for so long is gone or stuck, however little waits for it. */
const stuckMs = 30_000
/** For the last message to a slow reader; then the connection is cut. */
const graceMs = 2_000
/** Characters that are gathered for one reader at most. */
const gatherUpTo = 16_384
/** How long a reader waits before it connects again, unless it knows better. */
const retryMs = 2_000

/** Names and values in turn. A proxy that gathers or packs the answer would hold messages back. */
export const streamHeaders: readonly string[] = [
  'content-type',
  'text/event-stream; charset=utf-8',
  'x-accel-buffering',
  'no',
]

type Stream = {
  readonly kind: StreamSource['kind']
  readonly principal: Holder
  readonly credential: string
  waitingBytes(): number
  tick(nowMs: number): void
  end(reason: string): void
}

/** The streams of one node. One timer serves them all, and runs only while there are any. */
export function createStreams(options: StreamOptions): Streams {
  const { clock, authenticate, perUser = 20, quota = quotas.streams } = options
  const { heartbeatMs = 15_000, maxWaitingBytes = mebibyte, maxWaitingBytesOfAll = 128 * mebibyte } = options
  const open = new Set<Stream>()
  const shares: Shares = createShares(quota)
  const phones: Shares = createShares(quotas.phones)
  let timer: ReturnType<typeof setInterval> | undefined
  let checking = false
  let closed = false

  /** Asks once for each credential, however many streams it holds. */
  async function check(): Promise<void> {
    const held = Map.groupBy(open, stream => stream.credential)
    await Promise.all([...held].map(([credential, streams]) => checkOne(credential, streams)))
  }

  async function checkOne(credential: string, streams: readonly Stream[]): Promise<void> {
    try {
      const principal = await authenticate(credential, clock.now())
      for (const stream of streams) if (!sameRights(principal, stream.principal)) stream.end('permissions_changed')
    } catch (error) {
      // Anything but a refusal (the database does not answer) says nothing about the credential.
      if (!(error instanceof Problem) || error.entry.status !== 401) return
      for (const stream of streams) stream.end(error.code)
    }
  }

  function tick(): void {
    const now = performance.now()
    for (const stream of open) stream.tick(now)
    relieve()
    if (checking) return
    checking = true
    void check().finally(() => {
      checking = false
    })
  }

  /** Cuts those for whom most waits, until the rest fits into memory. */
  function relieve(): void {
    const slowest = [...open].sort((a, b) => a.waitingBytes() - b.waitingBytes())
    let waiting = slowest.reduce((sum, stream) => sum + stream.waitingBytes(), 0)
    while (waiting > maxWaitingBytesOfAll) {
      const stream = slowest.pop() as Stream
      waiting -= stream.waitingBytes()
      stream.end('slow')
    }
  }

  function sharesOf(kind: StreamSource['kind']): Shares {
    return kind === 'phone' ? phones : shares
  }

  function refusal(holder: Holder, kind: StreamSource['kind']): Problem | undefined {
    if (closed) return new Problem('unavailable', { headers: { 'retry-after': '1' } })
    const theirs = [...open].filter(stream => stream.kind === kind && stream.principal.userId === holder.userId).length
    if (theirs < perUser && sharesOf(kind).take(holder)) return undefined
    return new Problem('too_many_streams', { headers: { 'retry-after': '10' } })
  }

  return {
    open({ source, principal, credential, begin }) {
      const { kind } = source
      const problem = refusal(principal, kind)
      if (problem !== undefined) {
        source.stop()
        throw problem
      }
      const running = run(begin(), source, { heartbeatMs, maxWaitingBytes }, () => {
        open.delete(stream)
        sharesOf(kind).give(principal)
        if (open.size > 0) return
        clearInterval(timer)
        timer = undefined
      })
      const stream: Stream = { kind, principal, credential, ...running }
      open.add(stream)
      timer ??= setInterval(tick, checkEveryMs)
    },
    count: () => open.size,
    close() {
      closed = true
      for (const stream of [...open]) stream.end('stopping')
    },
  }
}

type Bounds = { heartbeatMs: number; maxWaitingBytes: number }

/** Runs one stream on an answer whose head is written. `left` is called when it has ended, never before this returns. */
function run(
  raw: ServerResponse,
  source: StreamSource,
  { heartbeatMs, maxWaitingBytes }: Bounds,
  left: () => void,
): Omit<Stream, 'kind' | 'principal' | 'credential'> {
  let ended = false
  /** What is said within one turn of the event loop leaves as one piece: with hundreds of readers, pieces are what costs. */
  let gathered = ''
  let flushing: NodeJS.Immediate | undefined
  let waiting: (() => void)[] = []
  let beatMs = performance.now()
  let stuckSinceMs: number | undefined

  function conclude(): void {
    if (ended) return
    ended = true
    source.stop()
    wake()
    queueMicrotask(left)
  }

  function wake(): void {
    stuckSinceMs = undefined
    const woken = waiting
    waiting = []
    for (const resolve of woken) resolve()
  }

  function end(reason: string): void {
    if (ended) return
    conclude()
    raw.end(gathered + textOf({ event: 'end', data: JSON.stringify({ reason }) }))
    gathered = ''
    const cut = setTimeout(() => raw.destroy(), graceMs)
    raw.once('close', () => clearTimeout(cut))
  }

  function write(text: string): void {
    if (ended) return
    gathered += text
    if (gathered.length >= gatherUpTo) flush()
    else flushing ??= setImmediate(flush)
  }

  function flush(): void {
    clearImmediate(flushing)
    flushing = undefined
    if (ended || gathered === '') return
    const text = gathered
    gathered = ''
    if (!raw.write(text)) stuckSinceMs ??= performance.now()
    if (raw.writableLength > maxWaitingBytes) end('slow')
  }

  raw.on('drain', wake)
  raw.once('close', conclude)
  // A connection that breaks while it is written to; `close` follows.
  raw.on('error', () => {})
  write(`retry: ${retryMs}\n\n`)
  source.start({
    send: message => write(textOf(message)),
    drained: () => (ended || !raw.writableNeedDrain ? undefined : new Promise(resolve => void waiting.push(resolve))),
    end,
    get ended() {
      return ended
    },
  })
  if (raw.destroyed) conclude()

  return {
    end,
    waitingBytes: () => raw.writableLength,
    tick(nowMs) {
      if (stuckSinceMs !== undefined && nowMs - stuckSinceMs > stuckMs) end('slow')
      if (nowMs - beatMs < (source.moved?.() ? Math.min(movedMs, heartbeatMs) : heartbeatMs)) return
      beatMs = nowMs
      const id = source.lastId()
      // An id without data moves the place to resume from and dispatches no event to the reader's program (§9.2.6).
      write(id === undefined ? ': still here\n\n' : `: still here\nid: ${id}\n\n`)
    },
  }
}

function textOf({ event, data, id }: StreamMessage): string {
  return id === undefined ? `event: ${event}\ndata: ${data}\n\n` : `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`
}

function sameRights(now: Holder, then: Holder): boolean {
  if (now === then) return true
  if (now.tenantId !== then.tenantId || now.role !== then.role || !sameRows(now, then)) return false
  if (now.organizationState !== then.organizationState) return false
  return now.permissions.size === then.permissions.size && then.permissions.isSubsetOf(now.permissions)
}

/** Whether they see the same records. */
function sameRows({ custom: now }: Holder, { custom: then }: Holder): boolean {
  const shown = (role: CustomRole | null) => role && [Object.entries(role.rows).toSorted(), role.mates]
  return now === then || JSON.stringify(shown(now)) === JSON.stringify(shown(then))
}
