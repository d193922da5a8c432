// When a code that proves a number may be asked for, and what saying one comes to. Pure.
import type { NumberRow } from '../../messaging/numbers/index.ts'

export const methods = ['text', 'call'] as const
export type Method = (typeof methods)[number]

/** How long a code is good. */
export const codeMinutes = 10
/** Wrong codes after which a new one must be asked for: a guesser has one chance in 100,000. */
export const maxWrongCodes = 5
/** Codes for one number in a day: each costs the operator a text or a call, and rings somebody's phone. */
export const maxRequestsADay = 5
const dayMs = 24 * 3_600_000

export type Verification = {
  method: Method
  code_hash: Buffer
  expires_at: string
  wrong_codes: number
  requests: number
  requests_since: string
}

/** Whether there is anything to prove: a telephone number of the live mode that is not proved yet. */
export function canVerify({ ownership }: Pick<NumberRow, 'ownership'>): boolean {
  return ownership === 'unverified' || ownership === 'contested'
}

/**
 * The requests of this day with one more; or, in seconds, when the next may be made.
 * @param last what was asked for before, if anything
 */
export function countRequest(
  last: Pick<Verification, 'requests' | 'requests_since'> | undefined,
  nowMs: number,
): { requests: number; sinceMs: number } | { retryAfterSeconds: number } {
  const sinceMs = last === undefined ? nowMs : Date.parse(last.requests_since)
  if (last === undefined || nowMs - sinceMs >= dayMs) return { requests: 1, sinceMs: nowMs }
  if (last.requests >= maxRequestsADay) return { retryAfterSeconds: Math.ceil((sinceMs + dayMs - nowMs) / 1_000) }
  return { requests: last.requests + 1, sinceMs }
}

/** Whether a code can still be said. */
export function isOpen(
  { wrong_codes, expires_at }: Pick<Verification, 'wrong_codes' | 'expires_at'>,
  nowMs: number,
): boolean {
  return wrong_codes < maxWrongCodes && nowMs < Date.parse(expires_at)
}

/** What a text brings. It says nothing that whoever asked could have chosen. */
export function codeText(code: string): string {
  return `${code} is the code that verifies this telephone number. It is good for ${codeMinutes} minutes. If you did not ask for it, do not pass it on.`
}

/** What a call says, digit by digit. */
export function codeSpeech(code: string): string {
  return `The code that verifies this telephone number is: ${[...code].join(', ')}. If you did not ask for it, do not pass it on.`
}
