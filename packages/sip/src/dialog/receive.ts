// What a message from the remote party does to a dialog: its order by CSeq (RFC 3261 §12.2.2), the target it moves (§12.2), and
// the answers that mean the remote party has no such dialog any more (§12.2.1.2, RFC 5057 §5).
import type { MessageCore } from '../core.ts'
import type { SipFault, SipHeader, SipRequest, SipResponse } from '../message.ts'
import { createFault } from '../message.ts'
import { targetRefreshMethods } from './requests.ts'
import type { DialogState } from './state.ts'
import { confirmDialog, endDialog, targetOf } from './state.ts'

/**
 * - 'accepted': handle it, and keep the dialog. An ACK stops the 2xx to the INVITE with its CSeq. After BYE it is ended: answer 200, and 487 to an INVITE still open.
 * - 'refused': answer with `fault.status` and its headers.
 * - 'ignored': an ACK that belongs to no INVITE here. It is never answered.
 */
export type DialogReception =
  | { readonly kind: 'accepted'; readonly dialog: DialogState }
  | { readonly kind: 'refused'; readonly fault: SipFault }
  | { readonly kind: 'ignored' }

/** A request that `keyOfRequest` led to this dialog. Repetitions never come here: they end in the transaction layer. */
export function receiveInDialog(dialog: DialogState, request: SipRequest, core: MessageCore): DialogReception {
  const { method } = request
  const { number } = core.cseq
  if (method === 'ACK') return receiveAck(dialog, number)
  if (dialog.phase === 'ended' || dialog.phase === 'calling') {
    return refused(request, 481, 'the dialog has ended')
  }
  if (dialog.remoteCSeq !== null && number <= dialog.remoteCSeq) {
    return refused(request, 500, `CSeq ${number} comes after ${dialog.remoteCSeq}`)
  }
  if (!targetRefreshMethods.includes(method)) {
    const next = { ...dialog, remoteCSeq: number }
    return { kind: 'accepted', dialog: method === 'BYE' ? endDialog(next) : next }
  }
  if (core.contacts.length > 1) return refused(request, 400, 'Contact: one is allowed')
  return {
    kind: 'accepted',
    dialog: {
      ...dialog,
      remoteCSeq: number,
      remoteInviteCSeq: method === 'INVITE' ? number : dialog.remoteInviteCSeq,
      remoteTarget: copied(targetOf(core) ?? dialog.remoteTarget),
    },
  }
}

function receiveAck(dialog: DialogState, number: number): DialogReception {
  // Also after BYE: both may be on their way at once, and the repetition of our 2xx has to stop.
  // The ACK of one INVITE may be overtaken by the next INVITE: its CSeq says which 2xx it stops.
  const isOurs = dialog.remoteInviteCSeq !== null && number <= dialog.remoteInviteCSeq
  return isOurs ? { kind: 'accepted', dialog } : { kind: 'ignored' }
}

function refused(request: SipRequest, status: number, detail: string): DialogReception {
  const headers: SipHeader[] = []
  return { kind: 'refused', fault: { ...createFault('refused', detail, { status, message: request }), headers } }
}

/**
 * The dialog after a response to a request that was sent inside it (not to the INVITE that made it: see fork.ts).
 * It may be ended then: send BYE where RFC 3261 asks for it (408 and 481 to anything but BYE; `shouldSayBye`).
 */
export function receiveDialogResponse(
  dialog: DialogState,
  method: string,
  response: SipResponse,
  core: MessageCore,
): DialogState {
  const { status } = response
  if (dialog.phase === 'ended' || status < 200) return dialog
  if (status >= 300) return endsDialog(method, status) ? endDialog(dialog) : dialog
  if (method === 'BYE') return endDialog(dialog)
  const target = targetRefreshMethods.includes(method) ? targetOf(core) : undefined
  return target === undefined ? dialog : { ...dialog, remoteTarget: copied(target) }
}

/** Answers that say the path or the other end is gone, whatever was asked (RFC 5057 §5.1). */
const fatal: readonly number[] = [404, 408, 410, 416, 480, 481, 482, 483, 484, 485, 502, 604]

/** Requests whose refusal only ends a subscription of its own, or an INVITE's provisional response, never the call. */
const besides: readonly string[] = ['NOTIFY', 'SUBSCRIBE', 'PRACK']

/**
 * Whether a refusal means the end of the dialog: 408 and 481 to any request of the call; others only to INVITE and UPDATE,
 * since many answer INFO or REFER with 404 when they mean the digit or the target. Timeouts count as 408.
 */
export function endsDialog(method: string, status: number): boolean {
  if (method === 'BYE') return status !== 401 && status !== 407 && status >= 200
  if (besides.includes(method)) return false
  if (status === 408 || status === 481) return true
  return (method === 'INVITE' || method === 'UPDATE') && fatal.includes(status)
}

/**
 * Whether BYE is owed to a dialog that `method` and `status` have just ended (§12.2.1.2): the remote party, or a proxy with a timer
 * of its own, may still hold it.
 */
export function shouldSayBye(method: string, status: number): boolean {
  return method !== 'BYE' && endsDialog(method, status)
}

/**
 * The dialog when our answer to an INVITE has gone out: of an early one 2xx makes a confirmed one, and above that it is no
 * more. A re-INVITE that we refuse changes nothing (§14.2).
 */
export function answerDialog(dialog: DialogState, status: number): DialogState {
  if (status < 200 || dialog.phase !== 'early') return dialog
  return status < 300 ? confirmDialog(dialog) : endDialog(dialog)
}

/** A text of its own: a slice would keep the whole datagram in memory for as long as the call lasts. */
function copied(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string
}

/**
 * The dialog after we refused a request that would have moved its target: that stays where it was (RFC 6141 §4.4). `before`
 * and `taken` are the dialog before and after `receiveInDialog`.
 */
export function withoutRefresh(before: DialogState, taken: DialogState): DialogState {
  return { ...taken, remoteTarget: before.remoteTarget }
}
