// What the final response of a remote party means: the cause a call ends with, and whether another trunk may try. SIP statuses are
// those of RFC 3261 §21 and its extensions, causes those of ITU-T Q.850; how the two go together follows RFC 3398. Pure.
import type { HangupCause, HangupParty } from '../call_records/index.ts'

/** What a call heard of its remote party before it was answered. */
export type FinalResponse = {
  /** The final status; null for silence, or when no message could be sent. */
  sipStatus: number | null
  /** The Q.850 cause of its Reason header (RFC 3326), when it has one. */
  q850?: number | null
  /** A 180 to 189 came before. */
  heard18x: boolean
  /** We sent a CANCEL. */
  canceled?: boolean
}

export type Ending = {
  cause: HangupCause
  by: HangupParty
  sipCode: number | null
  /** What the remote party said; undefined leaves the usual one of the cause. */
  q850: number | undefined
}

/** Statuses that say more than their class. */
const byStatus: Readonly<Record<number, HangupCause>> = {
  401: 'trunk_rejected',
  402: 'trunk_rejected',
  403: 'trunk_rejected',
  404: 'unallocated',
  407: 'trunk_rejected',
  410: 'number_changed',
  415: 'codec_mismatch',
  416: 'bad_format',
  // Identity missing or refused: RFC 5079 (433), RFC 8224 (428, 436, 437, 438).
  428: 'caller_id_not_allowed',
  433: 'caller_id_not_allowed',
  436: 'caller_id_not_allowed',
  437: 'caller_id_not_allowed',
  438: 'caller_id_not_allowed',
  480: 'no_answer',
  484: 'bad_format',
  485: 'bad_format',
  486: 'user_busy',
  488: 'codec_mismatch',
  // Without a CANCEL of ours somebody on the way gave up.
  487: 'network',
  500: 'network',
  503: 'congestion',
  600: 'user_busy',
  603: 'declined',
  604: 'unallocated',
  606: 'codec_mismatch',
  // Unwanted, RFC 8197; refused by what screens calls, RFC 8688.
  607: 'declined',
  608: 'declined',
}

/** Causes that say why; 16, 30, 31 and 127 do not, nor do those missing here: there the status decides. */
const byQ850: Readonly<Record<number, HangupCause>> = {
  1: 'unallocated',
  // No route from there is no word about the number: another carrier may have one.
  2: 'network',
  3: 'network',
  17: 'user_busy',
  18: 'no_answer',
  19: 'no_answer',
  20: 'no_answer',
  21: 'declined',
  22: 'number_changed',
  26: 'unallocated',
  27: 'network',
  28: 'bad_format',
  29: 'trunk_rejected',
  34: 'congestion',
  38: 'network',
  39: 'network',
  40: 'network',
  41: 'network',
  42: 'congestion',
  43: 'network',
  44: 'congestion',
  46: 'congestion',
  47: 'congestion',
  50: 'trunk_rejected',
  52: 'trunk_rejected',
  54: 'trunk_rejected',
  55: 'trunk_rejected',
  57: 'trunk_rejected',
  58: 'codec_mismatch',
  63: 'congestion',
  65: 'codec_mismatch',
  69: 'codec_mismatch',
  70: 'codec_mismatch',
  79: 'codec_mismatch',
  87: 'trunk_rejected',
  88: 'codec_mismatch',
  102: 'network',
}

const isRefusalOfUs = (status: number | null) => status === 401 || status === 403 || status === 407

function causeOf({ sipStatus, q850, heard18x, canceled }: FinalResponse): HangupCause {
  if (canceled === true && (sipStatus === 487 || sipStatus === null)) return 'canceled'
  // Carriers give 21 with 403 for an account they do not take as well as for a callee who declines.
  const byCause = q850 === 21 && isRefusalOfUs(sipStatus) ? undefined : byQ850[q850 ?? 0]
  if (byCause !== undefined) return byCause
  if (sipStatus === null || sipStatus === 408) return heard18x ? 'no_answer' : 'network'
  return byStatus[sipStatus] ?? (sipStatus >= 500 && sipStatus < 600 ? 'network' : 'trunk_rejected')
}

const calleeCauses: readonly HangupCause[] = ['user_busy', 'no_answer', 'declined']

/** How a call ends whose remote party said this before any answer. Of a canceled call, the one who canceled knows better by whom. */
export function endOfStatus(response: FinalResponse): Ending {
  const { sipStatus, q850 } = response
  const cause = causeOf(response)
  const by = cause === 'canceled' ? 'caller' : calleeCauses.includes(cause) ? 'callee' : 'carrier'
  const isCause = q850 !== undefined && q850 !== null && q850 >= 1 && q850 <= 127
  return { cause, by, sipCode: sipStatus, q850: isCause ? q850 : undefined }
}

/** Causes that lie with the carrier, not with the callee. */
const carrierCauses: readonly HangupCause[] = ['trunk_rejected', 'codec_mismatch', 'congestion', 'network']

/** Other refusals of a request (400, 420, 3xx …) would be the same anywhere, or cannot be distinguished from those. */
const retried = (status: number | null) =>
  status === null ||
  status === 408 ||
  isRefusalOfUs(status) ||
  status === 415 ||
  status === 488 ||
  isServerFault(status)
const isServerFault = (status: number) => status >= 500 && status < 600

/**
 * Whether the next trunk may try the call: only before any phone can have rung, and only where the carrier failed, not the
 * callee. A Q.850 cause goes before the status: a 503 that says busy is a busy line, a 480 that says congestion is none.
 */
export function mayFailOver(response: FinalResponse): boolean {
  if (response.heard18x || response.canceled === true) return false
  const cause = causeOf(response)
  if (!carrierCauses.includes(cause)) return false
  return byQ850[response.q850 ?? 0] === cause || retried(response.sipStatus)
}
