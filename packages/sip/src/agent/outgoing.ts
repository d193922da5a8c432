// A call of ours (RFC 3261 §13.2): early media, the first phone that answers kept and others hung up, CANCEL and BYE. Where its
// INVITE goes is up to placement.ts.
import type { MessageCore } from '../core.ts'
import { endInvite } from '../dialog/negotiation.ts'
import { reasonHeader, reasonsOf } from '../dialog/q850.ts'
import { createReliableReceiver, receiveProvisional } from '../dialog/reliable.ts'
import { timerFromResponse } from '../dialog/session_timer.ts'
import type { DialogState } from '../dialog/state.ts'
import type { SipHeader, SipRequest, SipResponse } from '../message.ts'
import { sdpType } from './body.ts'
import type { AgentCore } from './core.ts'
import { callKey } from './core.ts'
import { describedIn, settleMedia } from './described.ts'
import { guardHandlers } from './handlers.ts'
import type { Leg } from './legs.ts'
import { Legs } from './legs.ts'
import type { Ending, PlacementUser } from './placement.ts'
import { Placement } from './placement.ts'
import { createSession } from './session.ts'
import type { Session, SessionUser } from './session_api.ts'
import { createReferral } from './transfer.ts'
import type { CallOptions, PlannedCall, SipCall, StoredCall } from './types.ts'

export function createOutgoing(core: AgentCore, options: CallOptions, planned: PlannedCall): SipCall {
  return new OutgoingSipCall(core, options, planned)
}

/** Lives from the plan of the call until 64*T1 after its end; the agent keeps it so long for messages that come late. */
class OutgoingSipCall implements SipCall {
  readonly callId: string
  private readonly core: AgentCore
  private readonly options: CallOptions
  private readonly handlers
  private readonly key
  private readonly placement: Placement
  private readonly legs = new Legs()
  phase: SipCall['phase'] = 'calling'
  private chosen: Session | undefined
  private isAcknowledged = false
  private pendingBye: SipHeader[] | undefined
  private confirming = Promise.resolve()
  private readonly byes: Promise<unknown>[] = []
  private readonly referral

  constructor(core: AgentCore, options: CallOptions, planned: PlannedCall) {
    this.core = core
    this.options = options
    this.handlers = guardHandlers(options.handlers, () => this.phase === 'ended', core.options.onError)
    this.key = callKey(planned.callId, planned.localTag)
    this.referral = createReferral(core, {
      session: () => this.chosen,
      handlers: () => this.handlers,
      isOver: () => this.isOver(),
    })
    this.placement = new Placement(core, options, planned, this.placementUser())
    this.callId = planned.callId
    this.begin()
  }

  private isOver() {
    return this.phase === 'ended'
  }

  private begin(): void {
    this.core.calls.set(this.key, {
      call: this,
      dialogs: () => this.legs.sessions().map(({ dialog }) => dialog),
      onRequest: (request, requestCore, _flow, server) => this.onRequest(request, requestCore, server),
      onAck() {},
      onStrayResponse: (response, responseCore) => {
        if (responseCore.cseq.method === 'INVITE') this.placement.receive(response, responseCore)
      },
    })
    this.core.live.add(this)
    void this.placement.start()
  }

  private placementUser(): PlacementUser {
    return {
      isOver: () => this.isOver(),
      store: async () => this.options.store?.(this.stored),
      onProgress: (response, dialog) => this.onProgress(response, dialog),
      onAnswer: (response, dialog, invite) => this.onAnswer(response, dialog, invite),
      onAnsweredAgain: () => this.chosen?.acknowledgeAgain(),
      onUnwanted: (dialog, invite) => this.hangUpOn(dialog, invite),
      onUnwantedAgain: ({ remoteTag }) => this.legs.find(remoteTag)?.session.acknowledgeAgain(),
      onGone: dialog => this.legs.drop(dialog),
      onRefused: () => this.legs.dropAllBut(this.chosen),
      onOver: (end, error) => this.over(end, error),
    }
  }

  /** All sessions begin with the offer of the INVITE. */
  private legOf(dialog: DialogState): Leg {
    const { words, digest } = this.placement
    return this.legs.of(dialog, () => {
      const session: Session = createSession(
        this.core,
        this.userOf(() => session),
        { ...words, dialog, digest, profile: this.options.profile },
      )
      return { session, reliable: createReliableReceiver(this.placement.dialog.localInviteCSeq ?? 1) }
    })
  }

  /** Only the telephone that was picked up first says what becomes of the call. */
  private userOf(own: () => Session): SessionUser {
    const isCall = () => this.chosen === own()
    return {
      onMedia: stream => {
        if (this.chosen === undefined || isCall()) this.handlers.onMedia(stream)
      },
      onInfo: (digit, durationMs) => {
        if (this.chosen === undefined || isCall()) this.handlers.onInfo?.(digit, durationMs)
      },
      onRefer: (request, requestCore, server) => {
        if (isCall()) this.referral.onRefer(request, requestCore, server)
        else this.core.respond(server, this.core.refusal(request, 481))
      },
      onNotify: (request, requestCore, server) => {
        if (isCall()) this.referral.onNotify(request, requestCore, server)
        else this.core.respond(server, this.core.refusal(request, 481))
      },
      onBye: request => {
        if (isCall()) this.over({ by: 'remote', status: 200, isSilent: false, reasons: reasonsOf(request) })
        else own().close()
      },
      onLost: (status, response) => {
        if (isCall()) this.over({ by: 'remote', status, isSilent: response === undefined })
      },
      onDialog: dialog => this.placement.moved(dialog),
    }
  }

  private onProgress(response: SipResponse, dialog: DialogState): void {
    if (this.isOver()) return
    const leg = this.legOf(dialog)
    const { receiver, result, rack } = receiveProvisional(leg.reliable, response)
    leg.reliable = receiver
    if (result === 'repeated' || result === 'early') return
    if (this.phase === 'calling') this.phase = 'ringing'
    const isReliable = result === 'new'
    const stream = describedIn(leg.session, response, isReliable, this.placement.words.local)
    if (isReliable && rack !== undefined) {
      const answer = stream?.answer
      const body = answer === undefined ? {} : { body: Buffer.from(answer), contentType: sdpType }
      void leg.session.send('PRACK', { headers: [rack], ...body }).catch(this.core.options.onError)
    }
    if (stream !== undefined) this.handlers.onMedia(stream.stream)
    this.handlers.onProgress?.(response.status, stream?.stream)
  }

  private onAnswer(response: SipResponse, dialog: DialogState, invite: SipRequest): void {
    const { session } = this.legOf(dialog)
    this.chosen = session
    this.phase = 'answered'
    session.learn(response)
    session.timer = timerFromResponse(response, this.core.now())
    const isSettled = settleMedia(session, response, this.placement.words.local, this.handlers.onMedia)
    session.negotiation = endInvite(session.negotiation)
    this.core.after(this.core.tailMs, () => {
      this.placement.settle()
      this.legs.dropAllBut(this.chosen)
    })
    this.confirming = this.confirm(session, invite, isSettled)
  }

  /** The dialog is stored before the remote party hears that it stands: then a crash can end it. */
  private async confirm(session: Session, invite: SipRequest, isSettled: boolean): Promise<void> {
    const store = this.options.store?.(this.stored).catch(this.core.options.onError)
    if (store !== undefined) await Promise.race([store, this.core.pause(2_000)])
    session.acknowledge(invite)
    this.isAcknowledged = true
    if (this.pendingBye !== undefined) return session.bye(this.pendingBye)
    if (this.isOver()) return
    if (!isSettled) {
      session.bye([reasonHeader('SIP', 488)])
      return this.over({ by: 'local', status: 488, isSilent: false })
    }
    session.watchTimer()
    this.handlers.onAnswered?.()
  }

  /** Another telephone was picked up too, or one after we gave up: it is taken off the line at once. */
  private hangUpOn(dialog: DialogState, answered: SipRequest): void {
    const { session } = this.legOf(dialog)
    session.acknowledge(answered)
    // Its session may be closed since the CANCEL.
    session.close()
    session.byeAfterEnd([reasonHeader('SIP', 200, 'Call completed elsewhere')])
    this.byes.push(session.byeAnswered)
  }

  private onRequest(request: SipRequest, requestCore: MessageCore, server: string): void {
    const leg = this.legs.find(requestCore.fromTag)
    if (leg !== undefined) {
      leg.session.onRequest(request, requestCore, server)
      return
    }
    this.core.respond(server, this.core.refusal(request, 481))
  }

  private over(end: Ending, error?: unknown): void {
    if (this.isOver()) return
    const wasAnswered = this.phase === 'answered'
    this.phase = 'ended'
    if (error !== undefined && this.core.options.onUnreachable !== undefined) this.core.options.onUnreachable(error)
    // The chosen one is closed by its BYE, which may have to wait for the ACK.
    this.byes.push(this.confirming.then(() => this.chosen?.byeAnswered))
    for (const session of this.legs.sessions())
      if (session !== this.chosen || this.pendingBye === undefined) session.close()
    this.referral.close()
    // Repeated answers and their ACKs may still come for a while.
    this.core.live.delete(this)
    this.core.after(this.core.tailMs, () => this.core.calls.delete(this.key))
    this.handlers.onEnded({ reasons: [], ...end, hasRung: this.placement.hasRung, wasAnswered })
  }

  end({ q850 = 16, headers = [] }: Parameters<SipCall['end']>[0] = {}): void {
    if (this.isOver()) return
    const reason = [reasonHeader('Q.850', q850), ...headers]
    if (this.chosen !== undefined) {
      if (this.isAcknowledged) this.chosen.bye(reason)
      else this.pendingBye = reason
    } else {
      this.placement.cancel(reason)
    }
    this.over({ by: 'local', status: this.chosen === undefined ? 487 : 200, isSilent: false })
  }

  sendInfo(digit: string, durationMs: number): Promise<boolean> {
    return this.referral.sendInfo(digit, durationMs)
  }

  refer(target: string, replaced?: SipCall): ReturnType<SipCall['refer']> {
    return this.referral.refer(target, replaced)
  }

  get remoteAddress(): string | undefined {
    return this.placement.remoteAddress
  }

  get stored(): StoredCall {
    if (this.chosen !== undefined) return { dialog: this.chosen.dialog, branch: null }
    return { dialog: this.placement.dialog, branch: this.placement.branch }
  }

  async terminated(): Promise<void> {
    await this.placement.canceledForGood()
    await Promise.all(this.byes)
  }

  async hold(isHolding: boolean): Promise<boolean> {
    return this.chosen !== undefined && !this.isOver() && this.chosen.hold(isHolding)
  }
}
