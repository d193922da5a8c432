// One dialog of a call, early or confirmed: requests both ways, media by offer and answer, session timers, hold, transfer.
import type { MessageCore } from '../core.ts'
import type { DigestClient } from '../dialog/digest_client.ts'
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
import type { SessionTimer, TimerWish } from '../dialog/session_timer.ts'
import { answerTimer } from '../dialog/session_timer.ts'
import type { DialogState } from '../dialog/state.ts'
import { readOne } from '../headers.ts'
import type { SipFault, SipHeader, SipRequest, SipResponse } from '../message.ts'
import { isFault, methods } from '../message.ts'
import { partOf } from '../multipart.ts'
import type { AudioStream, LocalAudio } from '../offer_answer.ts'
import { createResponse, refusal } from '../replies.ts'
import { param } from '../scan.ts'
import type { SipFlow } from '../transport/types.ts'
import type { AgentCore } from './core.ts'
import { abilities, allow, supported } from './core.ts'
import { readDigit } from './info.ts'
import { createRefresher } from './refresh.ts'

/** What a session tells the call it is of. */
export type SessionUser = {
  onMedia(stream: AudioStream): void
  onInfo(digit: string, durationMs: number): void
  onRefer(request: SipRequest, core: MessageCore, transaction: string): void
  onNotify(request: SipRequest, core: MessageCore, transaction: string): void
  onBye(request: SipRequest): void
  /** The other side is gone, or the session timer ran out: BYE was sent where one was owed. */
  onLost(status: number, response: SipResponse | undefined): void
  /** The dialog has moved on. */
  onDialog(dialog: DialogState): void
}

export type SessionOptions = {
  dialog: DialogState
  negotiation: Negotiation
  local: LocalAudio
  digest: DigestClient | undefined
  profile: string | undefined
  wish: TimerWish | undefined
  timer?: SessionTimer | undefined
}

/** What goes with a request in a dialog; `onSent` is told when its number is known. */
export type SendParts = Omit<RequestParts, 'via' | 'credentials'> & { onSent?(cseq: number): void }

export type Outcome = { status: number; response: SipResponse | undefined; core: MessageCore | undefined }

export type Session = {
  dialog: DialogState
  negotiation: Negotiation
  timer: SessionTimer | undefined
  /** Sends a request in the dialog, answers challenges, and resolves with its final response. */
  send(method: string, parts?: SendParts): Promise<Outcome>
  onRequest(request: SipRequest, core: MessageCore, transaction: string): void
  onAck(request: SipRequest, core: MessageCore): void
  /** ACK of a 2xx to an INVITE of ours; kept for repetitions of it. */
  acknowledge(invite: SipRequest, body?: string): void
  acknowledgeAgain(): void
  hold(isHolding: boolean): Promise<boolean>
  bye(headers?: readonly SipHeader[]): void
  /** BYE of a session that is closed already: one was owed since before its ACK came. */
  byeAfterEnd(headers: readonly SipHeader[]): void
  /** Resolves when the last BYE was answered, or nobody did within 64*T1; at once where none was sent. */
  farewell: Promise<void>
  onPrack(request: SipRequest, core: MessageCore, transaction: string): void
  watchTimer(): void
  /** Learns from a 2xx what the other side can do. */
  learn(response: SipResponse | SipRequest): void
  /** Nothing is told any more; a BYE may still be sent. */
  close(): void
  readonly isClosed: boolean
}

export const sdpType = 'application/sdp'

export function createSession(core: AgentCore, user: SessionUser, options: SessionOptions): Session {
  const { local, digest, profile } = options
  let isClosed = false
  let lastAck: { request: SipRequest; flow: SipFlow } | undefined

  const session: Session = {
    dialog: options.dialog,
    negotiation: options.negotiation,
    timer: options.timer,
    send,
    onRequest,
    onAck,
    acknowledge,
    acknowledgeAgain: () => lastAck && core.sendAck(lastAck.request, lastAck.flow),
    hold: isHolding => reinvite(negotiation => withHold(negotiation, isHolding)),
    bye,
    byeAfterEnd: sayBye,
    farewell: Promise.resolve(),
    onPrack,
    watchTimer: () => refresher.watch(),
    learn: message => refresher.learn(message),
    close() {
      isClosed = true
      refresher.stop()
    },
    get isClosed() {
      return isClosed
    },
  }

  const refresher = createRefresher(core, {
    wish: options.wish,
    session: () => session,
    reinvite: () => reinvite(negotiation => negotiation),
    lost: () => lost(408, undefined),
  })

  function move(dialog: DialogState): void {
    session.dialog = dialog
    user.onDialog(dialog)
  }

  async function send(method: string, parts: SendParts = {}): Promise<Outcome> {
    for (;;) {
      const outcome = await sendOnce(method, parts)
      const { response, request } = outcome
      if (response === undefined || digest === undefined || (response.status !== 401 && response.status !== 407)) {
        return outcome
      }
      if (digest.challenged(response, request) !== 'retry') return outcome
    }
  }

  async function sendOnce(method: string, { onSent, ...parts }: SendParts) {
    const full = { ...parts, ...(digest && { credentials: digest.credentials }) }
    let sent: { request: SipRequest; flow: SipFlow }
    try {
      sent = await prepare(method, full)
    } catch {
      return { status: 503, response: undefined, core: undefined, request: emptyRequest }
    }
    const { request, flow } = sent
    onSent?.(session.dialog.localCSeq)
    const outcome = await new Promise<Outcome>(resolve =>
      core.request(request, flow, {
        onResponse(response, responseCore) {
          if (response.status < 200) return
          if (method === 'INVITE' && response.status < 300) received2xx(request, response, responseCore, flow)
          resolve({ status: response.status, response, core: responseCore })
        },
        onFailure: why => resolve({ status: why === 'timeout' ? 408 : 503, response: undefined, core: undefined }),
      }),
    )
    const { status, response, core: responseCore } = outcome
    if (response !== undefined && responseCore !== undefined && status !== 401 && status !== 407) {
      move(receiveDialogResponse(session.dialog, method, response, responseCore))
      digest?.accepted()
    }
    if (shouldSayBye(method, status) && !isClosed) lost(status, response)
    return { ...outcome, request }
  }

  async function prepare(method: string, parts: Omit<RequestParts, 'via'>) {
    // Where it goes depends on the routes; what it says on the socket that leads there.
    const { nextHop } = nextRequest(session.dialog, method, { via: placeholderVia })
    const flow = await core.way(nextHop, profile, session.dialog.hop !== undefined)
    const next = nextRequest(session.dialog, method, {
      ...parts,
      via: core.via(flow),
      headers: [...(parts.headers ?? []), ...core.headers],
    })
    move(next.dialog)
    return { request: next.request, flow }
  }

  function received2xx(invite: SipRequest, response: SipResponse, responseCore: MessageCore, flow: SipFlow): void {
    move(receiveDialogResponse(session.dialog, 'INVITE', response, responseCore))
    acknowledge(invite, undefined, flow)
  }

  function acknowledge(invite: SipRequest, body?: string, over?: SipFlow): void {
    const parts = body === undefined ? {} : { body: Buffer.from(body), contentType: sdpType }
    const send = (flow: SipFlow) => {
      const { request } = ackOf2xx(session.dialog, { via: core.via(flow), invite, ...parts })
      lastAck = { request, flow }
      core.sendAck(request, flow)
    }
    const { nextHop } = ackOf2xx(session.dialog, { via: placeholderVia })
    // Routes may lead elsewhere than the INVITE went, and so may a new Contact.
    if (over !== undefined && session.dialog.routes.length === 0 && session.dialog.remoteTarget === invite.uri)
      send(over)
    else core.way(nextHop, profile, session.dialog.hop !== undefined).then(send, core.options.onError)
  }

  /** The media agreed by our offer and their answer. */
  function settle(sdp: string): boolean {
    if (session.negotiation.phase !== 'offered') return false
    const agreed = receiveAnswer(session.negotiation, sdp, local)
    if (isFault(agreed)) return false
    session.negotiation = agreed.negotiation
    user.onMedia(agreed.stream)
    return true
  }

  /** An offer of ours in a re-INVITE; after a 491 once more. */
  async function reinvite(change: (negotiation: Negotiation) => Negotiation): Promise<boolean> {
    for (let tries = 0; tries < 3 && !isClosed; tries++) {
      const before = session.negotiation
      if (!mayOffer(before, 'INVITE')) {
        await core.pause(200 + 300 * tries)
        continue
      }
      const { negotiation, sdp } = makeOffer(change(before), local, 'INVITE')
      session.negotiation = negotiation
      const outcome = await send('INVITE', {
        headers: [allow, supported, ...refresher.headers()],
        body: Buffer.from(sdp),
        contentType: sdpType,
      })
      const { status, response } = outcome
      const isTaken = status >= 200 && status < 300 && response !== undefined
      const isSettled = isTaken && settle(bodyOf(response) ?? '')
      session.negotiation = endInvite(isSettled ? session.negotiation : restored(before))
      if (isTaken && response) refresher.take(response)
      if (isSettled) return true
      if (refresher.raise(outcome)) continue
      if (status !== 491) return false
      await core.pause(glareDelayMs(session.dialog.role, core.chance()))
    }
    return false
  }

  /** What was agreed before, with the version of descriptions we have come to. */
  function restored(before: Negotiation): Negotiation {
    return { ...dropOffer(session.negotiation), isHolding: before.isHolding }
  }

  function onRequest(request: SipRequest, requestCore: MessageCore, transaction: string): void {
    const before = session.dialog
    const reception = receiveInDialog(before, request, requestCore)
    if (reception.kind === 'ignored') return
    if (reception.kind === 'refused') {
      refuse(request, transaction, reception.fault)
      return
    }
    const flaw = request.method === 'BYE' ? undefined : refusal(request, abilities, methods)
    move(flaw === undefined ? reception.dialog : withoutRefresh(before, reception.dialog))
    if (flaw !== undefined) {
      refuse(request, transaction, flaw)
      return
    }
    switch (request.method) {
      case 'BYE':
        answer(request, transaction, 200)
        user.onBye(request)
        return
      case 'INVITE':
        onOffer(request, transaction, before, 'INVITE')
        return
      case 'UPDATE':
        onOffer(request, transaction, before, 'UPDATE')
        return
      case 'INFO':
        answer(request, transaction, 200)
        tellDigit(readDigit(request))
        return
      case 'REFER':
        user.onRefer(request, requestCore, transaction)
        return
      case 'NOTIFY':
        user.onNotify(request, requestCore, transaction)
        return
      case 'OPTIONS':
        answer(request, transaction, 200, { headers: [allow, supported] })
        return
      default:
        answer(request, transaction, 405, { headers: [allow] })
    }
  }

  function answer(request: SipRequest, transaction: string, status: number, parts: object = {}): void {
    core.respond(transaction, createResponse(request, status, { toTag: session.dialog.localTag, ...parts }))
  }

  function refuse(request: SipRequest, transaction: string, { status, headers = [] }: SipFault): void {
    answer(request, transaction, status, { headers })
  }

  /** A re-INVITE or an UPDATE: new media, a hold, a refresh. */
  function onOffer(request: SipRequest, transaction: string, before: DialogState, method: 'INVITE' | 'UPDATE'): void {
    const sdp = bodyOf(request)
    const glare = refuseGlare(session.negotiation, method, sdp !== undefined, Math.floor(core.chance() * 10))
    const timing = glare ?? answerTimer(request, refresher.wish, core.now())
    if (isFault(timing)) {
      move(withoutRefresh(before, session.dialog))
      refuse(request, transaction, timing)
      return
    }
    const made = describe(sdp, method)
    if (isFault(made)) {
      session.negotiation = dropOffer(session.negotiation)
      if (method === 'INVITE') session.negotiation = endInvite(session.negotiation)
      move(withoutRefresh(before, session.dialog))
      refuse(request, transaction, made)
      return
    }
    session.timer = timing.timer
    refresher.watch()
    // §14.2: a 2xx that is never acknowledged ends the call.
    if (method === 'INVITE') core.failures.set(transaction, why => why === 'timeout' && lost(408, undefined))
    const headers = [{ name: 'Contact', value: session.dialog.localContact }, allow, supported, ...timing.headers]
    const body = made.sdp === undefined ? {} : { body: Buffer.from(made.sdp), contentType: sdpType }
    answer(request, transaction, 200, { headers, ...body })
    // When the 2xx has the offer, the ACK ends it.
    if (method === 'INVITE' && session.negotiation.phase !== 'offered') {
      session.negotiation = endInvite(session.negotiation)
    }
    if (made.stream !== undefined) user.onMedia(made.stream)
  }

  function describe(sdp: string | undefined, method: 'INVITE' | 'UPDATE') {
    if (method === 'UPDATE' && sdp === undefined) return { sdp: undefined, stream: undefined }
    const received =
      method === 'INVITE'
        ? receiveInvite(session.negotiation, sdp)
        : receiveOffer(session.negotiation, sdp ?? '', 'UPDATE')
    if (isFault(received)) return received
    session.negotiation = received
    if (sdp === undefined) {
      const offer = makeOffer(received, local, 'response')
      session.negotiation = offer.negotiation
      return { sdp: offer.sdp, stream: undefined }
    }
    const answered = makeAnswer(received, local)
    if (isFault(answered)) return answered
    session.negotiation = answered.negotiation
    return { sdp: answered.sdp, stream: answered.stream }
  }

  function onAck(request: SipRequest, { cseq }: MessageCore): void {
    const { negotiation, dialog } = session
    // A late copy says nothing of what is open now.
    if (cseq.number !== dialog.remoteInviteCSeq || negotiation.invite !== 'theirs') return
    const isAnswer = roleOfSdp(negotiation, { kind: 'request', method: 'ACK' }) === 'answer'
    const isSettled = isAnswer && settle(bodyOf(request) ?? '')
    if (isAnswer && !isSettled) session.negotiation = dropOffer(session.negotiation)
    session.negotiation = endInvite(session.negotiation)
    // Without the answer that the ACK owes there are no media at all (§13.2.1).
    if (isAnswer && !isSettled && negotiation.remote === null) lost(488, undefined)
  }

  function tellDigit(read: ReturnType<typeof readDigit>): void {
    if (read !== undefined) user.onInfo(read.digit, read.durationMs)
  }

  /** The other side does not know the call any more, or does not answer: BYE is owed to whoever may still hold it. */
  function lost(status: number, response: SipResponse | undefined): void {
    if (isClosed) return
    bye([reasonHeader('SIP', status)])
    user.onLost(status, response)
  }

  function bye(headers: readonly SipHeader[] = []): void {
    if (isClosed) return
    session.close()
    sayBye(headers)
  }

  /** Challenged BYEs are sent again. */
  function sayBye(headers: readonly SipHeader[]): void {
    session.farewell = send('BYE', { headers }).then(() => {}, core.options.onError)
  }

  /** One that acknowledges a response of ours: it may bring the answer to an offer in that, or an offer of its own. */
  function onPrack(request: SipRequest, requestCore: MessageCore, transaction: string): void {
    const reception = receiveInDialog(session.dialog, request, requestCore)
    if (reception.kind === 'refused') {
      refuse(request, transaction, reception.fault)
      return
    }
    if (reception.kind === 'accepted') move(reception.dialog)
    const sdp = bodyOf(request)
    const role = sdp === undefined ? 'none' : roleOfSdp(session.negotiation, { kind: 'request', method: 'PRACK' })
    if (role === 'answer') settle(sdp ?? '')
    if (role !== 'offer') {
      answer(request, transaction, 200)
      return
    }
    const received = receiveOffer(session.negotiation, sdp ?? '', 'PRACK')
    const made = isFault(received) ? received : makeAnswer(received, local)
    if (isFault(made)) {
      refuse(request, transaction, made)
      return
    }
    session.negotiation = made.negotiation
    answer(request, transaction, 200, { body: Buffer.from(made.sdp), contentType: sdpType })
    user.onMedia(made.stream)
  }

  return session
}

const placeholderVia = 'SIP/2.0/UDP 192.0.2.1'
const emptyRequest: SipRequest = { kind: 'request', method: '', uri: '', headers: [], body: Buffer.alloc(0) }

/** The description in a message, if it has one. */
export function bodyOf(message: SipRequest | SipResponse): string | undefined {
  if (message.body.length === 0) return undefined
  const media = readOne(message, 'Content-Type')
  if (media === undefined || isFault(media)) return undefined
  if (media.type === 'multipart') return partOf(message.body, param(media, 'boundary') ?? '', sdpType)
  return `${media.type}/${media.subtype}` === sdpType ? message.body.toString('utf8') : undefined
}
