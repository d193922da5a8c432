// What an agent shares with all its calls: transactions and who waits for them, the timers of calls, and the connections that
// answers are waited for on. One timer serves the deadlines of all transactions.
import type { MessageCore } from '../core.ts'
import type { SipHeader, SipMessage, SipRequest, SipResponse } from '../message.ts'
import { createResponse } from '../replies.ts'
import { systemTiming } from '../rtp/clock.ts'
import { createTransactionLayer } from '../transaction/layer.ts'
import { defaultTransactionTimers } from '../transaction/timers.ts'
import type { TransactionUser } from '../transaction/user.ts'
import type { FlowOptions, SipTransport } from '../transport/api.ts'
import type { SipFlow, Target } from '../transport/types.ts'
import type { Uri } from '../uri.ts'
import { formatVia } from '../values.ts'
import type { AgentCore, FailureListener, Receiver, Waiter } from './core.ts'
import { callKey, createWays } from './core.ts'
import type { Incoming } from './incoming.ts'
import type { ReachCheck, SipAgentOptions, SipCall } from './types.ts'

/** A request that begins a transaction of the peer's. */
export type RequestHandler = (request: SipRequest, core: MessageCore, flow: SipFlow, transaction: string) => void

const longestMs = 2 ** 31 - 1

/** Lives from when the sockets are open until `close`: what is open, and what waits for a time or for an answer. */
export class Exchange implements AgentCore {
  readonly options: SipAgentOptions
  readonly transport: SipTransport
  readonly layer
  readonly calls = new Map<string, Receiver>()
  readonly live = new Set<SipCall>()
  readonly failures = new Map<string, FailureListener>()
  /** INVITEs that have no final answer of ours yet. */
  readonly invites = new Map<string, Incoming>()
  readonly t1Ms: number
  readonly tailMs: number
  readonly headers: readonly SipHeader[]
  isClosed = false
  private readonly waiters = new Map<string, Waiter>()
  /** Transactions of ours without a final response. */
  private readonly open = new Set<string>()
  /** Which transactions of ours wait on a connection, and on which one each. */
  private readonly byFlow = new Map<string, Set<string>>()
  private readonly flowOf = new Map<string, string>()
  private readonly timers = new Set<unknown>()
  private readonly pauses = new Set<() => void>()
  private readonly timing
  private readonly ways
  private readonly server: SipHeader
  private readonly onRequest: RequestHandler
  private alarm: unknown
  private alarmMs = Number.POSITIVE_INFINITY

  constructor(options: SipAgentOptions, transport: SipTransport, onRequest: RequestHandler) {
    this.options = options
    this.transport = transport
    this.onRequest = onRequest
    this.timing = options.timing ?? systemTiming
    this.t1Ms = options.timers?.t1Ms ?? defaultTransactionTimers.t1Ms
    this.tailMs = 64 * this.t1Ms
    this.headers = [{ name: 'User-Agent', value: options.product }]
    this.server = { name: 'Server', value: options.product }
    this.ways = createWays(options, transport, () => this.chance())
    this.layer = createTransactionLayer({
      user: this.transactionUser(),
      random: options.random,
      ...(options.timers === undefined ? {} : { timers: options.timers }),
    })
  }

  get waiting(): number {
    return this.waiters.size
  }

  get timerCount(): number {
    return this.timers.size
  }

  now(): number {
    return this.timing.now()
  }

  token(bytes: number): string {
    return this.options.random(bytes).toString('hex')
  }

  chance(): number {
    return this.options.random(4).readUInt32BE() / 2 ** 32
  }

  /** A mistake in one handler does not stop the others. */
  guarded(action: () => void): void {
    try {
      action()
    } catch (error) {
      this.options.onError(error)
    }
  }

  private transactionUser(): TransactionUser {
    return {
      send: (message, flow, transaction) => {
        this.trace('out', message, undefined, flow as SipFlow)
        if (message.kind === 'request') this.note(flow as SipFlow, transaction)
        this.transport.send(message, flow as SipFlow, error => {
          if (error === undefined || transaction === '') return
          this.layer.transportFailed(transaction, this.now())
          this.rearm()
        })
      },
      onRequest: (request, messageCore, flow, transaction) =>
        this.guarded(() => this.onRequest(request, messageCore, flow as SipFlow, transaction)),
      onAck: (request, messageCore) => {
        this.guarded(() => this.receiverOf(messageCore)?.onAck(request, messageCore))
      },
      onCancel: (transaction, request) => this.guarded(() => this.invites.get(transaction)?.onCancel(request)),
      onResponse: (response, messageCore, transaction) => {
        if (response.status >= 200) this.open.delete(transaction)
        this.guarded(() => this.waiters.get(transaction)?.onResponse(response, messageCore))
      },
      onStrayResponse: (response, messageCore) => {
        const { callId, fromTag } = messageCore
        if (fromTag === undefined) return
        this.guarded(() => this.calls.get(callKey(callId, fromTag))?.onStrayResponse(response, messageCore))
      },
      onFailure: (transaction, why) => {
        this.guarded(() => {
          this.invites.get(transaction)?.onFailure(why)
          this.failures.get(transaction)?.(why)
          this.waiters.get(transaction)?.onFailure(why)
        })
      },
      onEnd: transaction => {
        this.waiters.delete(transaction)
        this.open.delete(transaction)
        this.invites.delete(transaction)
        this.failures.delete(transaction)
        const flow = this.flowOf.get(transaction)
        if (flow === undefined) return
        this.flowOf.delete(transaction)
        const transactions = this.byFlow.get(flow)
        if (transactions?.delete(transaction) && transactions.size === 0) this.byFlow.delete(flow)
      },
    }
  }

  /** Datagrams have no connection that could close; and answers find another one (§18.2.2). */
  private note(flow: SipFlow, transaction: string): void {
    if (!flow.reliable || transaction === '') return
    this.flowOf.set(transaction, flow.id)
    const known = this.byFlow.get(flow.id)
    if (known === undefined) this.byFlow.set(flow.id, new Set([transaction]))
    else known.add(transaction)
  }

  /** One timer for the next deadline of all transactions. */
  rearm(): void {
    const deadline = this.layer.nextDeadlineMs ?? Number.POSITIVE_INFINITY
    if (deadline >= this.alarmMs || this.isClosed) return
    this.timing.clearTimeout(this.alarm)
    this.alarmMs = deadline
    this.alarm = this.timing.setTimeout(() => this.onAlarm(), Math.min(Math.max(0, deadline - this.now()), longestMs))
    unref(this.alarm)
  }

  private onAlarm(): void {
    this.alarmMs = Number.POSITIVE_INFINITY
    this.guarded(() => this.layer.tick(this.now()))
    this.rearm()
  }

  targets(uri: Uri, profile: string | undefined, isSource?: boolean, allows?: ReachCheck): Promise<Target[]> {
    return this.ways.targets(uri, profile, isSource, allows)
  }

  flowTo(target: Target, options?: FlowOptions): Promise<SipFlow> {
    return this.transport.flowTo(target, options)
  }

  way(uri: Uri, profile: string | undefined, isSource?: boolean): Promise<SipFlow> {
    return this.ways.way(uri, profile, isSource)
  }

  via(flow: SipFlow): string {
    return formatVia(this.transport.via(flow))
  }

  /** A message has come that is not screened any more. */
  receive(message: SipMessage, messageCore: MessageCore, flow: SipFlow): void {
    if (this.isClosed) return
    this.trace('in', message, messageCore, flow)
    this.guarded(() => this.layer.receive(message, messageCore, flow, this.now()))
    this.rearm()
  }

  /** What waits there for an answer will not get one. */
  flowClosed(flow: SipFlow): void {
    for (const transaction of this.byFlow.get(flow.id) ?? []) this.layer.transportFailed(transaction, this.now())
    this.byFlow.delete(flow.id)
    this.rearm()
  }

  request(request: SipRequest, flow: SipFlow, waiter: Waiter, branch?: string): string {
    const transaction = this.layer.request(request, flow, this.now(), branch)
    this.waiters.set(transaction, waiter)
    this.open.add(transaction)
    this.rearm()
    return transaction
  }

  send(message: SipMessage, flow: SipFlow): void {
    this.trace('out', message, undefined, flow)
    this.transport.send(message, flow)
  }

  sendAck(request: SipRequest, flow: SipFlow): void {
    // A branch of its own: it is a transaction that nobody answers (§17).
    this.send(withBranch(request, `z9hG4bK${this.token(8)}`), flow)
  }

  respond(transaction: string, response: SipResponse): boolean {
    const headers = [...response.headers, this.server]
    const isSent = this.layer.respond(transaction, { ...response, headers }, this.now())
    this.rearm()
    return isSent
  }

  after(ms: number, action: () => void): () => void {
    if (this.isClosed) return () => {}
    // Anyone who waits longer than a timer can looks at the time again.
    const timer = this.timing.setTimeout(
      () => {
        this.timers.delete(timer)
        this.guarded(action)
      },
      Math.min(ms, longestMs),
    )
    unref(timer)
    this.timers.add(timer)
    return () => {
      this.timers.delete(timer)
      this.timing.clearTimeout(timer)
    }
  }

  pause(ms: number): Promise<void> {
    if (this.isClosed) return Promise.resolve()
    return new Promise(resolve => {
      const done = () => {
        stop()
        this.pauses.delete(done)
        resolve()
      }
      const stop = this.after(ms, done)
      this.pauses.add(done)
    })
  }

  refusal(request: SipRequest, status: number): SipResponse {
    return createResponse(request, status, { toTag: this.token(8) })
  }

  trace(direction: 'in' | 'out', message: SipMessage, messageCore: MessageCore | undefined, flow: SipFlow): void {
    if (this.options.onTrace === undefined) return
    const callId = messageCore?.callId ?? callIdOf(message)
    const atMs = this.timing.wallNow?.() ?? systemTiming.wallNow()
    if (callId !== undefined) this.options.onTrace({ callId, direction, message, flow, atMs })
  }

  receiverOf({ callId, toTag }: MessageCore): Receiver | undefined {
    return toTag === undefined ? undefined : this.calls.get(callKey(callId, toTag))
  }

  /** Waits until the requests of ours have their final responses, at most so long. */
  async settle(ms: number): Promise<void> {
    const endMs = this.now() + ms
    do {
      // Names may have to be looked up before anything leaves.
      await new Promise<void>(resolve => this.timing.setTimeout(resolve, 10))
    } while (this.open.size > 0 && this.now() < endMs)
  }

  /** No timer is left; anyone who still waits is notified that nothing will come. */
  close(): void {
    this.isClosed = true
    this.timing.clearTimeout(this.alarm)
    for (const timer of this.timers) this.timing.clearTimeout(timer)
    this.timers.clear()
    this.layer.clear()
    for (const waiter of this.waiters.values()) this.guarded(() => waiter.onFailure('transport'))
    this.waiters.clear()
    for (const done of this.pauses) done()
    // The timers that would have forgotten them are gone.
    this.calls.clear()
  }
}

function unref(timer: unknown): void {
  ;(timer as { unref?(): void } | undefined)?.unref?.()
}

function callIdOf(message: SipMessage): string | undefined {
  return message.headers.find(({ name }) => name === 'Call-ID')?.value
}

function withBranch(request: SipRequest, branch: string): SipRequest {
  const [via, ...others] = request.headers
  if (via === undefined) return request
  return { ...request, headers: [{ name: via.name, value: `${via.value};branch=${branch}` }, ...others] }
}
