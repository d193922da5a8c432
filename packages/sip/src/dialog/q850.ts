// What a SIP status means on the telephone network and the other way round (RFC 3398 §7.2.4.1 and §8.2.6.1, RFC 4497 §8.4.4),
// and the Reason header that names a cause outright (RFC 3326): several causes end up in one status, so Reason is worth more.
import { readAll } from '../headers.ts'
import type { SipHeader, SipMessage } from '../message.ts'
import { isFault } from '../message.ts'
import { param } from '../scan.ts'
import { quote } from '../values.ts'

/** The names of Q.850 §2.2.5 for the causes that telephony meets. */
export const causeNames: Readonly<Record<number, string>> = {
  1: 'Unallocated (unassigned) number',
  2: 'No route to specified transit network',
  3: 'No route to destination',
  16: 'Normal call clearing',
  17: 'User busy',
  18: 'No user responding',
  19: 'No answer from user (user alerted)',
  20: 'Subscriber absent',
  21: 'Call rejected',
  22: 'Number changed',
  23: 'Redirection to new destination',
  25: 'Exchange routing error',
  26: 'Non-selected user clearing',
  27: 'Destination out of order',
  28: 'Invalid number format (address incomplete)',
  29: 'Facility rejected',
  31: 'Normal, unspecified',
  34: 'No circuit/channel available',
  38: 'Network out of order',
  41: 'Temporary failure',
  42: 'Switching equipment congestion',
  47: 'Resource unavailable, unspecified',
  50: 'Requested facility not subscribed',
  55: 'Incoming calls barred within CUG',
  57: 'Bearer capability not authorized',
  58: 'Bearer capability not presently available',
  63: 'Service or option not available, unspecified',
  65: 'Bearer capability not implemented',
  69: 'Requested facility not implemented',
  70: 'Only restricted digital information bearer capability is available',
  79: 'Service or option not implemented, unspecified',
  87: 'User not member of CUG',
  88: 'Incompatible destination',
  102: 'Recovery on timer expiry',
  111: 'Protocol error, unspecified',
  127: 'Interworking, unspecified',
}

const causeOfStatus: Readonly<Record<number, number>> = {
  400: 41,
  401: 21,
  402: 21,
  403: 21,
  404: 1,
  405: 63,
  406: 79,
  407: 21,
  408: 102,
  410: 22,
  413: 127,
  414: 127,
  415: 79,
  416: 127,
  420: 127,
  421: 127,
  423: 127,
  480: 18,
  481: 41,
  482: 25,
  483: 25,
  484: 28,
  485: 1,
  486: 17,
  487: 31,
  488: 65,
  500: 41,
  501: 79,
  502: 38,
  503: 41,
  504: 102,
  505: 127,
  513: 127,
  600: 17,
  603: 21,
  604: 1,
  606: 65,
  607: 21,
  608: 21,
}

const statusOfCause: Readonly<Record<number, number>> = {
  1: 404,
  2: 404,
  3: 404,
  16: 480,
  17: 486,
  18: 408,
  19: 480,
  20: 480,
  21: 403,
  22: 410,
  23: 410,
  26: 404,
  27: 502,
  28: 484,
  29: 501,
  31: 480,
  34: 503,
  38: 503,
  41: 503,
  42: 503,
  47: 503,
  50: 503,
  55: 403,
  57: 403,
  58: 503,
  65: 488,
  70: 488,
  79: 501,
  87: 403,
  88: 503,
  102: 504,
  111: 500,
  127: 500,
}

/**
 * The cause a final status stands for. 200 is a call that ended in the ordinary way, 16. Statuses the standard leaves out
 * count as their class: 3xx 23, 4xx 31, 5xx 41, 6xx 21. 408 is 102; after ringing call it 19 yourself.
 */
export function q850Of(status: number): number {
  const cause = causeOfStatus[status]
  if (cause !== undefined) return cause
  if (status < 300) return 16
  if (status < 400) return 23
  if (status < 500) return 31
  return status < 600 ? 41 : 21
}

/** The status to refuse an INVITE with for a cause; 500 for one that the standard does not know (RFC 3398 §7.2.4.1). */
export function statusOfQ850(q850: number): number {
  return statusOfCause[q850] ?? 500
}

/** One value of Reason: `protocol` in capitals, `cause` as it is where it is a number. */
export type CallReason = {
  readonly protocol: string
  readonly cause: number | undefined
  readonly text: string | undefined
}

/** The reasons of a message; those that make no sense are passed over: nobody ends a call for that. */
export function reasonsOf(message: SipMessage): CallReason[] {
  const values = readAll(message, 'Reason')
  if (isFault(values)) return []
  return values.map(value => {
    const cause = param(value, 'cause')
    const isNumber = cause !== undefined && /^\d{1,4}$/.test(cause)
    return {
      protocol: value.token.toUpperCase(),
      cause: isNumber ? Number(cause) : undefined,
      text: param(value, 'text'),
    }
  })
}

/** The Q.850 cause of a final response, a CANCEL or a BYE: from Reason when it has one, else from its status. */
export function causeOf(message: SipMessage): number {
  const named = q850In(reasonsOf(message))
  if (named !== undefined) return named
  // Another telephone was picked up: the network calls that "non-selected user clearing".
  if (message.kind === 'request' && message.method === 'CANCEL' && isTakenElsewhere(message)) return 26
  const status = statusIn(message)
  return status === undefined ? 16 : q850Of(status)
}

/** The first Q.850 cause among these that is one, 1 to 127: common peers say `cause=0` where they know none. */
export function q850In(reasons: readonly CallReason[]): number | undefined {
  const isCause = ({ protocol, cause }: CallReason) =>
    protocol === 'Q.850' && cause !== undefined && cause >= 1 && cause <= 127
  return reasons.find(isCause)?.cause
}

/** The status of a response, or the one a request gives as its reason. */
function statusIn(message: SipMessage): number | undefined {
  if (message.kind === 'response') return message.status
  const reason = reasonsOf(message).find(({ protocol, cause }) => protocol === 'SIP' && cause !== undefined)
  return reason?.cause !== undefined && reason.cause >= 200 && reason.cause < 700 ? reason.cause : undefined
}

/** Whether a CANCEL says that somebody else took the call, so it was not missed here (RFC 3326 §3.1). */
export function isTakenElsewhere(cancel: SipMessage): boolean {
  return reasonsOf(cancel).some(({ protocol, cause }) => protocol === 'SIP' && cause === 200)
}

/** A Reason header; the text of Q.850 when none is given. */
export function reasonHeader(protocol: 'Q.850' | 'SIP', cause: number, text?: string): SipHeader {
  const words = text ?? (protocol === 'Q.850' ? causeNames[cause] : undefined)
  return { name: 'Reason', value: `${protocol};cause=${cause}${words === undefined ? '' : `;text=${quote(words)}`}` }
}
