// What one dialog of a call is to the call it belongs to: what it is made with, what it can be asked to do, and which events
// it emits.
import type { MessageCore } from '../core.ts'
import type { DigestClient } from '../dialog/digest_client.ts'
import type { Negotiation } from '../dialog/negotiation.ts'
import type { RequestParts } from '../dialog/requests.ts'
import type { SessionTimer, TimerWish } from '../dialog/session_timer.ts'
import type { DialogState } from '../dialog/state.ts'
import type { SipHeader, SipRequest, SipResponse } from '../message.ts'
import type { AudioStream, LocalAudio } from '../offer_answer.ts'

/** What a session emits to the call it is of. */
export type SessionUser = {
  onMedia(stream: AudioStream): void
  onInfo(digit: string, durationMs: number): void
  onRefer(request: SipRequest, core: MessageCore, transaction: string): void
  onNotify(request: SipRequest, core: MessageCore, transaction: string): void
  onBye(request: SipRequest): void
  /** The remote party is gone, or the session timer ran out: BYE was sent where one was owed. */
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

/** What goes with a request in a dialog; `onSent` is called when its number is known. */
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
  byeAnswered: Promise<void>
  onPrack(request: SipRequest, core: MessageCore, transaction: string): void
  watchTimer(): void
  /** Learns from a 2xx what the remote party can do. */
  learn(response: SipResponse | SipRequest): void
  /** No event is emitted any more; a BYE may still be sent. */
  close(): void
  readonly isClosed: boolean
}
