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
import type { Session } from './session.ts'
import type { CallHandlers, SipCall } from './types.ts'

type Surroundings = { session(): Session | undefined; readonly handlers: CallHandlers; isOver(): boolean }

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
  const { session, isOver } = around
  let transfer: Transfer | undefined
  let settle: ((transfer: Transfer) => void) | undefined

  function answer(
    request: SipRequest,
    transaction: string,
    status: number,
    headers: { name: string; value: string }[] = [],
  ) {
    const toTag = session()?.dialog.localTag
    core.respond(transaction, createResponse(request, status, { ...(toTag !== undefined && { toTag }), headers }))
  }

  function onRefer(request: SipRequest, requestCore: MessageCore, transaction: string): void {
    const referral = readRefer(request)
    if (isFault(referral)) {
      answer(request, transaction, referral.status, [...(referral.headers ?? [])])
      return
    }
    // Those of a call that comes in are known once it was accepted.
    const { handlers } = around
    if (handlers.onRefer === undefined) {
      answer(request, transaction, 603)
      return
    }
    const refused = handlers.screenRefer?.(referral)
    if (refused !== undefined) {
      answer(request, transaction, refused)
      return
    }
    const { wantsNotify, replaces } = referral
    answer(request, transaction, 202, wantsNotify ? [] : [{ name: 'Refer-Sub', value: 'false' }])
    let notifier: ReferNotifier | undefined = wantsNotify
      ? createReferNotifier(requestCore.cseq.number, core.now())
      : undefined
    const tell = (told: ReferNotifier) => {
      if (isOver() || isReferralExpired(told, core.now())) return
      session()?.send('NOTIFY', referNotify(told, core.now())).catch(core.options.onError)
    }
    if (notifier !== undefined) tell(notifier)
    const replaced = replaces && callReplaced(core.calls, replaces)
    const report = (status: number) => {
      const next = notifier && reportReferral(notifier, status)
      if (next === undefined) return
      notifier = next
      tell(next)
    }
    handlers.onRefer(referral, report, isFault(replaced) ? undefined : replaced)
  }

  function onNotify(request: SipRequest, _core: MessageCore, transaction: string): void {
    if (transfer === undefined) {
      answer(request, transaction, 481)
      return
    }
    const next = receiveReferNotify(transfer, request)
    if (isFault(next)) {
      answer(request, transaction, next.status)
      return
    }
    answer(request, transaction, 200)
    move(next)
  }

  function move(next: Transfer): void {
    transfer = next
    if (next.phase !== 'sent' && next.phase !== 'trying') settle?.(next)
  }

  async function refer(target: string, replaced?: SipCall): Promise<{ ok: boolean; status: number }> {
    const own = session()
    if (own === undefined || isOver()) return { ok: false, status: 481 }
    if (settle !== undefined) return { ok: false, status: 491 }
    let referTo: string
    try {
      referTo = formatReferTo(target, replaced?.stored.dialog)
    } catch (error) {
      // No URI, or a call to be replaced that has no dialog.
      core.options.onError(error)
      return { ok: false, status: 400 }
    }
    const begun = createTransfer(own.dialog.localCSeq + 1, core.now())
    transfer = begun
    const ended = new Promise<Transfer>(resolve => {
      settle = resolve
    })
    const stop = core.after(patienceMs, () => transfer && move(tickTransfer(transfer, core.now())))
    const { status, response } = await own.send('REFER', {
      headers: referHeaders(referTo, { referredBy: own.dialog.local }),
      // After a challenge it has another one; reports name it, and may come before the answer.
      onSent(id) {
        transfer = { ...(transfer ?? begun), id }
      },
    })
    move(receiveReferResponse(transfer ?? begun, status, response !== undefined && hasNoReports(response)))
    const last = await ended
    stop()
    settle = undefined
    return { ok: last.phase === 'done' || last.phase === 'unknown', status: last.status }
  }

  async function sendInfo(digit: string, durationMs: number): Promise<boolean> {
    const own = session()
    if (own === undefined || isOver()) return false
    const { status } = await own.send('INFO', { body: writeDigit(digit, durationMs), contentType: digitType })
    return status >= 200 && status < 300
  }

  return {
    onRefer,
    onNotify,
    refer,
    sendInfo,
    close() {
      if (transfer !== undefined) settle?.({ ...transfer, phase: transfer.phase === 'done' ? 'done' : 'unknown' })
    },
  }
}
