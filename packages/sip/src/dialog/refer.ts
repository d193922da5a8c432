// Transfer by REFER (RFC 3515, RFC 4488, RFC 5589): the request that asks another party to call somebody, and the NOTIFYs in
// which it reports how that went, as the first line of a response (sipfrag, RFC 3420). Plain data on both sides.
import { header, readOne, scanOne } from '../headers.ts'
import type { SipFault, SipHeader, SipRequest } from '../message.ts'
import { createFault, isFault, reasons } from '../message.ts'
import { isFlaw, param } from '../scan.ts'
import type { Uri } from '../uri.ts'
import { isSipUri, unescapeUri } from '../uri.ts'
import type { Replaces } from '../values.ts'

/** What a REFER asks for. */
export type Referral = {
  /** The URI to call, without the headers it brought. */
  readonly target: Uri
  /** The call this one takes the place of, for the Replaces of our INVITE. */
  readonly replaces: Replaces | undefined
  /** For the Referred-By of our INVITE, as it came (RFC 3892). */
  readonly referredBy: string | undefined
  /** False after `Refer-Sub: false`: send no NOTIFY, and say the same in the 2xx (RFC 4488 §4). */
  readonly wantsNotify: boolean
}

/**
 * Reads a REFER. Faults: 400 without exactly one Refer-To, 416 for a scheme we cannot call, 400 for a broken Replaces, 403
 * for another method than INVITE, which we do not do for others.
 */
export function readRefer(request: SipRequest): Referral | SipFault {
  const to = readOne(request, 'Refer-To')
  if (isFault(to)) return to
  if (to === undefined) return createFault('missing', 'Refer-To is missing', { header: 'Refer-To', message: request })
  const wantsNotify = header(request, 'Refer-Sub')?.trim().toLowerCase().startsWith('false') !== true
  const referredBy = header(request, 'Referred-By')
  const { uri } = to
  if (!isSipUri(uri)) {
    if (uri.scheme !== 'tel') return fault(request, 416, `the scheme ${uri.scheme} cannot be called`)
    return { target: uri, replaces: undefined, referredBy, wantsNotify }
  }
  if ((param(uri, 'method') ?? 'INVITE') !== 'INVITE') return fault(request, 403, 'only INVITE is done for others')
  const replaces = replacesIn(uri.headers, request)
  if (isFault(replaces)) return replaces
  const params = uri.params.filter(({ name }) => name.toLowerCase() !== 'method')
  return { target: { ...uri, params, headers: [] }, replaces, referredBy, wantsNotify }
}

function replacesIn(
  headers: readonly { name: string; value: string | undefined }[],
  request: SipRequest,
): Replaces | undefined | SipFault {
  const found = headers.filter(({ name }) => name.toLowerCase() === 'replaces')
  if (found.length > 1) return fault(request, 400, 'Replaces comes twice')
  if (found[0] === undefined) return undefined
  try {
    return scanOne('Replaces', unescapeUri(found[0].value ?? ''))
  } catch (thrown) {
    if (!isFlaw(thrown)) throw thrown
    return fault(request, 400, `Replaces: ${thrown.flaw}`)
  }
}

function fault(request: SipRequest, status: number, detail: string): SipFault {
  return createFault('refused', `Refer-To: ${detail}`, { status, header: 'Refer-To', message: request })
}

/** Headers of a REFER of ours; `referTo` from `formatReferTo`, `referredBy` our own address in brackets. */
export function referHeaders(referTo: string, { referredBy, wantsNotify = true }: ReferOptions = {}): SipHeader[] {
  const headers: SipHeader[] = [{ name: 'Refer-To', value: referTo }]
  if (referredBy !== undefined) headers.push({ name: 'Referred-By', value: referredBy })
  if (!wantsNotify) headers.push({ name: 'Refer-Sub', value: 'false' }, { name: 'Supported', value: 'norefersub' })
  return headers
}

export type ReferOptions = { referredBy?: string; wantsNotify?: boolean }

/**
 * The side that was asked. `id`: the CSeq of the REFER. `status`: the last one reported. `isOver`: the last NOTIFY is out.
 */
export type ReferNotifier = {
  readonly id: number
  readonly status: number
  readonly isOver: boolean
  readonly expiresMs: number
}

/** How long a transfer is reported on; a REFER cannot ask for a time of its own (RFC 3515 §2.4.4). */
const subscriptionSeconds = 180

/**
 * After the 202 to a REFER. Send a NOTIFY at once (`referNotify`): it may arrive before the 202 does (RFC 3515 §2.4.4).
 */
export function createReferNotifier(referCSeq: number, nowMs: number): ReferNotifier {
  return { id: referCSeq, status: 100, isOver: false, expiresMs: nowMs + subscriptionSeconds * 1000 }
}

/** The call we make for it got a response. Undefined when there is nothing new to report: it is over, or reported already. */
export function reportReferral(notifier: ReferNotifier, status: number): ReferNotifier | undefined {
  if (notifier.isOver || status === notifier.status) return undefined
  // A late 180 after 183 is news; nothing below 200 is after a final one, which `isOver` records.
  return { ...notifier, status, isOver: status >= 200 }
}

/** No NOTIFY goes out after this: the remote party has forgotten the subscription. */
export function isReferralExpired({ expiresMs }: ReferNotifier, nowMs: number): boolean {
  return nowMs >= expiresMs
}

export type NotifyParts = { headers: SipHeader[]; contentType: string; body: Buffer }

/** What the NOTIFY has to have, for `nextRequest`. A refusal of it (481) ends the subscription, never the call. */
export function referNotify({ id, status, isOver, expiresMs }: ReferNotifier, nowMs: number): NotifyParts {
  const seconds = Math.max(0, Math.round((expiresMs - nowMs) / 1000))
  const state = isOver ? 'terminated;reason=noresource' : `active;expires=${seconds}`
  return {
    headers: [
      { name: 'Event', value: `refer;id=${id}` },
      { name: 'Subscription-State', value: state },
    ],
    contentType: 'message/sipfrag;version=2.0',
    body: Buffer.from(`SIP/2.0 ${status} ${reasons[status] ?? ''}\r\n`),
  }
}

/**
 * The side that asked. 'sent': REFER without its answer. 'trying': taken, `status` is the last one heard (100 first).
 * 'done': the transfer stands; hang up. 'failed': it did not; the call goes on. 'unknown': taken, and nothing will be reported
 * (Refer-Sub: false), or the reports ended before the end.
 */
export type Transfer = {
  readonly phase: 'sent' | 'trying' | 'done' | 'failed' | 'unknown'
  /** CSeq of the REFER, the id of its reports. */
  readonly id: number
  readonly status: number
  /** Without a report until then the outcome is unknown. */
  readonly deadlineMs: number
}

/** Longer than any telephone rings. */
const reportTimeoutMs = 180_000

export function createTransfer(referCSeq: number, nowMs: number): Transfer {
  return { phase: 'sent', id: referCSeq, status: 0, deadlineMs: nowMs + reportTimeoutMs }
}

/** The final response to our REFER; timeouts as 408. `hasNoReports`: its 2xx says Refer-Sub: false. */
export function receiveReferResponse(transfer: Transfer, status: number, hasNoReports: boolean): Transfer {
  if (transfer.phase !== 'sent' || status < 200) return transfer
  if (status >= 300) return { ...transfer, phase: 'failed', status }
  return { ...transfer, phase: hasNoReports ? 'unknown' : 'trying', status: 100 }
}

/** Whether a 2xx to REFER says that no NOTIFY will come (RFC 4488 §4). */
export function hasNoReports(response: Parameters<typeof header>[0]): boolean {
  return header(response, 'Refer-Sub')?.trim().toLowerCase().startsWith('false') === true
}

/**
 * A NOTIFY in the dialog. Fault: what to answer when it is no report on this transfer (489 another event, 481 another REFER,
 * 400 no readable status line); else answer 200.
 */
export function receiveReferNotify(transfer: Transfer, request: SipRequest): Transfer | SipFault {
  const event = readOne(request, 'Event')
  const state = readOne(request, 'Subscription-State')
  if (isFault(event)) return event
  if (isFault(state)) return state
  if (event?.token.toLowerCase() !== 'refer') return refused(request, 489, 'Event: only refer is expected here')
  const id = param(event, 'id')
  if (id !== undefined && Number(id) !== transfer.id) return refused(request, 481, `Event: there is no REFER ${id}`)
  const isOver = state?.token.toLowerCase() === 'terminated'
  const status = readSipfrag(request.body)
  // Some end the subscription with an empty NOTIFY.
  if (status === undefined && request.body.length > 0) return refused(request, 400, 'the body is no status line')
  return reported(transfer, status, isOver)
}

function reported(transfer: Transfer, status: number | undefined, isOver: boolean): Transfer {
  if (transfer.phase === 'done' || transfer.phase === 'failed') return transfer
  const known = status ?? transfer.status
  if (known >= 300) return { ...transfer, phase: 'failed', status: known }
  if (known >= 200) return { ...transfer, phase: 'done', status: known }
  return { ...transfer, phase: isOver ? 'unknown' : 'trying', status: known }
}

function refused(request: SipRequest, status: number, detail: string): SipFault {
  return createFault('refused', detail, { status, message: request })
}

/** The status in a sipfrag body (RFC 3420); undefined when it does not begin with a status line. */
export function readSipfrag(body: Buffer): number | undefined {
  const match = /^SIP\/2\.0 ([1-6]\d\d)(?: |\r|\n|$)/i.exec(body.toString('latin1', 0, 64))
  return match === null ? undefined : Number(match[1])
}

/** The transfer after its time is up. */
export function tickTransfer(transfer: Transfer, nowMs: number): Transfer {
  const isOpen = transfer.phase === 'sent' || transfer.phase === 'trying'
  return isOpen && nowMs >= transfer.deadlineMs ? { ...transfer, phase: 'unknown' } : transfer
}
