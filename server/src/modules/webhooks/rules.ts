// What becomes of a delivery, and of the receiver it was meant for: when it is tried again, when a receiver is slowed down,
// only probed, reported, or disabled. Pure: times come in and go out.
import { readableNouns } from '../../kernel/values/event_types.ts'
import type { Permission } from '../../kernel/values/permission.ts'

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export const disabledReasons = ['request', 'gone', 'failing'] as const
export type DisabledReason = (typeof disabledReasons)[number]

export const healths = ['ok', 'failing', 'probing', 'disabled'] as const
export type Health = (typeof healths)[number]

export const listenerStates = ['connected', 'away', 'ended'] as const
export type ListenerState = (typeof listenerStates)[number]

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** How long after the attempt before each of the ten attempts comes: 75 hours in all. */
export const retryDelaysMs: readonly number[] = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]
export const maxTries = retryDelaysMs.length

const jitter = 0.2
const longestRetryAfterMs = 24 * hour

/**
 * Calls under way at once to one receiver that is well: so many from the beginning, and up to `maxConcurrency` while there is more to send
 * and it answers within `quickMs`. And to all receivers of a tenant.
 */
export const fullConcurrency = 10
export const maxConcurrency = 50
export const tenantConcurrency = 100
export const quickMs = 500

/**
 * From so many failures in a row on, one probe at a time is all that is sent: the next after as long as the receiver has
 * been failing, at least a second and at most a minute. One that was away for a moment is not made to wait.
 */
export const probeFrom = 20
const probeAfterMs = { least: second, most: minute }

/** A receiver that fails so long, and so many attempts, is disabled. */
export const disableAfterMs = 120 * hour
export const disableAfterAttempts = 20

/** How long it has been failing when its owner gets a notice, by its number. The last is the end. */
export const noticeHours: readonly number[] = [1, 24, 72, disableAfterMs / hour]

/**
 * Minutes of failing from which a webhook goes along in the mail about a notice, by its number, once the notice is due for another: three
 * quarters. What hangs on one server fails within minutes, and is tried again hours apart.
 */
export const gatherMinutes: readonly number[] = noticeHours.slice(0, -1).map(hours => hours * 45)

/**
 * When a delivery is tried again that failed for the `tries`-th time, in milliseconds from now; undefined after the last.
 * @param chance 0 to 1, spreads deliveries that failed together by ±20 %
 * @param retryAfterMs what the receiver asked for: honoured from the planned delay to twice it, and a day at most
 */
export function retryDelayMs(tries: number, chance: number, retryAfterMs?: number): number | undefined {
  const planned = retryDelaysMs[tries]
  if (planned === undefined) return undefined
  const spread = planned * (1 - jitter + 2 * jitter * chance)
  if (retryAfterMs === undefined) return Math.round(spread)
  return Math.round(Math.max(spread, Math.min(retryAfterMs, 2 * planned, longestRetryAfterMs)))
}

/** A number from 0 to 1 that is the same for the same text (FNV-1a), so that what is planned can be planned again. */
export function chanceOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  // The last digits of ids that follow each other differ in few bits: stir once more.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32
}

/** Milliseconds a Retry-After header asks for (RFC 9110 §10.2.3: seconds, or a date); undefined when it says nothing. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * second
  const at = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}

/** What came of one attempt. */
export type Outcome = {
  /** HTTP status, when an answer came. */
  status?: number | undefined
  /** Why none came. */
  error?: string
  retryAfterMs?: number | undefined
  /** How long the call took, in milliseconds. */
  ms: number
}

/** Any 2xx, and nothing else. */
export function succeeded({ status }: Pick<Outcome, 'status'>): boolean {
  return status !== undefined && status >= 200 && status < 300
}

/** The health of deliveries to one receiver; times in milliseconds since 1970. */
export type DeliveryHealth = {
  /** How many calls it bears at once. */
  concurrency: number
  /** Successes in a row since that last changed. */
  credit: number
  failures: number
  failingSinceMs: number | null
  failedAttempts: number
  deliveredAtMs: number | null
  lastError: string | null
  /** Nothing is sent before. */
  resumeAtMs: number | null
}

/** The health after one more outcome. */
export function nextHealth(health: DeliveryHealth, outcome: Outcome, nowMs: number): DeliveryHealth {
  if (succeeded(outcome)) return afterSuccess(health, outcome.ms, nowMs)
  const failures = health.failures + 1
  const overloaded = isOverloaded(outcome)
  const concurrency = overloaded ? Math.max(1, health.concurrency >> 1) : health.concurrency
  const failingSinceMs = health.failingSinceMs ?? nowMs
  const restMs = restAfter(failures, {
    overloaded,
    retryAfterMs: outcome.retryAfterMs,
    failingMs: nowMs - failingSinceMs,
  })
  return {
    concurrency,
    credit: 0,
    failures,
    failingSinceMs,
    failedAttempts: health.failedAttempts + 1,
    deliveredAtMs: health.deliveredAtMs,
    lastError: outcome.error ?? String(outcome.status),
    resumeAtMs: restMs === undefined ? health.resumeAtMs : nowMs + restMs,
  }
}

function afterSuccess(health: DeliveryHealth, ms: number, nowMs: number): DeliveryHealth {
  return {
    ...nextConcurrency(health, ms),
    failures: 0,
    failingSinceMs: null,
    failedAttempts: 0,
    deliveredAtMs: nowMs,
    lastError: null,
    resumeAtMs: null,
  }
}

/** One more call at once after each round that went well; what goes beyond the full number is taken back where answers take longer. */
function nextConcurrency({ failures, concurrency, credit }: DeliveryHealth, ms: number) {
  // Back from being probed, it is led back gently.
  if (failures >= probeFrom) return { concurrency: 2, credit: 0 }
  const most = ms > quickMs ? fullConcurrency : maxConcurrency
  if (concurrency >= most) return { concurrency: Math.max(most, concurrency - 1), credit: 0 }
  return credit + 1 < concurrency ? { concurrency, credit: credit + 1 } : { concurrency: concurrency + 1, credit: 0 }
}

/** Too many requests, or a gateway in front of a server that does not keep up; or no answer in time. */
function isOverloaded({ status, error }: Outcome): boolean {
  return status === 429 || status === 502 || status === 504 || error === 'timeout'
}

type Trouble = { overloaded: boolean; retryAfterMs: number | undefined; failingMs: number }

function restAfter(failures: number, { overloaded, retryAfterMs, failingMs }: Trouble): number | undefined {
  if (failures >= probeFrom) return Math.min(Math.max(failingMs, probeAfterMs.least), probeAfterMs.most)
  return overloaded ? Math.min(Math.max(second, retryAfterMs ?? 0), minute) : undefined
}

/** How many calls may be under way now. */
export function slotsFor(health: DeliveryHealth, granted: number): number {
  return health.failures >= probeFrom ? 1 : Math.min(health.concurrency, granted)
}

/** The health of a webhook in one word. */
export function healthOf({ enabled, failures }: { enabled: boolean; failures: number }): Health {
  if (!enabled) return 'disabled'
  if (failures >= probeFrom) return 'probing'
  return failures > 0 ? 'failing' : 'ok'
}

/** Whether somebody may see the data of an event: with the permission to read the resource it is about. */
export function maySee(eventType: string, held: ReadonlySet<Permission>): boolean {
  return readableNouns(held).has(eventType.split('.')[0] as string)
}
