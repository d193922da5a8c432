// Requests of who has proved nothing (RFC 3261 §26.3.2.4): one answer each, without a transaction, and of each source no more than a
// budget, so that anyone who forges sources gets little out of us, for others or in our memory.
import { createHmac } from 'node:crypto'
import type { MessageCore } from '../core.ts'
import type { SipRequest, SipResponse } from '../message.ts'
import { createResponse } from '../replies.ts'
import { serverId } from '../transaction/matching.ts'
import { sourceKey } from '../transport/route.ts'
import type { SipFlow } from '../transport/types.ts'
import type { Screened, SipAgentOptions, SipReply } from './types.ts'

export type Strangers = {
  /** Whether the request was dealt with: answered, passed over as one too many, or held until it is known what to do with it. */
  answered(request: SipRequest, core: MessageCore, flow: SipFlow): boolean
  /** Requests that are held. */
  readonly held: number
}

export type StrangersOptions = Pick<SipAgentOptions, 'screen' | 'strangers' | 'product' | 'onError'> & {
  /** Seals To tags; any 16 random octets. */
  key: Buffer
  now(): number
  /** Whether the request is of a transaction or a call that there is. */
  isKnown(request: SipRequest, core: MessageCore): boolean
  /** What the agent answers by itself to a request outside of calls. */
  usual(request: SipRequest): SipReply
  /** Why a request that may come in cannot be served. */
  unfit(request: SipRequest): SipReply | undefined
  /** What was held may come in. */
  letIn(request: SipRequest, core: MessageCore, flow: SipFlow): void
  send(response: SipResponse, flow: SipFlow): void
}

type Asking = { request: SipRequest; core: MessageCore; flow: SipFlow }

/** A request that somebody looks into, and its CANCEL, should it come meanwhile. */
type Held = { source: string; cancel: Asking | undefined }

/** Of so many sources is counted what they were answered; the one that was quiet longest gives way. */
const maxSources = 10_000
/** So many requests are looked into at once, of all and of one source. A datagram beyond that comes again by itself. */
const maxHeld = 2_000
const maxHeldOfSource = 200
const tooMany: SipReply = { status: 503, headers: [{ name: 'Retry-After', value: '5' }] }

export function createStrangers(options: StrangersOptions): Strangers {
  return new StrangerScreen(options)
}

/** Lives as long as its agent: the budget of each source, and the requests that are looked into. */
class StrangerScreen implements Strangers {
  private readonly options: StrangersOptions
  private readonly key: StrangersOptions['key']
  private readonly now: StrangersOptions['now']
  private readonly isKnown: StrangersOptions['isKnown']
  private readonly send: StrangersOptions['send']
  private readonly budgets = new Map<string, { left: number; atMs: number }>()
  /** By the transaction that each would begin. */
  private readonly waiting = new Map<string, Held>()
  private readonly heldOf = new Map<string, number>()

  constructor(options: StrangersOptions) {
    this.options = options
    const { key, now, isKnown, send } = options
    this.key = key
    this.now = now
    this.isKnown = isKnown
    this.send = send
  }

  /** One more answer to a source, or request of it that is let in at once: a bucket that fills again. */
  private mayAnswer(flow: SipFlow): boolean {
    const { strangers } = this.options
    if (strangers === undefined || strangers.isExempt?.(flow.remote.address) === true) return true
    const source = sourceKey(flow.remote.address)
    const { perSecond, burst } = strangers
    const nowMs = this.now()
    const { left, atMs } = this.budgets.get(source) ?? { left: burst, atMs: nowMs }
    const filled = Math.min(burst, left + ((nowMs - atMs) / 1_000) * perSecond)
    this.budgets.delete(source)
    this.budgets.set(source, { left: filled >= 1 ? filled - 1 : filled, atMs: nowMs })
    if (this.budgets.size > maxSources) this.budgets.delete(this.budgets.keys().next().value as string)
    return filled >= 1
  }

  /** §8.2.7: without a state the same tag for the same request, however often it comes. */
  private reply({ request, core, flow }: Asking, { status, ...parts }: SipReply): true {
    if (!this.mayAnswer(flow)) return true
    const { callId, fromTag = '', cseq } = core
    const toTag = createHmac('sha256', this.key)
      .update(`${callId} ${fromTag} ${cseq.number}`)
      .digest('hex')
      .slice(0, 12)
    const headers = [...(parts.headers ?? []), { name: 'Server', value: this.options.product }]
    this.send(createResponse(request, status, { ...parts, toTag, headers }), flow)
    return true
  }

  /** Whether that was all: who was let in, and can be served, is not dealt with yet. */
  private conclude(asking: Asking, screened: Screened): boolean {
    if (screened === 'usual') return this.reply(asking, this.options.usual(asking.request))
    const refused = screened ?? this.options.unfit(asking.request)
    return refused !== undefined && this.reply(asking, refused)
  }

  /** Until it is known what to do with it nothing is said, and copies are passed over. */
  private hold(id: string, asking: Asking, look: () => Promise<Screened>): true {
    const entry: Held = { source: sourceKey(asking.flow.remote.address), cancel: undefined }
    this.waiting.set(id, entry)
    this.heldOf.set(entry.source, (this.heldOf.get(entry.source) ?? 0) + 1)
    void look()
      .catch((error: unknown): Screened => {
        this.options.onError(error)
        return { status: 500 }
      })
      .then(screened => {
        this.release(id, entry)
        if (this.conclude(asking, screened)) return
        for (const { request, core, flow } of entry.cancel === undefined ? [asking] : [asking, entry.cancel])
          this.options.letIn(request, core, flow)
      })
      .catch(this.options.onError)
    return true
  }

  private release(id: string, { source }: Held): void {
    this.waiting.delete(id)
    const left = (this.heldOf.get(source) ?? 1) - 1
    if (left > 0) this.heldOf.set(source, left)
    else this.heldOf.delete(source)
  }

  private isFull(flow: SipFlow): boolean {
    return this.waiting.size >= maxHeld || (this.heldOf.get(sourceKey(flow.remote.address)) ?? 0) >= maxHeldOfSource
  }

  answered(request: SipRequest, core: MessageCore, flow: SipFlow): boolean {
    // An ACK has no answer, and means something to what is known only.
    if (request.method === 'ACK' || this.isKnown(request, core)) return false
    const asking = { request, core, flow }
    const isCancel = request.method === 'CANCEL'
    const id = serverId(request, core, isCancel ? 'INVITE' : request.method)
    const same = this.waiting.get(id)
    if (same !== undefined) {
      if (isCancel) same.cancel = asking
      return true
    }
    if (core.toTag !== undefined || isCancel) return this.reply(asking, { status: 481 })
    if (this.options.screen === undefined) return this.conclude(asking, undefined)
    const screened = this.options.screen(request, core, flow)
    // Who has one fresh nonce is let in with any name, each of which costs a look into a database: that is charged as an answer is.
    if (typeof screened !== 'function') return this.conclude(asking, screened) || !this.mayAnswer(flow)
    // Who has a connection is answered, as it sends no copies.
    if (this.isFull(flow)) return !flow.reliable || this.reply(asking, tooMany)
    return this.hold(id, asking, screened)
  }

  get held(): number {
    return this.waiting.size
  }
}
