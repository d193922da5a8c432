// One INVITE of ours and all that may come of it (RFC 3261 §13.2.2, §12.1.2): proxies send it to several telephones, each
// answers with a tag of its own, and more than one may be picked up. One dialog is kept, the others are hung up.
import type { MessageCore } from '../core.ts'
import type { SipResponse } from '../message.ts'
import type { DialogState } from './state.ts'
import { dialogFromResponse, dialogKey, endDialog } from './state.ts'

/**
 * Plain data, as the dialogs in it.
 * - `call`: as it was when the INVITE left. `early`: a dialog for each tag heard of. `chosen`: the one that answered first.
 * - `unwanted`: others that answered; each was given its BYE, and is only here for the ACK of a repeated 2xx.
 * - `isAbandoned`: we have cancelled, so even the first answer is not wanted (§9.1).
 */
export type Fork = {
  readonly call: DialogState
  readonly early: readonly DialogState[]
  readonly chosen: DialogState | null
  readonly unwanted: readonly DialogState[]
  readonly isAbandoned: boolean
}

/**
 * What a response to the INVITE means.
 * - 'trying': it is on its way; no dialog comes of it (100, or a provisional response without a tag).
 * - 'progress': a dialog rings or has early media; `isNew` when this is the first we hear of it.
 * - 'gone': 199, that early dialog is over (RFC 6228); the call goes on.
 * - 'answered': send ACK; the call stands. All other early dialogs are over 64*T1 from now (`settleFork`).
 * - 'answered_again': the 2xx was repeated, so our ACK was lost: send the same ACK again.
 * - 'unwanted': send ACK, then BYE, in this dialog. 'unwanted_again': send its ACK again.
 * - 'refused': above 299; the transaction layer has sent ACK. No dialog is left.
 * - 'stale': of an INVITE before the last one, or after the end. Do nothing.
 */
export type ForkEvent =
  | { readonly kind: 'trying' | 'refused' | 'stale' }
  | { readonly kind: 'progress'; readonly dialog: DialogState; readonly isNew: boolean }
  | {
      readonly kind: 'gone' | 'answered' | 'answered_again' | 'unwanted' | 'unwanted_again'
      readonly dialog: DialogState
    }

/** Early dialogs of one call; more tags than telephones anyone rings at once are an attack on our patience. */
const maxDialogs = 64

/** `call` as `nextRequest` gave it with the INVITE. Also after 401 or 422, with the INVITE sent again. */
export function createFork(call: DialogState): Fork {
  return { call, early: [], chosen: null, unwanted: [], isAbandoned: false }
}

/** CANCEL is to be sent: from now on every answer is unwanted. */
export function abandonFork(fork: Fork): Fork {
  return fork.chosen === null ? { ...fork, isAbandoned: true } : fork
}

/** A response to the INVITE, from the transaction layer; every 2xx too that it passes on. */
export function receiveForkResponse(
  fork: Fork,
  response: SipResponse,
  core: MessageCore,
): { readonly fork: Fork; readonly event: ForkEvent } {
  const { status } = response
  const { call } = fork
  if (core.cseq.number !== call.localInviteCSeq || call.phase === 'ended') return { fork, event: { kind: 'stale' } }
  if (status >= 300) return refused(fork)
  const known = dialogInFork(fork, core)
  if (status >= 200) return receiveAnswer(fork, known, response, core)
  if (fork.chosen !== null) return { fork, event: { kind: 'stale' } }
  const dialog = dialogFromResponse(known ?? call, response, core)
  if (dialog === undefined) return { fork, event: { kind: 'trying' } }
  if (status === 199) {
    const gone = endDialog(dialog)
    return { fork: withoutEarly(fork, gone), event: { kind: 'gone', dialog: gone } }
  }
  if (known === undefined && fork.early.length >= maxDialogs) return { fork, event: { kind: 'trying' } }
  const next = { ...fork, early: [...withoutEarly(fork, dialog).early, dialog] }
  return { fork: next, event: { kind: 'progress', dialog, isNew: known === undefined } }
}

function receiveAnswer(fork: Fork, known: DialogState | undefined, response: SipResponse, core: MessageCore) {
  if (known !== undefined && isSame(fork.chosen, known)) {
    return { fork, event: { kind: 'answered_again', dialog: known } as const }
  }
  if (known !== undefined && fork.unwanted.some(other => isSame(other, known))) {
    return { fork, event: { kind: 'unwanted_again', dialog: known } as const }
  }
  const dialog = dialogFromResponse(known ?? fork.call, response, core)
  // A 2xx without a tag breaks §12.1.1; there is nothing to send ACK or BYE in.
  if (dialog === undefined) return { fork, event: { kind: 'stale' } as const }
  const rest = withoutEarly(fork, dialog)
  if (fork.chosen === null && !fork.isAbandoned) {
    return { fork: { ...rest, chosen: dialog }, event: { kind: 'answered', dialog } as const }
  }
  const unwanted = [...rest.unwanted, dialog].slice(-maxDialogs)
  return { fork: { ...rest, unwanted }, event: { kind: 'unwanted', dialog } as const }
}

/** After one telephone has answered, a refusal says something of another branch only (§13.2.2.4). */
function refused(fork: Fork): { fork: Fork; event: ForkEvent } {
  if (fork.chosen !== null) return { fork, event: { kind: 'stale' } }
  return { fork: { ...fork, early: [] }, event: { kind: 'refused' } }
}

/**
 * A dialog of the fork after a request in it (PRACK, UPDATE, BYE, re-INVITE): put it back, or the fork gives you the old CSeq
 * next time.
 */
export function updateFork(fork: Fork, dialog: DialogState): Fork {
  const replace = (other: DialogState) => (isSame(other, dialog) ? dialog : other)
  return {
    ...fork,
    early: fork.early.map(replace).filter(({ phase }) => phase !== 'ended'),
    chosen: fork.chosen && replace(fork.chosen),
    unwanted: fork.unwanted.map(replace),
  }
}

/** 64*T1 after the first 2xx: early dialogs that did not answer are over (§13.2.2.4). */
export function settleFork(fork: Fork): Fork {
  return { ...fork, early: [] }
}

/** The dialog of a message in this call; undefined when it is of none yet. */
export function dialogInFork({ early, chosen, unwanted }: Fork, core: MessageCore): DialogState | undefined {
  const { toTag } = core
  if (toTag === undefined) return undefined
  if (chosen?.remoteTag === toTag) return chosen
  return early.find(({ remoteTag }) => remoteTag === toTag) ?? unwanted.find(({ remoteTag }) => remoteTag === toTag)
}

function withoutEarly(fork: Fork, dialog: DialogState): Fork {
  return { ...fork, early: fork.early.filter(other => !isSame(other, dialog)) }
}

function isSame(one: DialogState | null, other: DialogState): boolean {
  return one !== null && dialogKey(one) === dialogKey(other)
}
