// A call of ours (RFC 3261 §13.2): INVITE to one target after the other until somebody is there, challenges answered, early media,
// the first telephone that is picked up kept and others hung up, CANCEL and BYE.
import type { MessageCore } from '../core.ts'
import type { DigestClient } from '../dialog/digest_client.ts'
import { createDigestClient } from '../dialog/digest_client.ts'
import type { Fork } from '../dialog/fork.ts'
import { abandonFork, createFork, receiveForkResponse, settleFork, updateFork } from '../dialog/fork.ts'
import { endInvite, makeOffer } from '../dialog/negotiation.ts'
import { reasonHeader, reasonsOf } from '../dialog/q850.ts'
import type { ReliableReceiver } from '../dialog/reliable.ts'
import { createReliableReceiver, receiveProvisional } from '../dialog/reliable.ts'
import { nextRequest } from '../dialog/requests.ts'
import { timerFromResponse } from '../dialog/session_timer.ts'
import type { DialogState } from '../dialog/state.ts'
import { planCall } from '../dialog/state.ts'
import type { SipHeader, SipRequest, SipResponse } from '../message.ts'
import { serializeMessage } from '../serialize.ts'
import type { TransactionFailure } from '../transaction/user.ts'
import type { SipFlow, Target } from '../transport/types.ts'
import type { AgentCore } from './core.ts'
import { allow, callKey, contactAt } from './core.ts'
import { describedIn, settleMedia } from './described.ts'
import { guardHandlers } from './handlers.ts'
import { afterRefusal, extensions, firstWords } from './second_try.ts'
import type { Session, SessionUser } from './session.ts'
import { createSession, sdpType } from './session.ts'
import { createReferral } from './transfer.ts'
import type { CallEnd, CallOptions, PlannedCall, SipCall, StoredCall } from './types.ts'

/** What came of a phone that a proxy rang for us. */
type Leg = { session: Session; reliable: ReliableReceiver }

const maxTries = 8
const placeholderVia = 'SIP/2.0/UDP 192.0.2.1'

export function createOutgoing(core: AgentCore, options: CallOptions, planned: PlannedCall): SipCall {
  const { profile } = options
  const handlers = guardHandlers(options.handlers, () => phase === 'ended', core.options.onError)
  const digest = options.account && createDigestClient(options.account, core.options.random)
  const key = callKey(planned.callId, planned.localTag)
  const legs = new Map<string, Leg>()
  let words = firstWords(options)
  let phase: SipCall['phase'] = 'calling'
  let plan: DialogState | undefined
  let fork: Fork | undefined
  let invite: SipRequest | undefined
  /** Of targets that did not answer in time: they may still, and are hung up then. */
  const abandoned: { fork: Fork; invite: SipRequest }[] = []
  let transaction: string | undefined
  let branch: string | null = planned.branch
  let chosen: Session | undefined
  let hasRung = false
  let tries = 0
  let isFirst = true
  let isAcknowledged = false
  let remoteAddress: string | undefined
  let pendingBye: SipHeader[] | undefined
  let confirming = Promise.resolve()
  const farewells: Promise<unknown>[] = []
  /** Of an INVITE that was taken back: until its final answer the far side may ring. */
  let canceled: PromiseWithResolvers<void> | undefined

  const isOver = () => phase === 'ended'
  const referral = createReferral(core, { session: () => chosen, handlers, isOver })

  function stored(): StoredCall {
    return { dialog: chosen?.dialog ?? plan ?? emptyPlan(), branch: chosen === undefined ? branch : null }
  }

  function emptyPlan(): DialogState {
    const { from, to, target, routes = [], hop } = options
    const { callId, localTag } = planned
    const way = hop === undefined ? {} : { hop }
    return planCall({ callId, localTag, from, to, target, contact: '<sip:invalid>', routes, ...way })
  }

  async function begin(): Promise<void> {
    core.calls.set(key, {
      call,
      dialogs: () => [...legs.values()].map(({ session }) => session.dialog),
      onRequest,
      onAck() {},
      onStrayResponse(response, responseCore) {
        if (responseCore.cseq.method === 'INVITE') onInviteResponse(response, responseCore)
      },
    })
    core.live.add(call)
    try {
      const { nextHop } = nextRequest(emptyPlan(), 'INVITE', { via: placeholderVia })
      const targets = await core.targets(nextHop, profile, options.hop !== undefined, options.mayReach)
      if (!isOver()) await tryTargets(targets, 503)
    } catch (error) {
      if (!isOver()) over({ by: 'remote', status: 503, isSilent: true }, error)
    }
  }

  /** The first target that can be reached gets the INVITE; the others are for when it does not answer. */
  async function tryTargets(targets: readonly Target[], status: number): Promise<void> {
    let last: unknown
    for (const [index, target] of targets.entries()) {
      let flow: SipFlow
      try {
        flow = await core.flowTo(target, {
          ...(options.mayUseTcp === true && { octets: octetsOfInvite() }),
          ...(options.hop !== undefined && { reuseInbound: 'source' }),
        })
      } catch (error) {
        last = error
        continue
      }
      return isOver() ? undefined : sendInvite(flow, targets.slice(index + 1))
    }
    if (!isOver()) over({ by: 'remote', status, isSilent: true }, last)
  }

  /** About as many as the INVITE will have: Via and Contact depend on the way, which depends on the size. */
  function octetsOfInvite(): number {
    const names = ' '.repeat(200)
    return serializeMessage(writeInvite(plan ?? emptyPlan(), `${placeholderVia}${names}`).request).length
  }

  function writeInvite(call: DialogState, via: string, contact?: string, credentials?: DigestClient['credentials']) {
    return nextRequest(call, 'INVITE', {
      via,
      ...(contact !== undefined && { contact }),
      headers: [allow, ...extensions(words), ...core.headers, ...(options.headers ?? [])],
      ...(credentials && { credentials }),
      // The same description again after a challenge; another one would be another session.
      body: Buffer.from(words.negotiation.offer?.sdp ?? describe()),
      contentType: sdpType,
    })
  }

  async function sendInvite(flow: SipFlow, others: readonly Target[]): Promise<void> {
    remoteAddress = flow.remote.address
    if (++tries > maxTries) return over({ by: 'remote', status: 482, isSilent: false })
    const contact = contactAt(core.transport, flow, /^sips:/i.test(options.target))
    const next = writeInvite(plan ?? emptyPlan(), core.via(flow), contact, digest?.credentials)
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
    const offer = makeOffer(words.negotiation, words.local, 'INVITE')
    words.negotiation = offer.negotiation
    return offer.sdp
  }

  function onInviteFailure(why: TransactionFailure, others: readonly Target[]): void {
    canceled?.resolve()
    if (isOver()) return
    const status = why === 'timeout' ? 408 : 503
    if (fork !== undefined && invite !== undefined) abandoned.push({ fork: abandonFork(fork), invite })
    // After a sign of life nobody else is tried: that telephone may ring.
    if (hasRung || others.length === 0) {
      over({ by: 'remote', status, isSilent: !hasRung })
      return
    }
    void tryTargets(others, status).catch(error => over({ by: 'remote', status: 503, isSilent: true }, error))
  }

  function onInviteResponse(
    response: SipResponse,
    responseCore: MessageCore,
    flow?: SipFlow,
    others: readonly Target[] = [],
  ): void {
    if (fork === undefined || invite === undefined) return
    const late = abandoned.find(({ fork: { call: of } }) => of.localInviteCSeq === responseCore.cseq.number)
    if (late !== undefined) {
      onLateResponse(late, response, responseCore)
      return
    }
    if (response.status >= 200) canceled?.resolve()
    const received = receiveForkResponse(fork, response, responseCore)
    fork = received.fork
    const { event } = received
    switch (event.kind) {
      case 'trying':
        if (response.status > 100) hasRung = true
        return
      case 'progress':
        onProgress(response, event.dialog)
        return
      case 'gone':
        dropLeg(event.dialog)
        return
      case 'answered':
        onAnswer(response, event.dialog)
        return
      case 'answered_again':
        chosen?.acknowledgeAgain()
        return
      case 'unwanted':
        hangUpOn(event.dialog, invite)
        return
      case 'unwanted_again':
        legs.get(event.dialog.remoteTag ?? '')?.session.acknowledgeAgain()
        return
      case 'refused':
        if (flow !== undefined) onRefusal(response, flow, others)
        return
      case 'stale':
        return
    }
  }

  /** Whoever answers after somebody else was tried, or nobody any more, gets ACK and BYE. */
  function onLateResponse(late: (typeof abandoned)[number], response: SipResponse, responseCore: MessageCore): void {
    const received = receiveForkResponse(late.fork, response, responseCore)
    late.fork = received.fork
    const { event } = received
    if (event.kind === 'unwanted') hangUpOn(event.dialog, late.invite)
    if (event.kind === 'unwanted_again') legs.get(event.dialog.remoteTag ?? '')?.session.acknowledgeAgain()
  }

  /** The session of an early dialog; all of them begin with the offer of the INVITE. */
  function legOf(dialog: DialogState): Leg {
    const tag = dialog.remoteTag ?? ''
    let leg = legs.get(tag)
    if (leg === undefined) {
      const session: Session = createSession(
        core,
        userOf(() => session),
        { ...words, dialog, digest, profile },
      )
      leg = { session, reliable: createReliableReceiver(plan?.localInviteCSeq ?? 1) }
      legs.set(tag, leg)
    }
    leg.session.dialog = dialog
    return leg
  }

  /** Only the telephone that was picked up first says what becomes of the call. */
  function userOf(own: () => Session): SessionUser {
    const isCall = () => chosen === own()
    return {
      onMedia(stream) {
        if (chosen === undefined || isCall()) handlers.onMedia(stream)
      },
      onInfo(digit, durationMs) {
        if (chosen === undefined || isCall()) handlers.onInfo?.(digit, durationMs)
      },
      onRefer(request, requestCore, server) {
        if (isCall()) referral.onRefer(request, requestCore, server)
        else core.respond(server, core.refusal(request, 481))
      },
      onNotify(request, requestCore, server) {
        if (isCall()) referral.onNotify(request, requestCore, server)
        else core.respond(server, core.refusal(request, 481))
      },
      onBye(request) {
        if (isCall()) over({ by: 'remote', status: 200, isSilent: false, reasons: reasonsOf(request) })
        else own().close()
      },
      onLost(status, response) {
        if (isCall()) over({ by: 'remote', status, isSilent: response === undefined })
      },
      onDialog(dialog: DialogState) {
        if (fork !== undefined) fork = updateFork(fork, dialog)
      },
    }
  }

  function onProgress(response: SipResponse, dialog: DialogState): void {
    hasRung = true
    if (isOver()) return
    const leg = legOf(dialog)
    const { receiver, result, rack } = receiveProvisional(leg.reliable, response)
    leg.reliable = receiver
    if (result === 'repeated' || result === 'early') return
    if (phase === 'calling') phase = 'ringing'
    const isReliable = result === 'new'
    const stream = describedIn(leg.session, response, isReliable, words.local)
    if (isReliable && rack !== undefined) {
      const answer = stream?.answer
      const body = answer === undefined ? {} : { body: Buffer.from(answer), contentType: sdpType }
      void leg.session.send('PRACK', { headers: [rack], ...body }).catch(core.options.onError)
    }
    if (stream !== undefined) handlers.onMedia(stream.stream)
    handlers.onProgress?.(response.status, stream?.stream)
  }

  function onAnswer(response: SipResponse, dialog: DialogState): void {
    const { session } = legOf(dialog)
    digest?.accepted()
    chosen = session
    phase = 'answered'
    session.learn(response)
    session.timer = timerFromResponse(response, core.now())
    const isSettled = settleMedia(session, response, words.local, handlers.onMedia)
    session.negotiation = endInvite(session.negotiation)
    core.after(core.tailMs, () => {
      if (fork !== undefined) fork = settleFork(fork)
      dropOthers()
    })
    confirming = confirm(session, isSettled)
  }

  /** The dialog is stored before the other side hears that it stands: then a crash can end it. */
  async function confirm(session: Session, isSettled: boolean): Promise<void> {
    const store = options.store?.(stored()).catch(core.options.onError)
    if (store !== undefined) await Promise.race([store, core.pause(2_000)])
    if (invite !== undefined) session.acknowledge(invite)
    isAcknowledged = true
    if (pendingBye !== undefined) return session.bye(pendingBye)
    if (isOver()) return
    if (!isSettled) {
      session.bye([reasonHeader('SIP', 488)])
      return over({ by: 'local', status: 488, isSilent: false })
    }
    session.watchTimer()
    handlers.onAnswered?.()
  }

  /** Another telephone was picked up too, or one after we gave up: it is taken off the line at once. */
  function hangUpOn(dialog: DialogState, answered: SipRequest): void {
    const { session } = legOf(dialog)
    session.acknowledge(answered)
    // Its session may be closed since the CANCEL.
    session.close()
    session.byeAfterEnd([reasonHeader('SIP', 200, 'Call completed elsewhere')])
    farewells.push(session.farewell)
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

  function onRefusal(response: SipResponse, flow: SipFlow, others: readonly Target[]): void {
    const { status } = response
    if (isOver() || invite === undefined) return
    dropOthers()
    const isProof = (status === 401 || status === 407) && digest?.challenged(response, invite) === 'retry'
    const next = isProof ? words : afterRefusal(words, response)
    if (next !== undefined) {
      words = next
      again(flow, others)
      return
    }
    // RFC 3263 §4.3: the next server of the same target, unless a telephone has rung.
    if (status === 503 && !hasRung && others.length > 0) {
      void tryTargets(others, 503).catch(error => over({ by: 'remote', status: 503, isSilent: true }, error))
      return
    }
    over({ by: 'remote', status, isSilent: false, reasons: reasonsOf(response), response })
  }

  function again(flow: SipFlow, others: readonly Target[]): void {
    sendInvite(flow, others).catch(error => over({ by: 'remote', status: 503, isSilent: true }, error))
  }

  function onRequest(request: SipRequest, requestCore: MessageCore, _flow: SipFlow, server: string): void {
    const leg = legs.get(requestCore.fromTag ?? '')
    if (leg !== undefined) {
      leg.session.onRequest(request, requestCore, server)
      return
    }
    core.respond(server, core.refusal(request, 481))
  }

  function over(end: Omit<CallEnd, 'hasRung' | 'reasons' | 'wasAnswered'> & Partial<CallEnd>, error?: unknown): void {
    if (isOver()) return
    const wasAnswered = phase === 'answered'
    phase = 'ended'
    if (error !== undefined && core.options.onUnreachable !== undefined) core.options.onUnreachable(error)
    // The chosen one is closed by its BYE, which may have to wait for the ACK.
    farewells.push(confirming.then(() => chosen?.farewell))
    for (const { session } of legs.values()) if (session !== chosen || pendingBye === undefined) session.close()
    referral.close()
    // Repeated answers and their ACKs may still come for a while.
    core.live.delete(call)
    core.after(core.tailMs, () => core.calls.delete(key))
    handlers.onEnded({ reasons: [], ...end, hasRung, wasAnswered })
  }

  function end({ q850 = 16, headers = [] }: Parameters<SipCall['end']>[0] = {}): void {
    if (isOver()) return
    const reason = [reasonHeader('Q.850', q850), ...headers]
    if (chosen !== undefined) {
      if (isAcknowledged) chosen.bye(reason)
      else pendingBye = reason
    } else {
      if (fork !== undefined) fork = abandonFork(fork)
      if (transaction !== undefined && core.layer.cancel(transaction, core.now(), reason)) {
        canceled = Promise.withResolvers()
        // Nobody waits longer for an answer that does not come (RFC 3261 §9.1).
        core.after(core.tailMs, canceled.resolve)
      }
      core.rearm()
    }
    over({ by: 'local', status: chosen === undefined ? 487 : 200, isSilent: false })
  }

  const call: SipCall = {
    callId: planned.callId,
    get stored() {
      return stored()
    },
    get phase() {
      return phase
    },
    get remoteAddress() {
      return remoteAddress
    },
    end,
    async farewell() {
      await canceled?.promise
      await Promise.all(farewells)
    },
    hold: async isHolding => chosen !== undefined && !isOver() && chosen.hold(isHolding),
    sendInfo: referral.sendInfo,
    refer: referral.refer,
  }
  void begin()
  return call
}
