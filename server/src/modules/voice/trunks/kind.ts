// The ports of trunks: what tries one out, what watches it reports, and how its settings are read. The engine that speaks SIP
// implements them; nothing here opens a connection.

import type { Cidr } from '../../../kernel/outbound/egress.ts'
import type { Outbound } from '../../../kernel/outbound/outbound.ts'
import type { SipSettings } from '../engine/index.ts'
import type { AsteriskSettings } from './asterisk_settings.ts'
import type { TrunkSettings } from './settings.ts'

export const trunkKinds = ['sip', 'asterisk'] as const
export type TrunkKindName = (typeof trunkKinds)[number]

/** A kind together with settings of it. */
export type KindSettings =
  | { readonly kind: 'sip'; readonly settings: TrunkSettings }
  | { readonly kind: 'asterisk'; readonly settings: AsteriskSettings }

export const traceSteps = ['resolve', 'connect', 'tls', 'options', 'register', 'ari', 'events'] as const

/** One thing that a test did, and how it went. */
export type TraceStep = {
  step: (typeof traceSteps)[number]
  ok: boolean
  durationMs: number
  /** A sentence that says what happened and, when it failed, what to do. */
  message: string
  /** What was said: SIP messages or HTTP requests as text, credentials hidden. */
  messages: { direction: 'sent' | 'received'; text: string }[]
}

/**
 * Tries settings out beside whatever is in use: of a SIP trunk it looks the host up, connects, asks OPTIONS and, where the
 * settings say so, registers and takes the registration back; of an Asterisk it asks ARI and listens to its events. Within
 * `testTimeoutMs`. Stops at the first step that fails. Reaches no address that is forbidden (kernel/outbound/egress.ts) and not among
 * `allow`.
 */
export type TrunkTester<S> = (
  settings: S,
  surroundings: { allow: readonly Cidr[]; sip: SipSettings; outbound: Outbound },
) => Promise<TraceStep[]>

/** A test takes no longer. */
export const testTimeoutMs = 8_000

/** What tries trunks of each kind out. Without any there is no endpoint to test with. */
export type TrunkTesters = { sip?: TrunkTester<TrunkSettings>; asterisk?: TrunkTester<AsteriskSettings> }

/**
 * - `up`: OPTIONS is answered, and registered where the settings ask for it; an Asterisk reports its calls
 * - `registering`, `unregistered`: the first registration is under way; it was refused or has run out
 * - `down`: OPTIONS is not answered; there is no way to the Asterisk
 * - `disabled`: ended in order, because the trunk was switched off or its process stopped
 * - `unknown`: not asked yet
 */
export const trunkStates = ['up', 'down', 'registering', 'unregistered', 'disabled', 'unknown'] as const
export type TrunkState = (typeof trunkStates)[number]

/** What was done by way of a trunk since its process set it up. */
export type TrunkCounters = {
  /** Calls started, in both directions. */
  calls: number
  /** Those that the trunk could not carry: refused by the carrier, no answer from it, no common codec. */
  failed: number
  /** Under way now. */
  active: number
}

/** What the process that watches a trunk reports of it. */
export type TrunkReport = {
  state: TrunkState
  /** Milliseconds since 1970. */
  stateSinceMs: number
  lastError: string | null
  /** Calls wait, because a limit is reached or the carrier asked for that. */
  throttled: boolean
  counters: TrunkCounters
}
