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
import type { SipHeader, SipRequest, SipResponse } from '../message.ts'
import { isFault } from '../message.ts'
import type { AudioStream } from '../offer_answer.ts'
import { createResponse } from '../replies.ts'
import type { TransactionFailure } from '../transaction/user.ts'
import type { SipFlow } from '../transport/types.ts'
import type { AgentCore, Receiver } from './core.ts'
import { allow, callKey, supported } from './core.ts'
import type { Session } from './session.ts'
import { bodyOf, createSession, sdpType } from './session.ts'
import { createReferral } from './transfer.ts'
import type { AcceptOptions, CallEnd, CallHandlers, IncomingCall, SipCall, StoredCall } from './types.ts'

/** What the agent tells a call of its INVITE. */
export type IncomingHooks = {
  call: IncomingCall
  onCancel(request: SipRequest): void
  onFailure(why: TransactionFailure): void
  readonly receiver: Receiver
}

const quiet: CallHandlers = { onMedia() {}, onEnded() {} }

export type Arrived = {
  request: SipRequest
  core: MessageCore
  flow: SipFlow
  transaction: string
  replaces: SipCall | undefined
}

export function createIncoming(core: AgentCore, arrived: Arrived): IncomingHooks {
  const { request, core: requestCore, flow, transaction, replaces } = arrived
  const { host, port } = core.transport.sentBy(flow)
  const contact = `<sip:${host}:${port}${flow.transport === 'udp' ? '' : `;transport=${flow.transport}`}>`
  const localTag = core.token(8)
  const key = callKey(requestCore.callId, localTag)
  const reliability = reliabilityAsked(request)
  const answering: { resolve: () => void }[] = []
  let handlers = quiet
  let accepted: AcceptOptions | undefined
  let phase: SipCall['phase'] = 'calling'
  let session: Session | undefined
  let negotiation: Negotiation = createNegotiation()
  let described: { sdp: string; stream: AudioStream | undefined } | undefined
  let reliable: ReliableSender = createReliableSender(requestCore.cseq.number)
  let early: CallEnd | undefined
  let isAcked = false

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

  function over(end: Omit<CallEnd, 'hasRung' | 'reasons'> & Partial<CallEnd>): void {
    if (isOver()) return
    phase = 'ended'
    session?.close()
    referral.close()
    for (const { resolve } of answering.splice(0)) resolve()
    core.after(32_000, () => core.calls.delete(key))
    const told: CallEnd = { reasons: [], ...end, hasRung: true }
    if (accepted === undefined) early = told
    else handlers.onEnded(told)
  }

  function accept(options: AcceptOptions): void {
    accepted = options
    handlers = options.handlers
    if (early !== undefined) return handlers.onEnded(early)
    const dialog = dialogFromRequest(request, requestCore, { localTag, contact })
    session = createSession(
      core,
      {
        onMedia: stream => handlers.onMedia(stream),
        onInfo: (digit, durationMs) => handlers.onInfo?.(digit, durationMs),
        onRefer: referral.onRefer,
        onNotify: referral.onNotify,
        onBye: bye => over({ by: 'remote', status: 200, isSilent: false, reasons: reasonsOf(bye) }),
        onLost: (status, response: SipResponse | undefined) =>
          over({ by: 'remote', status, isSilent: response === undefined }),
        onDialog() {},
      },
      {
        dialog,
        negotiation,
        local: options.local,
        digest: undefined,
        profile: undefined,
        wish: options.timer,
      },
    )
    session.learn(request)
    core.calls.set(key, receiver)
  }

  /** Our description: an answer to theirs, or an offer when they left it to us. False when nothing fits: refused with 488. */
  function describe(): { sdp: string; stream: AudioStream | undefined } | undefined {
    if (described !== undefined || accepted === undefined || session === undefined) return described
    const received = receiveInvite(negotiation, bodyOf(request))
    const made = isFault(received)
      ? received
      : received.phase === 'owing'
        ? { ...makeOffer(received, accepted.local, 'response'), stream: undefined }
        : makeAnswer(received, accepted.local)
    if (isFault(made)) {
      respond(made.status, { headers: made.headers ?? [] })
      over({ by: 'local', status: made.status, isSilent: false })
      return undefined
    }
    negotiation = made.negotiation
    session.negotiation = negotiation
    described = { sdp: made.sdp, stream: made.stream }
    if (made.stream !== undefined) handlers.onMedia(made.stream)
    return described
  }

  function ring(withMedia = false): void {
    if (isOver() || phase === 'answered' || session === undefined) return
    const body = withMedia ? describe() : undefined
    if (withMedia && body === undefined) return
    phase = 'ringing'
    const headers: SipHeader[] = [{ name: 'Contact', value: contact }, allow]
    const isReliable = reliability === 'required'
    if (isReliable) {
      // Only one waits for its PRACK at a time; what is told meanwhile is not worth another.
      if (!mayProvide(reliable)) return
      const provided = provideReliably(reliable, body !== undefined, core.chance())
      reliable = provided.sender
      headers.push(...provided.headers)
    }
    const parts = body === undefined ? {} : { body: Buffer.from(body.sdp), contentType: sdpType }
    respond(withMedia ? 183 : 180, { headers, ...parts })
  }

  async function answer(): Promise<boolean> {
    if (isOver() || session === undefined || accepted === undefined) return false
    if (phase === 'answered') return true
    const body = describe()
    if (body === undefined) return false
    if (!mayAnswer(reliable)) await new Promise<void>(resolve => answering.push({ resolve }))
    const timing = answerTimer(request, accepted.timer, core.now())
    if (isFault(timing)) {
      reject(timing.status, timing.headers ?? [])
      return false
    }
    session.dialog = answerDialog(session.dialog, 200)
    // Stored before the other side hears that it stands: then a crash can end it.
    await accepted.store?.({ dialog: session.dialog, branch: null })
    if (isOver()) return false
    phase = 'answered'
    session.timer = timing.timer
    const headers = [{ name: 'Contact', value: contact }, allow, supported, ...timing.headers]
    const isSent = respond(200, { headers, body: Buffer.from(body.sdp), contentType: sdpType })
    if (!isSent) {
      over({ by: 'remote', status: 487, isSilent: false })
      return false
    }
    if (session.negotiation.phase !== 'offered') session.negotiation = endInvite(session.negotiation)
    session.watchTimer()
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
    if (phase !== 'answered') return reject(status, reason)
    if (isAcked) session?.bye(reason)
    // §15: not before the ACK, or the other side may not know the dialog yet.
    else pendingBye = reason
    over({ by: 'local', status: 200, isSilent: false })
  }
  let pendingBye: SipHeader[] | undefined

  const receiver: Receiver = {
    onRequest(inner, innerCore, _flow, server) {
      if (inner.method === 'PRACK') return onPrack(inner, innerCore, server)
      if (session === undefined) core.respond(server, core.refusal(inner, 481))
      else session.onRequest(inner, innerCore, server)
    },
    onAck(ack) {
      isAcked = true
      session?.onAck(ack)
      if (pendingBye === undefined) return
      const headers = pendingBye
      pendingBye = undefined
      session?.byeAfterEnd(headers)
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
    for (const { resolve } of answering.splice(0)) resolve()
  }

  const stored = (): StoredCall => ({
    dialog: session?.dialog ?? dialogFromRequest(request, requestCore, { localTag, contact }),
    branch: null,
  })

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
    accept,
    ring,
    answer,
    reject,
    end,
    hold: async isHolding => session !== undefined && phase === 'answered' && session.hold(isHolding),
    sendInfo: referral.sendInfo,
    refer: referral.refer,
  }

  return {
    call,
    receiver,
    onCancel(cancel) {
      respond(487)
      over({ by: 'remote', status: 487, isSilent: false, reasons: reasonsOf(cancel) })
    },
    onFailure(why) {
      if (why === 'unacknowledged') return reject(504)
      if (phase === 'answered' && !isAcked) {
        session?.byeAfterEnd([])
        over({ by: 'remote', status: 408, isSilent: true })
      } else if (why === 'transport' && phase !== 'answered') over({ by: 'remote', status: 503, isSilent: true })
    },
  }
}
