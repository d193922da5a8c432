// REFER in both directions within a call (RFC 3515, RFC 3892), and digits by INFO.
import type { MessageCore } from '../core.ts'
import type { ReferNotifier, Transfer } from '../dialog/refer.ts'
import {
  createReferNotifier,
  createTransfer,
  hasNoReports,
  isReferralExpired,
  readRefer,
  receiveReferNotify,
  receiveReferResponse,
  referHeaders,
  referNotify,
  reportReferral,
  tickTransfer,
} from '../dialog/refer.ts'
import { formatReferTo } from '../dialog/replaces.ts'
import type { SipRequest } from '../message.ts'
import { isFault } from '../message.ts'
import { createResponse } from '../replies.ts'
import type { AgentCore } from './core.ts'
import { callReplaced } from './core.ts'
import { digitType, writeDigit } from './info.ts'
import type { Session } from './session_api.ts'
import type { CallHandlers, SipCall } from './types.ts'

type Surroundings = { session(): Session | undefined; handlers(): CallHandlers; isOver(): boolean }

export type Referrals = {
  onRefer(request: SipRequest, core: MessageCore, transaction: string): void
  onNotify(request: SipRequest, core: MessageCore, transaction: string): void
  refer: SipCall['refer']
  sendInfo: SipCall['sendInfo']
  close(): void
}

/** A transfer is looked at this often, so that it ends when nothing is heard of it. */
const patienceMs = 180_500

export function createReferral(core: AgentCore, around: Surroundings): Referrals {
  return new CallReferral(core, around)
}

/** Lives as long as its call: the transfer that we asked for, while nobody knows how it ends. */
class CallReferral implements Referrals {
  private readonly core: AgentCore
  private readonly around: Surroundings
  private readonly session: Surroundings['session']
  private readonly isOver: Surroundings['isOver']
  private transfer: Transfer | undefined
  private settle: ((transfer: Transfer) => void) | undefined

  constructor(core: AgentCore, around: Surroundings) {
    this.core = core
    this.around = around
    const { session, isOver } = around
    this.session = session
    this.isOver = isOver
  }

  private answer(
    request: SipRequest,
    transaction: string,
    status: number,
    headers: { name: string; value: string }[] = [],
  ) {
    const toTag = this.session()?.dialog.localTag
    this.core.respond(transaction, createResponse(request, status, { ...(toTag !== undefined && { toTag }), headers }))
  }

  onRefer(request: SipRequest, requestCore: MessageCore, transaction: string): void {
    const referral = readRefer(request)
    if (isFault(referral)) {
      this.answer(request, transaction, referral.status, [...(referral.headers ?? [])])
      return
    }
    // Those of a call that comes in are known once it was accepted.
    const handlers = this.around.handlers()
    if (handlers.onRefer === undefined) {
      this.answer(request, transaction, 603)
      return
    }
    const refused = handlers.screenRefer?.(referral)
    if (refused !== undefined) {
      this.answer(request, transaction, refused)
      return
    }
    const { wantsNotify, replaces } = referral
    this.answer(request, transaction, 202, wantsNotify ? [] : [{ name: 'Refer-Sub', value: 'false' }])
    let notifier: ReferNotifier | undefined = wantsNotify
      ? createReferNotifier(requestCore.cseq.number, this.core.now())
      : undefined
    const notify = (state: ReferNotifier) => {
      if (this.isOver() || isReferralExpired(state, this.core.now())) return
      this.session()?.send('NOTIFY', referNotify(state, this.core.now())).catch(this.core.options.onError)
    }
    if (notifier !== undefined) notify(notifier)
    const replaced = replaces && callReplaced(this.core.calls, replaces)
    const report = (status: number) => {
      const next = notifier && reportReferral(notifier, status)
      if (next === undefined) return
      notifier = next
      notify(next)
    }
    handlers.onRefer(referral, report, isFault(replaced) ? undefined : replaced)
  }

  onNotify(request: SipRequest, _core: MessageCore, transaction: string): void {
    if (this.transfer === undefined) {
      this.answer(request, transaction, 481)
      return
    }
    const next = receiveReferNotify(this.transfer, request)
    if (isFault(next)) {
      this.answer(request, transaction, next.status)
      return
    }
    this.answer(request, transaction, 200)
    this.move(next)
  }

  private move(next: Transfer): void {
    this.transfer = next
    if (next.phase !== 'sent' && next.phase !== 'trying') this.settle?.(next)
  }

  async refer(target: string, replaced?: SipCall): Promise<{ ok: boolean; status: number }> {
    const own = this.session()
    if (own === undefined || this.isOver()) return { ok: false, status: 481 }
    if (this.settle !== undefined) return { ok: false, status: 491 }
    let referTo: string
    try {
      referTo = formatReferTo(target, replaced?.stored.dialog)
    } catch (error) {
      // No URI, or a call to be replaced that has no dialog.
      this.core.options.onError(error)
      return { ok: false, status: 400 }
    }
    const begun = createTransfer(own.dialog.localCSeq + 1, this.core.now())
    this.transfer = begun
    const ended = new Promise<Transfer>(resolve => {
      this.settle = resolve
    })
    const stop = this.core.after(
      patienceMs,
      () => this.transfer && this.move(tickTransfer(this.transfer, this.core.now())),
    )
    const { status, response } = await own.send('REFER', {
      headers: referHeaders(referTo, { referredBy: own.dialog.local }),
      // After a challenge it has another one; reports name it, and may come before the answer.
      onSent: id => {
        this.transfer = { ...(this.transfer ?? begun), id }
      },
    })
    this.move(receiveReferResponse(this.transfer ?? begun, status, response !== undefined && hasNoReports(response)))
    const last = await ended
    stop()
    this.settle = undefined
    return { ok: last.phase === 'done' || last.phase === 'unknown', status: last.status }
  }

  async sendInfo(digit: string, durationMs: number): Promise<boolean> {
    const own = this.session()
    if (own === undefined || this.isOver()) return false
    const { status } = await own.send('INFO', { body: writeDigit(digit, durationMs), contentType: digitType })
    return status >= 200 && status < 300
  }

  close(): void {
    if (this.transfer !== undefined)
      this.settle?.({ ...this.transfer, phase: this.transfer.phase === 'done' ? 'done' : 'unknown' })
  }
}
