// Replaces (RFC 3891): an INVITE that takes the place of a call, as in an attended transfer or a pick-up. Which dialog it means,
// and how to write it into a Refer-To.
import { readOne } from '../headers.ts'
import type { SipFault, SipHeader, SipRequest } from '../message.ts'
import { createFault, isFault } from '../message.ts'
import { escapeUriHeader, formatUri, isSipUri, parseUri } from '../uri.ts'
import type { Replaces } from '../values.ts'
import { formatReplaces } from '../values.ts'
import type { DialogState } from './state.ts'
import { dialogKey } from './state.ts'

/** The Replaces of an INVITE; a fault where it comes twice, is malformed or is in another request (§3: 400). */
export function replacesOf(request: SipRequest): Replaces | undefined | SipFault {
  const replaces = readOne(request, 'Replaces')
  if (replaces === undefined || isFault(replaces)) return replaces
  if (request.method === 'INVITE') return replaces
  return createFault('header', 'Replaces may only stand in INVITE', { header: 'Replaces', message: request })
}

/**
 * The dialog an INVITE with Replaces takes the place of (§3). Answer the INVITE, then end that dialog: BYE when it is
 * confirmed, CANCEL its INVITE when it is early. Faults: 481 none of ours, 603 it has ended, 486 answered already
 * while only an early one may be replaced. `find` gives the dialog of a key (`dialogKey`), ended ones too where they are kept.
 */
export function findReplaced(
  { callId, toTag, fromTag, isEarlyOnly }: Replaces,
  find: (key: string) => DialogState | undefined,
): DialogState | SipFault {
  // As this side sees it: to-tag is ours, from-tag theirs. A tag of 0 stands for none (RFC 2543).
  const key = dialogKey({ callId, localTag: toTag, remoteTag: fromTag })
  const dialog =
    find(key) ?? (fromTag === '0' ? find(dialogKey({ callId, localTag: toTag, remoteTag: null })) : undefined)
  if (dialog === undefined) return refusal(481, 'there is no such dialog')
  if (dialog.phase === 'ended') return refusal(603, 'the call to be replaced has ended')
  if (dialog.phase === 'confirmed') return isEarlyOnly ? refusal(486, 'the call was answered already') : dialog
  // An early dialog may be replaced only by who called: who is called would steal the call.
  return dialog.role === 'uac' ? dialog : refusal(481, 'the call rings here; it was not made here')
}

function refusal(status: number, detail: string): SipFault {
  return createFault('refused', `Replaces: ${detail}`, { status, header: 'Replaces' })
}

/** Replaces for a call of ours, as its other end reads it: what is our tag, it calls from-tag. */
export function replacesFor(dialog: DialogState, isEarlyOnly = false): Replaces {
  if (dialog.remoteTag === null) throw new RangeError('Replaces: the call has no dialog yet')
  return { callId: dialog.callId, toTag: dialog.remoteTag, fromTag: dialog.localTag, isEarlyOnly }
}

/** Our own INVITE in the place of a call that another party named. Put `replaces` into Require where it must be understood. */
export function replacesHeader(replaces: Replaces): SipHeader {
  return { name: 'Replaces', value: formatReplaces(replaces) }
}

/**
 * A Refer-To value (RFC 3515 §2.1): the URI to be called and, for an attended transfer, the call of ours with that party which
 * is to be replaced (RFC 5589 §7). Throws a RangeError for a target that is no URI.
 */
export function formatReferTo(target: string, replaced?: DialogState): string {
  const uri = parseUri(target)
  if (isFault(uri)) throw new RangeError(`Refer-To: ${uri.detail}`)
  if (replaced === undefined) return `<${formatUri(uri)}>`
  if (!isSipUri(uri)) throw new RangeError('Refer-To: only a sip: or sips: URI can carry Replaces')
  const replaces = escapeUriHeader(formatReplaces(replacesFor(replaced)))
  return `<${formatUri({ ...uri, headers: [...uri.headers, { name: 'Replaces', value: replaces }] })}>`
}
