// One dialog of a call, early or confirmed: requests both ways, media by offer and answer, session timers, hold, transfer.
import type { MessageCore } from '../core.ts'
import type { Negotiation } from '../dialog/negotiation.ts'
import {
  dropOffer,
  endInvite,
  glareDelayMs,
  makeAnswer,
  makeOffer,
  mayOffer,
  receiveAnswer,
  receiveInvite,
  receiveOffer,
  refuseGlare,
  roleOfSdp,
  withHold,
} from '../dialog/negotiation.ts'
import { reasonHeader } from '../dialog/q850.ts'
import { receiveDialogResponse, receiveInDialog, shouldSayBye, withoutRefresh } from '../dialog/receive.ts'
import type { RequestParts } from '../dialog/requests.ts'
import { ackOf2xx, nextRequest } from '../dialog/requests.ts'
import { answerTimer } from '../dialog/session_timer.ts'
import type { DialogState } from '../dialog/state.ts'
import type { SipFault, SipHeader, SipRequest, SipResponse } from '../message.ts'
import { isFault, methods } from '../message.ts'
import { createResponse, refusal } from '../replies.ts'
import type { SipFlow } from '../transport/types.ts'
import { bodyOf, sdpType } from './body.ts'
import type { AgentCore } from './core.ts'
import { abilities, allow, supported } from './core.ts'
import { readDigit } from './info.ts'
import { createRefresher } from './refresh.ts'
import type { Outcome, SendParts, Session, SessionOptions, SessionUser } from './session_api.ts'

const placeholderVia = 'SIP/2.0/UDP 192.0.2.1'
const emptyRequest: SipRequest = { kind: 'request', method: '', uri: '', headers: [], body: Buffer.alloc(0) }

export function createSession(core: AgentCore, user: SessionUser, options: SessionOptions): Session {
  return new DialogSession(core, user, options)
}

/** Lives as long as its dialog, from the first response that has a tag; `close` ends it, a BYE may still follow. */
class DialogSession implements Session {
  private readonly core: AgentCore
  private readonly user: SessionUser
  private readonly local: SessionOptions['local']
  private readonly digest: SessionOptions['digest']
  private readonly profile: SessionOptions['profile']
  isClosed = false
  private lastAck: { request: SipRequest; flow: SipFlow } | undefined
  dialog
  negotiation
  timer
  byeAnswered: Promise<void> = Promise.resolve()
  private readonly refresher

  constructor(core: AgentCore, user: SessionUser, options: SessionOptions) {
    this.core = core
    this.user = user
    const { local, digest, profile } = options
    this.local = local
    this.digest = digest
    this.profile = profile
    this.dialog = options.dialog
    this.negotiation = options.negotiation
    this.timer = options.timer
    this.refresher = createRefresher(core, {
      wish: options.wish,
      session: () => this,
      reinvite: () => this.reinvite(negotiation => negotiation),
      lost: () => this.lost(408, undefined),
    })
  }

  private move(dialog: DialogState): void {
    this.dialog = dialog
    this.user.onDialog(dialog)
  }

  async send(method: string, parts: SendParts = {}): Promise<Outcome> {
    for (;;) {
      const outcome = await this.sendOnce(method, parts)
      const { response, request } = outcome
      if (response === undefined || this.digest === undefined || (response.status !== 401 && response.status !== 407)) {
        return outcome
      }
      if (this.digest.challenged(response, request) !== 'retry') return outcome
    }
  }

  private async sendOnce(method: string, { onSent, ...parts }: SendParts) {
    const full = { ...parts, ...(this.digest && { credentials: this.digest.credentials }) }
    let sent: { request: SipRequest; flow: SipFlow }
    try {
      sent = await this.prepare(method, full)
    } catch {
      return { status: 503, response: undefined, core: undefined, request: emptyRequest }
    }
    const { request, flow } = sent
    onSent?.(this.dialog.localCSeq)
    let stopWaiting = () => {}
    const outcome = await new Promise<Outcome>(resolve => {
      const transaction = this.core.request(request, flow, {
        onResponse: (response, responseCore) => {
          if (response.status < 200) return
          if (method === 'INVITE' && response.status < 300) this.received2xx(request, response, responseCore, flow)
          resolve({ status: response.status, response, core: responseCore })
        },
        onFailure: why => resolve({ status: why === 'timeout' ? 408 : 503, response: undefined, core: undefined }),
      })
      if (method === 'INVITE') stopWaiting = this.core.after(this.core.tailMs, () => this.giveUp(transaction))
    })
    stopWaiting()
    const { status, response, core: responseCore } = outcome
    if (response !== undefined && responseCore !== undefined && status !== 401 && status !== 407) {
      this.move(receiveDialogResponse(this.dialog, method, response, responseCore))
      this.digest?.accepted()
    }
    if (shouldSayBye(method, status) && !this.isClosed) this.lost(status, response)
    return { ...outcome, request }
  }

  /** A provisional response ends timer B (§17.1.1.2): then nothing but CANCEL bounds the wait for the final one (§9.1). */
  private giveUp(invite: string): void {
    this.core.layer.cancel(invite, this.core.now())
    this.core.rearm()
  }

  private async prepare(method: string, parts: Omit<RequestParts, 'via'>) {
    // Where it goes depends on the routes; what it says on the socket that leads there.
    const { nextHop } = nextRequest(this.dialog, method, { via: placeholderVia })
    const flow = await this.core.way(nextHop, this.profile, this.dialog.hop !== undefined)
    const next = nextRequest(this.dialog, method, {
      ...parts,
      via: this.core.via(flow),
      headers: [...(parts.headers ?? []), ...this.core.headers],
    })
    this.move(next.dialog)
    return { request: next.request, flow }
  }

  private received2xx(invite: SipRequest, response: SipResponse, responseCore: MessageCore, flow: SipFlow): void {
    this.move(receiveDialogResponse(this.dialog, 'INVITE', response, responseCore))
    this.acknowledge(invite, undefined, flow)
  }

  acknowledge(invite: SipRequest, body?: string, over?: SipFlow): void {
    const parts = body === undefined ? {} : { body: Buffer.from(body), contentType: sdpType }
    const send = (flow: SipFlow) => {
      const { request } = ackOf2xx(this.dialog, { via: this.core.via(flow), invite, ...parts })
      this.lastAck = { request, flow }
      this.core.sendAck(request, flow)
    }
    const { nextHop } = ackOf2xx(this.dialog, { via: placeholderVia })
    // Routes may lead elsewhere than the INVITE went, and so may a new Contact.
    if (over !== undefined && this.dialog.routes.length === 0 && this.dialog.remoteTarget === invite.uri) send(over)
    else this.core.way(nextHop, this.profile, this.dialog.hop !== undefined).then(send, this.core.options.onError)
  }

  /** The media agreed by our offer and their answer. */
  private settle(sdp: string): boolean {
    if (this.negotiation.phase !== 'offered') return false
    const agreed = receiveAnswer(this.negotiation, sdp, this.local)
    if (isFault(agreed)) return false
    this.negotiation = agreed.negotiation
    this.user.onMedia(agreed.stream)
    return true
  }

  /** An offer of ours in a re-INVITE; after a 491 once more. */
  private async reinvite(change: (negotiation: Negotiation) => Negotiation): Promise<boolean> {
    for (let tries = 0; tries < 3 && !this.isClosed; tries++) {
      const before = this.negotiation
      if (!mayOffer(before, 'INVITE')) {
        await this.core.pause(200 + 300 * tries)
        continue
      }
      const { negotiation, sdp } = makeOffer(change(before), this.local, 'INVITE')
      this.negotiation = negotiation
      const outcome = await this.send('INVITE', {
        headers: [allow, supported, ...this.refresher.headers()],
        body: Buffer.from(sdp),
        contentType: sdpType,
      })
      const { status, response } = outcome
      const isTaken = status >= 200 && status < 300 && response !== undefined
      const isSettled = isTaken && this.settle(bodyOf(response) ?? '')
      this.negotiation = endInvite(isSettled ? this.negotiation : this.restored(before))
      if (isTaken && response) this.refresher.take(response)
      if (isSettled) return true
      if (this.refresher.raise(outcome)) continue
      if (status !== 491) return false
      await this.core.pause(glareDelayMs(this.dialog.role, this.core.chance()))
    }
    return false
  }

  /** What was agreed before, with the version of descriptions we have come to. */
  private restored(before: Negotiation): Negotiation {
    return { ...dropOffer(this.negotiation), isHolding: before.isHolding }
  }

  onRequest(request: SipRequest, requestCore: MessageCore, transaction: string): void {
    const before = this.dialog
    const reception = receiveInDialog(before, request, requestCore)
    if (reception.kind === 'ignored') return
    if (reception.kind === 'refused') {
      this.refuse(request, transaction, reception.fault)
      return
    }
    const flaw = request.method === 'BYE' ? undefined : refusal(request, abilities, methods)
    this.move(flaw === undefined ? reception.dialog : withoutRefresh(before, reception.dialog))
    if (flaw !== undefined) {
      this.refuse(request, transaction, flaw)
      return
    }
    switch (request.method) {
      case 'BYE':
        this.answer(request, transaction, 200)
        this.user.onBye(request)
        return
      case 'INVITE':
        this.onOffer(request, transaction, before, 'INVITE')
        return
      case 'UPDATE':
        this.onOffer(request, transaction, before, 'UPDATE')
        return
      case 'INFO':
        this.answer(request, transaction, 200)
        this.emitDigit(readDigit(request))
        return
      case 'REFER':
        this.user.onRefer(request, requestCore, transaction)
        return
      case 'NOTIFY':
        this.user.onNotify(request, requestCore, transaction)
        return
      case 'OPTIONS':
        this.answer(request, transaction, 200, { headers: [allow, supported] })
        return
      default:
        this.answer(request, transaction, 405, { headers: [allow] })
    }
  }

  private answer(request: SipRequest, transaction: string, status: number, parts: object = {}): void {
    this.core.respond(transaction, createResponse(request, status, { toTag: this.dialog.localTag, ...parts }))
  }

  private refuse(request: SipRequest, transaction: string, { status, headers = [] }: SipFault): void {
    this.answer(request, transaction, status, { headers })
  }

  /** A re-INVITE or an UPDATE: new media, a hold, a refresh. */
  private onOffer(request: SipRequest, transaction: string, before: DialogState, method: 'INVITE' | 'UPDATE'): void {
    const sdp = bodyOf(request)
    const glare = refuseGlare(this.negotiation, method, sdp !== undefined, Math.floor(this.core.chance() * 10))
    const timing = glare ?? answerTimer(request, this.refresher.wish, this.core.now())
    if (isFault(timing)) {
      this.move(withoutRefresh(before, this.dialog))
      this.refuse(request, transaction, timing)
      return
    }
    const made = this.describe(sdp, method)
    if (isFault(made)) {
      this.negotiation = dropOffer(this.negotiation)
      if (method === 'INVITE') this.negotiation = endInvite(this.negotiation)
      this.move(withoutRefresh(before, this.dialog))
      this.refuse(request, transaction, made)
      return
    }
    this.timer = timing.timer
    this.refresher.watch()
    // §14.2: a 2xx that is never acknowledged ends the call.
    if (method === 'INVITE') this.core.failures.set(transaction, why => why === 'timeout' && this.lost(408, undefined))
    const headers = [{ name: 'Contact', value: this.dialog.localContact }, allow, supported, ...timing.headers]
    const body = made.sdp === undefined ? {} : { body: Buffer.from(made.sdp), contentType: sdpType }
    this.answer(request, transaction, 200, { headers, ...body })
    // When the 2xx has the offer, the ACK ends it.
    if (method === 'INVITE' && this.negotiation.phase !== 'offered') {
      this.negotiation = endInvite(this.negotiation)
    }
    if (made.stream !== undefined) this.user.onMedia(made.stream)
  }

  private describe(sdp: string | undefined, method: 'INVITE' | 'UPDATE') {
    if (method === 'UPDATE' && sdp === undefined) return { sdp: undefined, stream: undefined }
    const received =
      method === 'INVITE' ? receiveInvite(this.negotiation, sdp) : receiveOffer(this.negotiation, sdp ?? '', 'UPDATE')
    if (isFault(received)) return received
    this.negotiation = received
    if (sdp === undefined) {
      const offer = makeOffer(received, this.local, 'response')
      this.negotiation = offer.negotiation
      return { sdp: offer.sdp, stream: undefined }
    }
    const answered = makeAnswer(received, this.local)
    if (isFault(answered)) return answered
    this.negotiation = answered.negotiation
    return { sdp: answered.sdp, stream: answered.stream }
  }

  onAck(request: SipRequest, { cseq }: MessageCore): void {
    const { negotiation, dialog } = this
    // A late copy says nothing of what is open now.
    if (cseq.number !== dialog.remoteInviteCSeq || negotiation.invite !== 'theirs') return
    const isAnswer = roleOfSdp(negotiation, { kind: 'request', method: 'ACK' }) === 'answer'
    const isSettled = isAnswer && this.settle(bodyOf(request) ?? '')
    if (isAnswer && !isSettled) this.negotiation = dropOffer(this.negotiation)
    this.negotiation = endInvite(this.negotiation)
    // Without the answer that the ACK owes there are no media at all (§13.2.1).
    if (isAnswer && !isSettled && negotiation.remote === null) this.lost(488, undefined)
  }

  private emitDigit(read: ReturnType<typeof readDigit>): void {
    if (read !== undefined) this.user.onInfo(read.digit, read.durationMs)
  }

  /** The remote party does not know the call any more, or does not answer: BYE is owed to anyone who may still hold it. */
  private lost(status: number, response: SipResponse | undefined): void {
    if (this.isClosed) return
    this.bye([reasonHeader('SIP', status)])
    this.user.onLost(status, response)
  }

  bye(headers: readonly SipHeader[] = []): void {
    if (this.isClosed) return
    this.close()
    this.byeAfterEnd(headers)
  }

  /** Challenged BYEs are sent again. */
  byeAfterEnd(headers: readonly SipHeader[]): void {
    this.byeAnswered = this.send('BYE', { headers }).then(() => {}, this.core.options.onError)
  }

  /** One that acknowledges a response of ours: it may bring the answer to an offer in that, or an offer of its own. */
  onPrack(request: SipRequest, requestCore: MessageCore, transaction: string): void {
    const reception = receiveInDialog(this.dialog, request, requestCore)
    if (reception.kind === 'refused') {
      this.refuse(request, transaction, reception.fault)
      return
    }
    if (reception.kind === 'accepted') this.move(reception.dialog)
    const sdp = bodyOf(request)
    const role = sdp === undefined ? 'none' : roleOfSdp(this.negotiation, { kind: 'request', method: 'PRACK' })
    if (role === 'answer') this.settle(sdp ?? '')
    if (role !== 'offer') {
      this.answer(request, transaction, 200)
      return
    }
    const received = receiveOffer(this.negotiation, sdp ?? '', 'PRACK')
    const made = isFault(received) ? received : makeAnswer(received, this.local)
    if (isFault(made)) {
      this.refuse(request, transaction, made)
      return
    }
    this.negotiation = made.negotiation
    this.answer(request, transaction, 200, { body: Buffer.from(made.sdp), contentType: sdpType })
    this.user.onMedia(made.stream)
  }

  acknowledgeAgain(): void {
    this.lastAck && this.core.sendAck(this.lastAck.request, this.lastAck.flow)
  }

  hold(isHolding: boolean): Promise<boolean> {
    return this.reinvite(negotiation => withHold(negotiation, isHolding))
  }

  watchTimer(): void {
    this.refresher.watch()
  }

  learn(message: SipResponse | SipRequest): void {
    this.refresher.learn(message)
  }

  close(): void {
    this.isClosed = true
    this.refresher.stop()
  }
}
