// Session timers (RFC 4028): both sides agree on how long a call may live without a sign of life, one of them refreshes it at
// half of that time, and the other ends it when nothing comes. Plain data; times in milliseconds come in.
import { readAll, readOne } from '../headers.ts'
import type { SipFault, SipHeader, SipMessage, SipRequest, SipResponse } from '../message.ts'
import { createFault, isFault } from '../message.ts'
import { param } from '../scan.ts'

/** No interval may be below this (§4, §5). */
export const minimumInterval = 90

export type TimerWish = {
  /** Seconds; 1,800 is what the standard recommends. */
  interval: number
  /** The least we agree to, 90 or more. */
  minimum: number
  /** Who should refresh. Left out: the side that the remote party prefers. */
  refresher?: 'uac' | 'uas'
}

export const defaultTimerWish: TimerWish = { interval: 1_800, minimum: minimumInterval }

/**
 * A running timer. `interval` in seconds; `refreshedMs`: when the last refresh was answered; `isRefreshing`: ours is on its way.
 */
export type SessionTimer = {
  readonly interval: number
  readonly isOurs: boolean
  readonly refreshedMs: number
  readonly isRefreshing: boolean
}

/** Headers for an INVITE, a re-INVITE or an UPDATE of ours (§7.1). Our Supported must have `timer`. */
export function timerHeaders({ interval, minimum, refresher }: TimerWish): SipHeader[] {
  const value = refresher === undefined ? String(interval) : `${interval};refresher=${refresher}`
  const headers = [{ name: 'Session-Expires', value }]
  if (minimum > minimumInterval) headers.push({ name: 'Min-SE', value: String(minimum) })
  return headers
}

/** The headers for a refresh inside a running timer: the same interval, and the same side refreshes (§7.4). */
export function refreshHeaders(timer: SessionTimer, wish: TimerWish): SipHeader[] {
  // In a refresh the one who sends it is the uac, no matter who made the call.
  return timerHeaders({ ...wish, interval: timer.interval, refresher: timer.isOurs ? 'uac' : 'uas' })
}

/**
 * After 422: the wish to try again with, in a new INVITE with the same Call-ID and the next CSeq (§7.3). Undefined when it
 * asks for nothing higher: then the call has failed.
 */
export function raisedWish(wish: TimerWish, response: SipResponse): TimerWish | undefined {
  const least = readOne(response, 'Min-SE')
  if (least === undefined || isFault(least) || least.seconds <= wish.minimum) return undefined
  return { ...wish, minimum: least.seconds, interval: Math.max(wish.interval, least.seconds) }
}

/** The timer that a 2xx to our INVITE or UPDATE sets (§7.2); undefined: the session has none, and a running one stops. */
export function timerFromResponse(response: SipResponse, nowMs: number): SessionTimer | undefined {
  const expires = readOne(response, 'Session-Expires')
  if (expires === undefined || isFault(expires)) return undefined
  const isOurs = param(expires, 'refresher')?.toLowerCase() !== 'uas'
  return { interval: Math.max(expires.seconds, minimumInterval), isOurs, refreshedMs: nowMs, isRefreshing: false }
}

export type TimerAnswer = {
  readonly timer: SessionTimer | undefined
  /** For our 2xx. */
  readonly headers: readonly SipHeader[]
}

/**
 * What our 2xx to an INVITE or UPDATE says (§9), and the timer it sets. Fault 422 when the caller understands timers and
 * asked for less than we agree to. `wish` undefined: we want none, and take what the caller wants.
 */
export function answerTimer(request: SipRequest, wish: TimerWish | undefined, nowMs: number): TimerAnswer | SipFault {
  const expires = readOne(request, 'Session-Expires')
  const least = readOne(request, 'Min-SE')
  if (isFault(expires)) return expires
  if (isFault(least)) return least
  const isSupported = understandsTimers(request)
  const minimum = Math.max(wish?.minimum ?? minimumInterval, minimumInterval)
  const theirMinimum = Math.max(least?.seconds ?? 0, minimumInterval)
  if (expires !== undefined && expires.seconds < minimum && isSupported) return tooSmall(request, minimum)
  if (expires === undefined && wish === undefined) return { timer: undefined, headers: [] }
  // The interval may be lowered, though not below Min-SE of the request, and never raised.
  const asked = expires?.seconds ?? Number.POSITIVE_INFINITY
  const ours = wish === undefined ? asked : Math.max(wish.interval, minimum)
  const interval = Math.max(Math.min(asked, Math.max(ours, theirMinimum)), minimumInterval)
  const refresher = refresherOf(isSupported, expires && param(expires, 'refresher'), wish)
  const headers: SipHeader[] = [{ name: 'Session-Expires', value: `${interval};refresher=${refresher}` }]
  if (isSupported) headers.unshift({ name: 'Require', value: 'timer' })
  const timer = { interval, isOurs: refresher === 'uas', refreshedMs: nowMs, isRefreshing: false }
  return { timer, headers }
}

/** Table 2 of §9: a caller without timers never refreshes; one that named a side gets that side. */
function refresherOf(isSupported: boolean, named: string | undefined, wish: TimerWish | undefined): 'uac' | 'uas' {
  if (!isSupported) return 'uas'
  const lower = named?.toLowerCase()
  if (lower === 'uac' || lower === 'uas') return lower
  return wish?.refresher ?? 'uac'
}

function tooSmall(request: SipRequest, minimum: number): SipFault {
  const fault = createFault('refused', `Session-Expires is below ${minimum}`, { status: 422, message: request })
  return { ...fault, headers: [{ name: 'Min-SE', value: String(minimum) }] }
}

function understandsTimers(request: SipMessage): boolean {
  const options = (['Supported', 'Require'] as const).map(name => readAll(request, name))
  return options.some(list => !isFault(list) && list.some(option => option.toLowerCase() === 'timer'))
}

/** Whether a refresh goes by UPDATE, which needs no description: when the remote party's Allow has it (§7.4). */
export function refreshesByUpdate(message: SipMessage): boolean {
  const allowed = readAll(message, 'Allow')
  return !isFault(allowed) && allowed.includes('UPDATE')
}

/** When something is to be done next. */
export function timerDeadlineMs(timer: SessionTimer): number {
  const { interval, isOurs, isRefreshing, refreshedMs } = timer
  if (isOurs && !isRefreshing) return refreshedMs + interval * 500
  // A little before the end, so that the BYE reaches a remote party that still knows the call (§10).
  return refreshedMs + (interval - Math.min(32, interval / 3)) * 1000
}

/**
 * What is due. 'refresh': send UPDATE or re-INVITE with `refreshHeaders`; its 2xx gives a new timer (`timerFromResponse`), and
 * after a failure that leaves the call another one follows. 'end': send BYE; nothing was refreshed.
 */
export function tickTimer(
  timer: SessionTimer,
  nowMs: number,
): { readonly timer: SessionTimer; readonly due: 'refresh' | 'end' | undefined } {
  if (nowMs < timerDeadlineMs(timer)) return { timer, due: undefined }
  if (!timer.isOurs || timer.isRefreshing) return { timer, due: 'end' }
  return { timer: { ...timer, isRefreshing: true }, due: 'refresh' }
}
