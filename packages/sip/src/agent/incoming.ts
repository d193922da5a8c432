// A call that comes in (RFC 3261 §13.3): ringing, early media, reliably where the caller must have it so, the answer, refusals,
// and what CANCEL means at each of these moments.
import type { MessageCore } from '../core.ts'
import type { Negotiation } from '../dialog/negotiation.ts'
import { createNegotiation, endInvite, makeAnswer, makeOffer, receiveInvite } from '../dialog/negotiation.ts'
import { reasonHeader, reasonsOf } from '../dialog/q850.ts'
import { answerDialog } from '../dialog/receive.ts'
import type { ReliableSender } from '../dialog/reliable.ts'
import {
  createReliableSender,
  mayAnswer,
  mayProvide,
  provideReliably,
  receivePrack,
  reliabilityAsked,
} from '../dialog/reliable.ts'
import { answerTimer } from '../dialog/session_timer.ts'
import { dialogFromRequest } from '../dialog/state.ts'
import type { SipFault, SipHeader, SipRequest, SipResponse } from '../message.ts'
import { isFault } from '../message.ts'
import type { AudioStream } from '../offer_answer.ts'
import { createResponse } from '../replies.ts'
import type { TransactionFailure } from '../transaction/user.ts'
import type { SipFlow } from '../transport/types.ts'
import { bodyOf, sdpType } from './body.ts'
import type { AgentCore, Receiver } from './core.ts'
import { allow, callKey, contactAt, supported } from './core.ts'
import { guardHandlers } from './handlers.ts'
import { createSession } from './session.ts'
import type { Session } from './session_api.ts'
import { createReferral } from './transfer.ts'
import type { AcceptOptions, CallEnd, CallHandlers, IncomingCall, SipCall, StoredCall } from './types.ts'

/** A call, and what the agent reports to it of its INVITE. */
export type Incoming = IncomingCall & {
  onCancel(request: SipRequest): void
  onFailure(why: TransactionFailure): void
}

const quiet: CallHandlers = { onMedia() {}, onEnded() {} }

/** A call that nobody takes into use is refused. */
const unacceptedMs = 20_000
/** Proxies give a call up that has not been heard of for three minutes (§13.3.1.1). */
const ringAgainMs = 60_000

export type Arrived = {
  request: SipRequest
  core: MessageCore
  flow: SipFlow
  transaction: string
  replaces: SipCall | undefined
}

type Ended = Omit<CallEnd, 'hasRung' | 'reasons' | 'wasAnswered'> & Partial<CallEnd>

export function createIncoming(core: AgentCore, arrived: Arrived): Incoming {
  return new IncomingSipCall(core, arrived)
}

/** Lives from the INVITE until 64*T1 after the end of the call; the agent keeps it so long for messages that come late. */
class IncomingSipCall implements Incoming {
  readonly callId: string
  readonly request: SipRequest
  readonly core: MessageCore
  readonly flow: SipFlow
  readonly replaces: SipCall | undefined
  readonly remoteAddress: string
  private readonly agent: AgentCore
  private readonly transaction: Arrived['transaction']
  private readonly contact
  private readonly localTag
  private readonly key
  private readonly reliability
  private readonly begun
  private readonly waiting: (() => void)[] = []
  private handlers = quiet
  private accepted: AcceptOptions | undefined
  phase: SipCall['phase'] = 'calling'
  private session: Session | undefined
  private offered: Negotiation | SipFault | undefined
  private described: { sdp: string; stream: AudioStream | undefined } | undefined
  private answering: Promise<boolean> | undefined
  private reliable: ReliableSender
  private isDescribedReliably = false
  private queuedRing: { withMedia: boolean } | undefined
  private pendingBye: SipHeader[] | undefined
  private readonly pendingSaid = Promise.withResolvers<void>()
  private early: CallEnd | undefined
  private isAcked = false
  private isGivenUp = false
  private stopRinging = () => {}
  private readonly stopWaiting
  private readonly referral
  private readonly receiver: Receiver

  constructor(core: AgentCore, arrived: Arrived) {
    this.agent = core
    const { request, core: requestCore, flow, transaction, replaces } = arrived
    this.request = request
    this.transaction = transaction
    this.contact = contactAt(core.transport, flow, /^sips:/i.test(request.uri))
    this.localTag = core.token(8)
    this.key = callKey(requestCore.callId, this.localTag)
    this.reliability = reliabilityAsked(request)
    this.begun = dialogFromRequest(request, requestCore, { localTag: this.localTag, contact: this.contact })
    this.reliable = createReliableSender(requestCore.cseq.number)
    this.stopWaiting = core.after(unacceptedMs, () => this.reject(480))
    this.referral = createReferral(core, {
      session: () => this.session,
      handlers: () => this.handlers,
      isOver: () => this.isOver(),
    })
    this.receiver = {
      call: this,
      dialogs: () => [this.stored.dialog],
      onRequest: (inner, innerCore, _flow, server) => {
        const isOurs = (innerCore.fromTag ?? null) === this.begun.remoteTag
        if (this.session === undefined || !isOurs) core.respond(server, core.refusal(inner, 481))
        else if (inner.method === 'PRACK') this.onPrack(inner, innerCore, server)
        else this.session.onRequest(inner, innerCore, server)
      },
      onAck: (ack, ackCore) => {
        if (ackCore.cseq.number === requestCore.cseq.number) this.isAcked = true
        this.session?.onAck(ack, ackCore)
        if (this.isAcked) this.sayPendingBye()
      },
      onStrayResponse() {},
    }
    this.callId = requestCore.callId
    this.core = requestCore
    this.flow = flow
    this.replaces = replaces
    this.remoteAddress = flow.remote.address
    core.live.add(this)
  }

  private isOver() {
    return this.phase === 'ended'
  }

  private respond(status: number, parts: { headers?: readonly SipHeader[]; body?: Buffer; contentType?: string } = {}) {
    return this.agent.respond(
      this.transaction,
      createResponse(this.request, status, { toTag: this.localTag, ...parts }),
    )
  }

  private over(end: Ended): void {
    if (this.isOver()) return
    const wasAnswered = this.phase === 'answered'
    this.phase = 'ended'
    // Nothing but a final answer ends the transaction of an INVITE. One that has had its own takes no other.
    if (!wasAnswered) this.respond(end.status < 300 ? 480 : end.status)
    this.stopWaiting()
    this.stopRinging()
    this.session?.close()
    this.referral.close()
    for (const resolve of this.waiting.splice(0)) resolve()
    this.agent.live.delete(this)
    this.agent.after(this.agent.tailMs, () => this.agent.calls.delete(this.key))
    const ended: CallEnd = { reasons: [], ...end, hasRung: true, wasAnswered }
    if (this.accepted === undefined) this.early = ended
    else this.handlers.onEnded(ended)
  }

  accept(options: AcceptOptions): void {
    if (this.accepted !== undefined) return
    this.accepted = options
    this.stopWaiting()
    this.handlers = guardHandlers(options.handlers, () => this.isOver(), this.agent.options.onError)
    if (this.early !== undefined) {
      this.handlers.onEnded(this.early)
      return
    }
    // Theirs is open from now on, so that UPDATE finds it so (RFC 3311 §5.2).
    this.offered = receiveInvite(createNegotiation(), bodyOf(this.request))
    this.session = createSession(
      this.agent,
      {
        onMedia: stream => this.handlers.onMedia(stream),
        onInfo: (digit, durationMs) => this.handlers.onInfo?.(digit, durationMs),
        onRefer: (refer, referCore, server) => this.referral.onRefer(refer, referCore, server),
        onNotify: (notify, notifyCore, server) => this.referral.onNotify(notify, notifyCore, server),
        onBye: bye => this.onBye(bye),
        onLost: (status, response: SipResponse | undefined) =>
          this.over({ by: 'remote', status, isSilent: response === undefined }),
        onDialog() {},
      },
      {
        dialog: options.hop === undefined ? this.begun : { ...this.begun, hop: options.hop },
        negotiation: isFault(this.offered) ? createNegotiation() : this.offered,
        local: options.local,
        digest: undefined,
        profile: undefined,
        wish: options.timer,
      },
    )
    this.session.learn(this.request)
    this.agent.calls.set(this.key, this.receiver)
  }

  private onBye(bye: SipRequest): void {
    // Some callers hang up a call that rings by BYE; the INVITE wants its answer all the same (§15.1.2).
    const isTaken = this.phase === 'answered' || this.pendingBye !== undefined
    if (!isTaken) this.respond(487)
    else if (!this.isAcked) this.agent.layer.acked(this.transaction)
    this.isAcked = true
    // Ours waited for an ACK that need not come any more.
    this.pendingBye = undefined
    this.pendingSaid.resolve()
    this.over({ by: 'remote', status: 200, isSilent: false, reasons: reasonsOf(bye) })
  }

  /** Our description: an answer to theirs, or an offer when they left it to us. Undefined when nothing fits: refused then. */
  private describe(): { sdp: string; stream: AudioStream | undefined } | undefined {
    if (
      this.described !== undefined ||
      this.accepted === undefined ||
      this.session === undefined ||
      this.offered === undefined
    )
      return this.described
    const made = isFault(this.offered)
      ? this.offered
      : this.offered.phase === 'owing'
        ? { ...makeOffer(this.offered, this.accepted.local, 'response'), stream: undefined }
        : makeAnswer(this.offered, this.accepted.local)
    if (isFault(made)) {
      this.respond(made.status, { headers: made.headers ?? [] })
      this.over({ by: 'local', status: made.status, isSilent: false })
      return undefined
    }
    this.session.negotiation = made.negotiation
    this.described = { sdp: made.sdp, stream: made.stream }
    if (made.stream !== undefined) this.handlers.onMedia(made.stream)
    return this.described
  }

  ring(withMedia = false): void {
    if (this.isOver() || this.answering !== undefined || this.session === undefined) return
    const isReliable = this.reliability === 'required'
    // Only one waits for its PRACK at a time.
    if (isReliable && !mayProvide(this.reliable)) {
      this.queuedRing = { withMedia: withMedia || this.queuedRing?.withMedia === true }
      return
    }
    // An offer of ours may only go in what is sure to arrive (§13.2.1), and only once.
    const mayDescribe = withMedia && !this.isDescribedReliably && (isReliable || bodyOf(this.request) !== undefined)
    const body = mayDescribe ? this.describe() : undefined
    if (this.isOver() || this.answering !== undefined) return
    this.phase = 'ringing'
    const headers: SipHeader[] = [{ name: 'Contact', value: this.contact }, allow]
    if (isReliable) {
      const provided = provideReliably(this.reliable, body !== undefined, this.agent.chance())
      this.reliable = provided.sender
      headers.push(...provided.headers)
      if (body !== undefined) this.isDescribedReliably = true
    }
    const parts = body === undefined ? {} : { body: Buffer.from(body.sdp), contentType: sdpType }
    this.respond(body === undefined ? 180 : 183, { headers, ...parts })
    this.stopRinging()
    this.stopRinging = this.agent.after(ringAgainMs, () => this.ring(this.described !== undefined))
  }

  answer(): Promise<boolean> {
    if (this.isOver() || this.session === undefined || this.accepted === undefined) return Promise.resolve(false)
    this.answering ??= this.takeUp(this.session, this.accepted)
    return this.answering
  }

  private async takeUp(own: Session, { store, timer: wish }: AcceptOptions): Promise<boolean> {
    this.stopRinging()
    const body = this.describe()
    if (body === undefined) return false
    if (!mayAnswer(this.reliable)) await new Promise<void>(resolve => this.waiting.push(resolve))
    if (this.isOver()) return false
    const timing = answerTimer(this.request, wish, this.agent.now())
    if (isFault(timing)) {
      this.reject(timing.status, timing.headers ?? [])
      return false
    }
    try {
      // Stored before the remote party hears that it stands: then a crash can end it.
      await store?.({ dialog: answerDialog(own.dialog, 200), branch: null })
    } catch (error) {
      this.agent.options.onError(error)
      this.reject(500)
    }
    if (this.isOver()) return false
    this.phase = 'answered'
    own.dialog = answerDialog(own.dialog, 200)
    own.timer = timing.timer
    const headers = [{ name: 'Contact', value: this.contact }, allow, supported, ...timing.headers]
    // An offer of ours that was answered by PRACK already would look like another one.
    const isSettled = bodyOf(this.request) === undefined && own.negotiation.phase === 'stable'
    const parts = isSettled ? {} : { body: Buffer.from(body.sdp), contentType: sdpType }
    if (own.negotiation.phase !== 'offered') own.negotiation = endInvite(own.negotiation)
    if (!this.respond(200, { headers, ...parts })) {
      this.isGivenUp = true
      this.over({ by: 'remote', status: 487, isSilent: false })
      return false
    }
    own.watchTimer()
    return true
  }

  reject(status: number, headers: readonly SipHeader[] = []): void {
    if (this.isOver() || this.phase === 'answered') return
    this.respond(status, { headers })
    this.over({ by: 'local', status, isSilent: false })
  }

  end({ q850 = 16, status = 480, headers = [] }: Parameters<SipCall['end']>[0] = {}): void {
    if (this.isOver()) return
    const reason = [reasonHeader('Q.850', q850), ...headers]
    if (this.phase !== 'answered') {
      this.reject(status, reason)
      return
    }
    if (this.isAcked) this.session?.bye(reason)
    // §15: not before the ACK, or the remote party may not know the dialog yet.
    else this.pendingBye = reason
    this.over({ by: 'local', status: 200, isSilent: false })
  }

  private sayPendingBye(): void {
    if (this.pendingBye === undefined) return
    this.session?.byeAfterEnd(this.pendingBye)
    this.pendingBye = undefined
    this.pendingSaid.resolve()
  }

  private onPrack(prack: SipRequest, prackCore: MessageCore, server: string): void {
    const { sender, result } = receivePrack(this.reliable, prack)
    this.reliable = sender
    if (result !== 'acknowledged') return void this.agent.respond(server, this.agent.refusal(prack, result))
    this.agent.layer.pracked(prack, prackCore)
    this.agent.rearm()
    this.session?.onPrack(prack, prackCore, server)
    for (const resolve of this.waiting.splice(0)) resolve()
    const queued = this.queuedRing
    this.queuedRing = undefined
    if (queued !== undefined) this.ring(queued.withMedia)
  }

  onCancel(cancel: SipRequest): void {
    this.respond(487)
    this.over({ by: 'remote', status: 487, isSilent: false, reasons: reasonsOf(cancel) })
  }

  onFailure(why: TransactionFailure): void {
    if (why === 'unacknowledged') {
      this.reject(504)
      return
    }
    const wasAnswered = this.phase === 'answered' || this.pendingBye !== undefined
    if (!wasAnswered) {
      if (why === 'transport') this.over({ by: 'remote', status: 503, isSilent: true })
      return
    }
    // §13.3.1.4: the 2xx was not acknowledged.
    if (this.isAcked || this.isGivenUp) return
    this.isGivenUp = true
    this.pendingBye ??= []
    this.sayPendingBye()
    this.over({ by: 'remote', status: 408, isSilent: true })
  }

  get stored(): StoredCall {
    return { dialog: this.session?.dialog ?? this.begun, branch: null }
  }

  async terminated(): Promise<void> {
    if (this.pendingBye !== undefined) await this.pendingSaid.promise
    await this.session?.byeAnswered
  }

  async hold(isHolding: boolean): Promise<boolean> {
    return this.session !== undefined && this.phase === 'answered' && this.session.hold(isHolding)
  }

  sendInfo(digit: string, durationMs: number): Promise<boolean> {
    return this.referral.sendInfo(digit, durationMs)
  }

  refer(target: string, replaced?: SipCall): ReturnType<SipCall['refer']> {
    return this.referral.refer(target, replaced)
  }
}
