// What becomes of a request of ours: what the peer answered, or why it has no response and whether the peer may have got it.
import { statuses } from './commands.ts'
import type { Pdu, PduOf } from './pdu.ts'

/** What the peer said to a request that carries a message. */
export type Answer = { status: number; messageId: string }

export function answerOf(response: Pdu): Answer {
  // A nack without a status says nothing but that the request was not taken.
  if (response.command === 'generic_nack')
    return { status: response.status || statuses.ESME_RUNKNOWNERR, messageId: '' }
  return { status: response.status, messageId: (response as PduOf<'submit_sm_resp'>).messageId ?? '' }
}

/**
 * Why a request has no response.
 * - `not_written`: not an octet of it was given to the connection; it may be sent elsewhere.
 * - `unanswered`: the peer may have got it and may have acted on it.
 */
export type RequestFailure = Error & { outcome: 'not_written' | 'unanswered'; reason: FailureReason }

export type FailureReason =
  | 'not_bound'
  | 'wrong_role'
  | 'window_full'
  | 'invalid'
  | 'closing'
  | 'timeout'
  | 'link_lost'
  | 'malformed_response'

export function isRequestFailure(error: unknown): error is RequestFailure {
  return error instanceof Error && 'outcome' in error && 'reason' in error
}

export function requestFailure(
  outcome: RequestFailure['outcome'],
  reason: FailureReason,
  message: string,
): RequestFailure {
  return Object.assign(new Error(message), { outcome, reason })
}
