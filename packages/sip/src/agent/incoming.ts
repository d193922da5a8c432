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
import type { AgentCore, Receiver } from './core.ts'
import { allow, callKey, contactAt, supported } from './core.ts'
import { guardHandlers } from './handlers.ts'
import type { Session } from './session.ts'
import { bodyOf, createSession, sdpType } from './session.ts'
import { createReferral } from './transfer.ts'
import type { AcceptOptions, CallEnd, CallHandlers, IncomingCall, SipCall, StoredCall } from './types.ts'

/** What the agent tells a call of its INVITE. */
export type IncomingHooks = {
  call: IncomingCall
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

export function createIncoming(core: AgentCore, arrived: Arrived): IncomingHooks {
  const { request, core: requestCore, flow, transaction, replaces } = arrived
  const contact = contactAt(core.transport, flow, /^sips:/i.test(request.uri))
  const localTag = core.token(8)
  const key = callKey(requestCore.callId, localTag)
  const reliability = reliabilityAsked(request)
  const begun = dialogFromRequest(request, requestCore, { localTag, contact })
  const waiting: (() => void)[] = []
  let handlers = quiet
  let accepted: AcceptOptions | undefined
  let phase: SipCall['phase'] = 'calling'
  let session: Session | undefined
  let offered: Negotiation | SipFault | undefined
  let described: { sdp: string; stream: AudioStream | undefined } | undefined
  let answering: Promise<boolean> | undefined
  let reliable: ReliableSender = createReliableSender(requestCore.cseq.number)
  let isDescribedReliably = false
  let queuedRing: { withMedia: boolean } | undefined
  let pendingBye: SipHeader[] | undefined
  const pendingSaid = Promise.withResolvers<void>()
  let early: CallEnd | undefined
  let isAcked = false
  let isGivenUp = false
  let stopRinging = () => {}
  const stopWaiting = core.after(unacceptedMs, () => reject(480))

  const isOver = () => phase === 'ended'
  const referral = createReferral(core, {
    session: () => session,
    get handlers() {
      return handlers
    },
    isOver,
  })

  const respond = (
    status: number,
    parts: { headers?: readonly SipHeader[]; body?: Buffer; contentType?: string } = {},
  ) => core.respond(transaction, createResponse(request, status, { toTag: localTag, ...parts }))

  function over(end: Ended): void {
    if (isOver()) return
    const wasAnswered = phase === 'answered'
    phase = 'ended'
    stopWaiting()
    stopRinging()
    session?.close()
    referral.close()
    for (const resolve of waiting.splice(0)) resolve()
    core.live.delete(call)
    core.after(core.tailMs, () => core.calls.delete(key))
    const told: CallEnd = { reasons: [], ...end, hasRung: true, wasAnswered }
    if (accepted === undefined) early = told
    else handlers.onEnded(told)
  }

  function accept(options: AcceptOptions): void {
    if (accepted !== undefined) return
    accepted = options
    stopWaiting()
    handlers = guardHandlers(options.handlers, isOver, core.options.onError)
    if (early !== undefined) {
      handlers.onEnded(early)
      return
    }
    // Theirs is open from now on, so that UPDATE finds it so (RFC 3311 §5.2).
    offered = receiveInvite(createNegotiation(), bodyOf(request))
    session = createSession(
      core,
      {
        onMedia: stream => handlers.onMedia(stream),
        onInfo: (digit, durationMs) => handlers.onInfo?.(digit, durationMs),
        onRefer: referral.onRefer,
        onNotify: referral.onNotify,
        onBye,
        onLost: (status, response: SipResponse | undefined) =>
          over({ by: 'remote', status, isSilent: response === undefined }),
        onDialog() {},
      },
      {
        dialog: options.hop === undefined ? begun : { ...begun, hop: options.hop },
        negotiation: isFault(offered) ? createNegotiation() : offered,
        local: options.local,
        digest: undefined,
        profile: undefined,
        wish: options.timer,
      },
    )
    session.learn(request)
    core.calls.set(key, receiver)
  }

  function onBye(bye: SipRequest): void {
    // Some callers hang up a call that rings by BYE; the INVITE wants its answer all the same (§15.1.2).
    if (phase !== 'answered') respond(487)
    else if (!isAcked) core.layer.acked(transaction)
    isAcked = true
    over({ by: 'remote', status: 200, isSilent: false, reasons: reasonsOf(bye) })
  }

  /** Our description: an answer to theirs, or an offer when they left it to us. Undefined when nothing fits: refused then. */
  function describe(): { sdp: string; stream: AudioStream | undefined } | undefined {
    if (described !== undefined || accepted === undefined || session === undefined || offered === undefined)
      return described
    const made = isFault(offered)
      ? offered
      : offered.phase === 'owing'
        ? { ...makeOffer(offered, accepted.local, 'response'), stream: undefined }
        : makeAnswer(offered, accepted.local)
    if (isFault(made)) {
      respond(made.status, { headers: made.headers ?? [] })
      over({ by: 'local', status: made.status, isSilent: false })
      return undefined
    }
    session.negotiation = made.negotiation
    described = { sdp: made.sdp, stream: made.stream }
    if (made.stream !== undefined) handlers.onMedia(made.stream)
    return described
  }

  function ring(withMedia = false): void {
    if (isOver() || answering !== undefined || session === undefined) return
    const isReliable = reliability === 'required'
    // Only one waits for its PRACK at a time.
    if (isReliable && !mayProvide(reliable)) {
      queuedRing = { withMedia: withMedia || queuedRing?.withMedia === true }
      return
    }
    // An offer of ours may only go in what is sure to arrive (§13.2.1), and only once.
    const mayDescribe = withMedia && !isDescribedReliably && (isReliable || bodyOf(request) !== undefined)
    const body = mayDescribe ? describe() : undefined
    if (isOver() || answering !== undefined) return
    phase = 'ringing'
    const headers: SipHeader[] = [{ name: 'Contact', value: contact }, allow]
    if (isReliable) {
      const provided = provideReliably(reliable, body !== undefined, core.chance())
      reliable = provided.sender
      headers.push(...provided.headers)
      if (body !== undefined) isDescribedReliably = true
    }
    const parts = body === undefined ? {} : { body: Buffer.from(body.sdp), contentType: sdpType }
    respond(body === undefined ? 180 : 183, { headers, ...parts })
    stopRinging()
    stopRinging = core.after(ringAgainMs, () => ring(described !== undefined))
  }

  function answer(): Promise<boolean> {
    if (isOver() || session === undefined || accepted === undefined) return Promise.resolve(false)
    answering ??= takeUp(session, accepted)
    return answering
  }

  async function takeUp(own: Session, { store, timer: wish }: AcceptOptions): Promise<boolean> {
    stopRinging()
    const body = describe()
    if (body === undefined) return false
    if (!mayAnswer(reliable)) await new Promise<void>(resolve => waiting.push(resolve))
    if (isOver()) return false
    const timing = answerTimer(request, wish, core.now())
    if (isFault(timing)) {
      reject(timing.status, timing.headers ?? [])
      return false
    }
    try {
      // Stored before the other side hears that it stands: then a crash can end it.
      await store?.({ dialog: answerDialog(own.dialog, 200), branch: null })
    } catch (error) {
      core.options.onError(error)
      reject(500)
    }
    if (isOver()) return false
    phase = 'answered'
    own.dialog = answerDialog(own.dialog, 200)
    own.timer = timing.timer
    const headers = [{ name: 'Contact', value: contact }, allow, supported, ...timing.headers]
    // An offer of ours that was answered by PRACK already would look like another one.
    const isSettled = bodyOf(request) === undefined && own.negotiation.phase === 'stable'
    const parts = isSettled ? {} : { body: Buffer.from(body.sdp), contentType: sdpType }
    if (own.negotiation.phase !== 'offered') own.negotiation = endInvite(own.negotiation)
    if (!respond(200, { headers, ...parts })) {
      isGivenUp = true
      over({ by: 'remote', status: 487, isSilent: false })
      return false
    }
    own.watchTimer()
    return true
  }

  function reject(status: number, headers: readonly SipHeader[] = []): void {
    if (isOver() || phase === 'answered') return
    respond(status, { headers })
    over({ by: 'local', status, isSilent: false })
  }

  function end({ q850 = 16, status = 480, headers = [] }: Parameters<SipCall['end']>[0] = {}): void {
    if (isOver()) return
    const reason = [reasonHeader('Q.850', q850), ...headers]
    if (phase !== 'answered') {
      reject(status, reason)
      return
    }
    if (isAcked) session?.bye(reason)
    // §15: not before the ACK, or the other side may not know the dialog yet.
    else pendingBye = reason
    over({ by: 'local', status: 200, isSilent: false })
  }

  function sayPendingBye(): void {
    if (pendingBye === undefined) return
    session?.byeAfterEnd(pendingBye)
    pendingBye = undefined
    pendingSaid.resolve()
  }

  const receiver: Receiver = {
    get call() {
      return call
    },
    dialogs: () => [stored().dialog],
    onRequest(inner, innerCore, _flow, server) {
      const isOurs = (innerCore.fromTag ?? null) === begun.remoteTag
      if (session === undefined || !isOurs) core.respond(server, core.refusal(inner, 481))
      else if (inner.method === 'PRACK') onPrack(inner, innerCore, server)
      else session.onRequest(inner, innerCore, server)
    },
    onAck(ack, ackCore) {
      if (ackCore.cseq.number === requestCore.cseq.number) isAcked = true
      session?.onAck(ack, ackCore)
      if (isAcked) sayPendingBye()
    },
    onStrayResponse() {},
  }

  function onPrack(prack: SipRequest, prackCore: MessageCore, server: string): void {
    const { sender, result } = receivePrack(reliable, prack)
    reliable = sender
    if (result !== 'acknowledged') return void core.respond(server, core.refusal(prack, result))
    core.layer.pracked(prack, prackCore)
    core.rearm()
    session?.onPrack(prack, prackCore, server)
    for (const resolve of waiting.splice(0)) resolve()
    const queued = queuedRing
    queuedRing = undefined
    if (queued !== undefined) ring(queued.withMedia)
  }

  const stored = (): StoredCall => ({ dialog: session?.dialog ?? begun, branch: null })

  const call: IncomingCall = {
    callId: requestCore.callId,
    request,
    core: requestCore,
    flow,
    replaces,
    get stored() {
      return stored()
    },
    get phase() {
      return phase
    },
    remoteAddress: flow.remote.address,
    accept,
    ring,
    answer,
    reject,
    end,
    async farewell() {
      if (pendingBye !== undefined) await pendingSaid.promise
      await session?.farewell
    },
    hold: async isHolding => session !== undefined && phase === 'answered' && session.hold(isHolding),
    sendInfo: referral.sendInfo,
    refer: referral.refer,
  }
  core.live.add(call)

  return {
    call,
    onCancel(cancel) {
      respond(487)
      over({ by: 'remote', status: 487, isSilent: false, reasons: reasonsOf(cancel) })
    },
    onFailure(why) {
      if (why === 'unacknowledged') return reject(504)
      const wasAnswered = phase === 'answered' || pendingBye !== undefined
      if (!wasAnswered) {
        if (why === 'transport') over({ by: 'remote', status: 503, isSilent: true })
        return
      }
      // §13.3.1.4: the 2xx was not acknowledged.
      if (isAcked || isGivenUp) return
      isGivenUp = true
      pendingBye ??= []
      sayPendingBye()
      over({ by: 'remote', status: 408, isSilent: true })
    },
  }
}
