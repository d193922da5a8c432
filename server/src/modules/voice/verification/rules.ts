// When a code that proves a number may be asked for, and what saying one comes to. Pure.
import { isoMs } from '../../../kernel/values/clock.ts'
import type { NumberRow } from '../../messaging/numbers/index.ts'

export const methods = ['text', 'call'] as const
export type Method = (typeof methods)[number]

/** How long a code is good. */
export const codeMinutes = 10
/** Wrong codes after which a new one must be asked for: a guesser has one chance in 100,000. */
export const maxWrongCodes = 5
/** Codes for one number in a day: each costs the operator a text or a call, and rings somebody's phone. */
export const maxRequestsADay = 5
/** Codes for all numbers of an organization in a day: more are brought by nobody but who makes others pay, or rings at random. */
export const maxRequestsOfOrganization = 50
const dayMs = 24 * 3_600_000

export type Verification = {
  method: Method
  code_hash: Buffer
  expires_at: string
  wrong_codes: number
}

/** How often codes were asked for since, for one number or by an organization. */
export type Requests = { requests: number; requests_since: string }

/** Whether there is anything to prove: a telephone number of the live mode that is not proved yet. */
export function canVerify({ ownership }: Pick<NumberRow, 'ownership'>): boolean {
  return ownership === 'unverified' || ownership === 'contested'
}

/**
 * The requests of this day with one more; or, in seconds, when the next may be made.
 * @param last what was asked for before
 * @param most requests a day
 */
export function countRequest(last: Requests, most: number, nowMs: number): Requests | { retryAfterSeconds: number } {
  const endMs = Date.parse(last.requests_since) + dayMs
  if (nowMs >= endMs) return { requests: 1, requests_since: isoMs(nowMs) }
  if (last.requests >= most) return { retryAfterSeconds: Math.ceil((endMs - nowMs) / 1_000) }
  return { ...last, requests: last.requests + 1 }
}

/** Whether a code can still be said. */
export function isOpen(
  { wrong_codes, expires_at }: Pick<Verification, 'wrong_codes' | 'expires_at'>,
  nowMs: number,
): boolean {
  return wrong_codes < maxWrongCodes && nowMs < Date.parse(expires_at)
}

/** What a text brings. It says nothing that anyone who asked could have chosen. */
export function codeText(code: string): string {
  return `${code} is the code that verifies this telephone number. It is good for ${codeMinutes} minutes. If you did not ask for it, do not pass it on.`
}

/** What a call says, digit by digit. */
export function codeSpeech(code: string): string {
  return `The code that verifies this telephone number is: ${[...code].join(', ')}. If you did not ask for it, do not pass it on.`
}
