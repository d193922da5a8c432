// The ports of trunks: what tries one out, what watches it tells, and how its settings are read. The engine that speaks SIP
// implements them; nothing here opens a connection.
import type { Cidr } from '../../../kernel/egress.ts'
import type { SipSettings } from '../../../kernel/endpoint.ts'
import type { TrunkSettings } from './settings.ts'

export const traceSteps = ['resolve', 'connect', 'tls', 'options', 'register'] as const

/** One thing that a test did, and how it went. */
export type TraceStep = {
  step: (typeof traceSteps)[number]
  ok: boolean
  durationMs: number
  /** A sentence that says what happened and, when it failed, what to do. */
  message: string
  /** What was said: SIP messages as text, credentials hidden. */
  messages: { direction: 'sent' | 'received'; text: string }[]
}

/**
 * Tries settings out beside whatever is in use: looks the host up, connects, asks OPTIONS and, where the settings say so,
 * registers and takes the registration back. Within `testTimeoutMs`. Stops at the first step that fails. Reaches no address
 * that is forbidden (kernel/egress.ts) and not among `allow`.
 */
export type TrunkTester = (
  settings: TrunkSettings,
  surroundings: { allow: readonly Cidr[]; sip: SipSettings },
) => Promise<TraceStep[]>

/** A test takes no longer. */
export const testTimeoutMs = 8_000

/** What of trunks is done elsewhere. Without a tester there is no endpoint to test with. */
export type TrunkKind = { test?: TrunkTester }

/**
 * - `up`: OPTIONS is answered, and registered where the settings ask for it
 * - `registering`, `unregistered`: the first registration is under way; it was refused or has run out
 * - `down`: OPTIONS is not answered
 * - `disabled`: ended in order, because the trunk was switched off or its process stopped
 * - `unknown`: not asked yet
 */
export const trunkStates = ['up', 'down', 'registering', 'unregistered', 'disabled', 'unknown'] as const
export type TrunkState = (typeof trunkStates)[number]

/** What was done by way of a trunk since its process set it up. */
export type TrunkCounters = {
  /** Calls begun, in both directions. */
  calls: number
  /** Those that the trunk could not carry: refused by the carrier, no answer from it, no common codec. */
  failed: number
  /** Under way now. */
  active: number
}

/** What the process that watches a trunk tells of it. */
export type TrunkReport = {
  state: TrunkState
  /** Milliseconds since 1970. */
  stateSinceMs: number
  lastError: string | null
  /** Calls wait, because a limit is reached or the carrier asked for that. */
  throttled: boolean
  counters: TrunkCounters
}
