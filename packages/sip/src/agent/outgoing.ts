// A call of ours (RFC 3261 §13.2): INVITE to one target after the other until somebody is there, challenges answered, early media,
// the first telephone that is picked up kept and others hung up, CANCEL and BYE.
import type { MessageCore } from '../core.ts'
import { createDigestClient } from '../dialog/digest_client.ts'
import type { Fork } from '../dialog/fork.ts'
import { abandonFork, createFork, receiveForkResponse, settleFork, updateFork } from '../dialog/fork.ts'
import type { Negotiation } from '../dialog/negotiation.ts'
import {
  createNegotiation,
  endInvite,
  makeAnswer,
  makeOffer,
  receiveAnswer,
  receiveOffer,
  receivePreview,
  roleOfSdp,
} from '../dialog/negotiation.ts'
import { reasonHeader, reasonsOf } from '../dialog/q850.ts'
import type { ReliableReceiver } from '../dialog/reliable.ts'
import { createReliableReceiver, receiveProvisional } from '../dialog/reliable.ts'
import { nextRequest } from '../dialog/requests.ts'
import type { TimerWish } from '../dialog/session_timer.ts'
import { defaultTimerWish, raisedWish, timerFromResponse, timerHeaders } from '../dialog/session_timer.ts'
import type { DialogState } from '../dialog/state.ts'
import { planCall } from '../dialog/state.ts'
import type { SipRequest, SipResponse } from '../message.ts'
import { isFault } from '../message.ts'
import type { AudioStream } from '../offer_answer.ts'
import type { TransactionFailure } from '../transaction/user.ts'
import type { SipFlow, Target } from '../transport/types.ts'
import type { AgentCore } from './core.ts'
import { allow, callKey, supported } from './core.ts'
import type { Session } from './session.ts'
import { bodyOf, createSession, sdpType } from './session.ts'
import { createReferral } from './transfer.ts'
import type { CallEnd, CallOptions, PlannedCall, SipCall, StoredCall } from './types.ts'

/** What came of a phone that a proxy rang for us. */
type Leg = { session: Session; reliable: ReliableReceiver }

/** How long early dialogs that did not answer may live on beside the one that did (§13.2.2.4). */
const forkSettleMs = 32_000
const maxTries = 8

export function createOutgoing(core: AgentCore, options: CallOptions, planned: PlannedCall): SipCall {
  const { handlers, local, profile } = options
  const digest = options.account && createDigestClient(options.account, core.options.random)
  const key = callKey(planned.callId, planned.localTag)
  const legs = new Map<string, Leg>()
  let wish: TimerWish = options.timer ?? defaultTimerWish
  let phase: SipCall['phase'] = 'calling'
  let negotiation: Negotiation = createNegotiation()
  let plan: DialogState | undefined
  let fork: Fork | undefined
  let invite: SipRequest | undefined
  let transaction: string | undefined
  let branch: string | null = planned.branch
  let chosen: Session | undefined
  let hasRung = false
  let tries = 0
  let isFirst = true

  const isOver = () => phase === 'ended'
  const referral = createReferral(core, { session: () => chosen, handlers, isOver })

  function stored(): StoredCall {
    return { dialog: chosen?.dialog ?? plan ?? emptyPlan(), branch: chosen === undefined ? branch : null }
  }

  function emptyPlan(): DialogState {
    const { from, to, target, routes = [] } = options
    const { callId, localTag } = planned
    return planCall({ callId, localTag, from, to, target, contact: '<sip:invalid>', routes })
  }

  async function begin(): Promise<void> {
    core.calls.set(key, { onRequest, onAck() {}, onStrayResponse: onInviteResponse })
    try {
      const { nextHop } = nextRequest(emptyPlan(), 'INVITE', { via: 'SIP/2.0/UDP 192.0.2.1' })
      await tryTargets(await core.targets(nextHop, profile), 503)
    } catch (error) {
      if (!isOver()) over({ by: 'remote', status: 503, isSilent: true }, error)
    }
  }

  /** The first target that can be reached gets the INVITE; the others are for when it does not answer. */
  async function tryTargets(targets: readonly Target[], status: number): Promise<void> {
    for (const [index, target] of targets.entries()) {
      if (isOver()) return
      try {
        const octets = options.mayUseTcp === true ? 1_500 : undefined
        const flow = await core.flowTo(target, octets === undefined ? {} : { octets })
        if (isOver()) return
        return await sendInvite(flow, targets.slice(index + 1))
      } catch {
        // The next one, then.
      }
    }
    if (!isOver()) over({ by: 'remote', status, isSilent: true })
  }

  async function sendInvite(flow: SipFlow, others: readonly Target[]): Promise<void> {
    if (++tries > maxTries) return over({ by: 'remote', status: 482, isSilent: false })
    const { from, to, target, routes = [], headers = [] } = options
    const { host, port } = core.transport.sentBy(flow)
    const contact = `<sip:${host}:${port}${flow.transport === 'udp' ? '' : `;transport=${flow.transport}`}>`
    plan ??= planCall({ callId: planned.callId, localTag: planned.localTag, from, to, target, contact, routes })
    // The same description again after a challenge; another one would be another session.
    const body = negotiation.offer?.sdp ?? describe()
    const next = nextRequest(plan, 'INVITE', {
      via: core.via(flow),
      contact,
      headers: [allow, supported, ...timerHeaders(wish), ...core.headers, ...headers],
      ...(digest && { credentials: digest.credentials }),
      body: Buffer.from(body),
      contentType: sdpType,
    })
    plan = next.dialog
    fork = createFork(plan)
    invite = next.request
    if (!isFirst) branch = `z9hG4bK${core.token(12)}`
    if (!isFirst || options.planned === undefined) await options.store?.(stored())
    isFirst = false
    if (isOver()) return
    transaction = core.request(
      next.request,
      flow,
      {
        onResponse: (response, responseCore) => onInviteResponse(response, responseCore, flow, others),
        onFailure: why => onInviteFailure(why, others),
      },
      branch ?? undefined,
    )
  }

  function describe(): string {
    const offer = makeOffer(negotiation, local, 'INVITE')
    negotiation = offer.negotiation
    return offer.sdp
  }

  function onInviteFailure(why: TransactionFailure, others: readonly Target[]): void {
    if (isOver()) return
    const status = why === 'timeout' ? 408 : 503
    // After a sign of life nobody else is tried: that telephone may ring.
    if (hasRung || others.length === 0) return over({ by: 'remote', status, isSilent: !hasRung })
    void tryTargets(others, status).catch(error => over({ by: 'remote', status: 503, isSilent: true }, error))
  }

  function onInviteResponse(
    response: SipResponse,
    responseCore: MessageCore,
    flow?: SipFlow,
    others: readonly Target[] = [],
  ): void {
    if (fork === undefined || invite === undefined) return
    const received = receiveForkResponse(fork, response, responseCore)
    fork = received.fork
    const { event } = received
    switch (event.kind) {
      case 'trying':
        if (response.status > 100) hasRung = true
        return
      case 'progress':
        return onProgress(response, responseCore, event.dialog)
      case 'gone':
        return dropLeg(event.dialog)
      case 'answered':
        return onAnswer(response, event.dialog)
      case 'answered_again':
        return chosen?.acknowledgeAgain()
      case 'unwanted':
      case 'unwanted_again':
        return hangUpOn(event.dialog)
      case 'refused':
        if (flow !== undefined) onRefusal(response, responseCore, flow, others)
        return
      case 'stale':
        return
    }
  }

  /** The session of an early dialog; all of them begin with the offer of the INVITE. */
  function legOf(dialog: DialogState): Leg {
    const tag = dialog.remoteTag ?? ''
    let leg = legs.get(tag)
    if (leg === undefined) {
      const session = createSession(core, userOf(), { dialog, negotiation, local, digest, profile, wish })
      leg = { session, reliable: createReliableReceiver(plan?.localInviteCSeq ?? 1) }
      legs.set(tag, leg)
    }
    leg.session.dialog = dialog
    return leg
  }

  function userOf() {
    return {
      onMedia: (stream: AudioStream) => handlers.onMedia(stream),
      onInfo: (digit: string, durationMs: number) => handlers.onInfo?.(digit, durationMs),
      onRefer: referral.onRefer,
      onNotify: referral.onNotify,
      onBye: (request: SipRequest) => over({ by: 'remote', status: 200, isSilent: false, reasons: reasonsOf(request) }),
      onLost: (status: number, response: SipResponse | undefined) =>
        over({ by: 'remote', status, isSilent: response === undefined }),
      onDialog(dialog: DialogState) {
        if (fork !== undefined) fork = updateFork(fork, dialog)
      },
    }
  }

  function onProgress(response: SipResponse, responseCore: MessageCore, dialog: DialogState): void {
    hasRung = true
    if (isOver()) return
    const leg = legOf(dialog)
    const { receiver, result, rack } = receiveProvisional(leg.reliable, response)
    leg.reliable = receiver
    if (result === 'repeated' || result === 'early') return
    if (phase === 'calling') phase = 'ringing'
    const isReliable = result === 'new'
    const stream = describedIn(leg.session, response, isReliable)
    if (isReliable && rack !== undefined) {
      const answer = stream?.answer
      const body = answer === undefined ? {} : { body: Buffer.from(answer), contentType: sdpType }
      void leg.session.send('PRACK', { headers: [rack], ...body }).catch(core.options.onError)
    }
    if (stream !== undefined) handlers.onMedia(stream.stream)
    handlers.onProgress?.(response.status, stream?.stream)
    void responseCore
  }

  /** What a response to the INVITE says of media: our offer's answer, a preview of it, or an offer to be answered. */
  function describedIn(session: Session, response: SipResponse, isReliable: boolean) {
    const sdp = bodyOf(response)
    if (sdp === undefined) return undefined
    const { status } = response
    const role = roleOfSdp(session.negotiation, { kind: 'response', method: 'INVITE', status, isReliable })
    if (role === 'preview') {
      const preview = receivePreview(session.negotiation, sdp, local)
      if (isFault(preview)) return undefined
      session.negotiation = preview.negotiation
      return { stream: preview.stream, answer: undefined }
    }
    if (role === 'answer') {
      const agreed = receiveAnswer(session.negotiation, sdp, local)
      if (isFault(agreed)) return undefined
      session.negotiation = agreed.negotiation
      return { stream: agreed.stream, answer: undefined }
    }
    if (role !== 'offer') return undefined
    const offered = receiveOffer(session.negotiation, sdp, 'response')
    const made = isFault(offered) ? offered : makeAnswer(offered, local)
    if (isFault(made)) return undefined
    session.negotiation = made.negotiation
    return { stream: made.stream, answer: made.sdp }
  }

  function onAnswer(response: SipResponse, dialog: DialogState): void {
    const { session } = legOf(dialog)
    digest?.accepted()
    chosen = session
    phase = 'answered'
    session.learn(response)
    session.timer = timerFromResponse(response, core.now())
    const isSettled = settleMedia(session, response)
    session.negotiation = endInvite(session.negotiation)
    core.after(forkSettleMs, () => {
      if (fork !== undefined) fork = settleFork(fork)
      dropOthers()
    })
    void confirm(session, isSettled)
  }

  /** The dialog is stored before the other side hears that it stands: then a crash can end it. */
  async function confirm(session: Session, isSettled: boolean): Promise<void> {
    const store = options.store?.(stored()).catch(core.options.onError)
    if (store !== undefined) await Promise.race([store, new Promise<void>(resolve => core.after(2_000, resolve))])
    if (invite !== undefined) session.acknowledge(invite)
    if (isOver()) return session.bye()
    if (!isSettled) {
      session.bye([reasonHeader('SIP', 488)])
      return over({ by: 'local', status: 488, isSilent: false })
    }
    session.watchTimer()
    handlers.onAnswered?.()
  }

  /** In the 2xx, or before it in a reliable response, or as some do it only in an unreliable one. */
  function settleMedia(session: Session, response: SipResponse): boolean {
    const described = describedIn(session, response, true)
    if (described !== undefined) {
      handlers.onMedia(described.stream)
      return true
    }
    if (session.negotiation.phase === 'stable') return session.negotiation.remote !== null
    const { preview } = session.negotiation
    if (session.negotiation.phase !== 'offered' || preview === null) return false
    const agreed = receiveAnswer(session.negotiation, preview, local)
    if (isFault(agreed)) return false
    session.negotiation = agreed.negotiation
    handlers.onMedia(agreed.stream)
    return true
  }

  /** Another telephone was picked up too, or one after we gave up: it is taken off the line at once. */
  function hangUpOn(dialog: DialogState): void {
    if (invite === undefined) return
    const { session } = legOf(dialog)
    session.acknowledge(invite)
    session.bye([reasonHeader('SIP', 200, 'Call completed elsewhere')])
  }

  function dropLeg({ remoteTag }: DialogState): void {
    legs.get(remoteTag ?? '')?.session.close()
    legs.delete(remoteTag ?? '')
  }

  function dropOthers(): void {
    for (const [tag, { session }] of legs) {
      if (session === chosen) continue
      session.close()
      legs.delete(tag)
    }
  }

  function onRefusal(response: SipResponse, responseCore: MessageCore, flow: SipFlow, others: readonly Target[]): void {
    const { status } = response
    if (isOver() || invite === undefined) return
    dropOthers()
    if ((status === 401 || status === 407) && digest?.challenged(response, invite) === 'retry')
      return again(flow, others)
    if (status === 422) {
      const raised = raisedWish(wish, response)
      if (raised !== undefined) {
        wish = raised
        return again(flow, others)
      }
    }
    // RFC 3263 §4.3: the next server of the same target, unless a telephone has rung.
    if (status === 503 && !hasRung && others.length > 0) {
      void tryTargets(others, 503).catch(core.options.onError)
      return
    }
    void responseCore
    over({ by: 'remote', status, isSilent: false, reasons: reasonsOf(response), response })
  }

  function again(flow: SipFlow, others: readonly Target[]): void {
    sendInvite(flow, others).catch(error => over({ by: 'remote', status: 503, isSilent: true }, error))
  }

  function onRequest(request: SipRequest, requestCore: MessageCore, _flow: SipFlow, server: string): void {
    const leg = legs.get(requestCore.fromTag ?? '')
    if (leg !== undefined) return leg.session.onRequest(request, requestCore, server)
    core.respond(server, core.refusal(request, 481))
  }

  function over(end: Omit<CallEnd, 'hasRung' | 'reasons'> & Partial<CallEnd>, error?: unknown): void {
    if (isOver()) return
    phase = 'ended'
    if (error !== undefined && core.options.onUnreachable !== undefined) core.options.onUnreachable(error)
    for (const { session } of legs.values()) if (session !== chosen || end.by === 'remote') session.close()
    referral.close()
    // Repeated answers and their ACKs may still come for a while.
    core.after(forkSettleMs, () => core.calls.delete(key))
    handlers.onEnded({ reasons: [], ...end, hasRung })
  }

  function end({ q850 = 16, headers = [] }: Parameters<SipCall['end']>[0] = {}): void {
    if (isOver()) return
    const reason = [reasonHeader('Q.850', q850), ...headers]
    if (chosen !== undefined) chosen.bye(reason)
    else {
      if (fork !== undefined) fork = abandonFork(fork)
      if (transaction !== undefined) core.layer.cancel(transaction, core.now(), reason)
      core.rearm()
    }
    over({ by: 'local', status: chosen === undefined ? 487 : 200, isSilent: false })
  }

  void begin()
  return {
    callId: planned.callId,
    get stored() {
      return stored()
    },
    get phase() {
      return phase
    },
    end,
    hold: async isHolding => chosen !== undefined && !isOver() && chosen.hold(isHolding),
    sendInfo: referral.sendInfo,
    refer: referral.refer,
  }
}
