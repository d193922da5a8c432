// The port to a kind of carrier that organizations set up for themselves: its settings as a schema, how it is opened and
// how it is tried out. What is opened is a carrier like any other (../carrier.ts) that also reports its links.
import type { TObject } from 'typebox'
import type { Settings } from '../../../kernel/links/settings.ts'
import type { Cidr } from '../../../kernel/outbound/egress.ts'
import type { FieldFault } from '../../../kernel/values/problem.ts'
import type { Carrier, CarrierContext } from '../carrier.ts'

export const linkRoles = ['transceiver', 'transmitter', 'receiver'] as const
export type LinkRole = (typeof linkRoles)[number]

export const linkStates = ['connecting', 'up', 'throttled', 'down', 'stopped'] as const
export type LinkState = (typeof linkStates)[number]

/** What one link did since it was opened by this process. */
export type LinkCounters = {
  /** Segments written. */
  submitted: number
  accepted: number
  throttled: number
  refused: number
  /** Written, but no answer came in time. */
  unanswered: number
  receipts: number
  /** Inbound messages and parts of messages. */
  inbound: number
  /** Times it came up. */
  binds: number
}

export type LinkReport = {
  /** From 0. */
  link: number
  role: LinkRole
  state: LinkState
  /** Milliseconds since 1970. */
  stateSinceMs: number
  lastError: string | null
  counters: LinkCounters
}

/** An open carrier with links. */
export type LinkedCarrier = Carrier & {
  reports(): LinkReport[]
  /**
   * Takes nothing more, gives back what is not written, and resolves when all that is written was answered, or has waited for its answer as
   * long as the settings say. What comes in is taken until the carrier is closed, which may be sooner.
   */
  finish(): Promise<void>
  /**
   * Drops every link at once, without a word to the remote side, because another process may open them now. What was
   * written and not answered is unknown.
   */
  abort(why: string): void
}

export type Surroundings = {
  context: CarrierContext
  tenantId: number
  carrierId: string
  /** The name of the queue that waits for room. */
  queue: string
  /** Private addresses that links may reach all the same. */
  allow: readonly Cidr[]
  /** Stands in the references of inbound messages; the same again after a crash, so that repetitions are known. */
  era: string
  /** When the process before was last heard of, where it ended without order; milliseconds since 1970. */
  crashedAtMs: number | null
  /** References of inbound messages and parts that were stored shortly before that; none without a crash. */
  storedBefore: readonly string[]
  /** A link changed its state. */
  changed(): void
}

/** One thing that a test did, and how it went. */
export type TraceStep = {
  step: 'resolve' | 'connect' | 'tls' | 'bind' | 'enquire_link' | 'unbind'
  ok: boolean
  durationMs: number
  /** A sentence that says what happened and, when it failed, what to do. */
  message: string
  /** What was said, readable and without secrets. */
  pdus: { direction: 'sent' | 'received'; text: string }[]
}

export type CarrierKind = {
  /** snake_case, unique. */
  name: string
  title: string
  description: string
  /**
   * Schema of the settings. Each field has title and description, and what it is without a word is its `default`;
   * `x-secret` marks those that are sealed and never shown, `x-group` the heading of the form.
   */
  settings: TObject
  /** Settings that say where the secrets are sent: who changes one of them must enter the secrets again. */
  secretsFor: readonly string[]
  /** An example of the settings. */
  sample: Settings
  /** Faults that the schema cannot find; fields are named below the settings. */
  faultsOf(settings: Settings): FieldFault[]
  open(settings: Settings, surroundings: Surroundings): LinkedCarrier
  /** Makes a link of its own, sends enquire_link and unbinds. Within `testTimeoutMs`. Stops at the first step that fails. */
  test(settings: Settings, surroundings: Pick<Surroundings, 'allow'>): Promise<TraceStep[]>
}

/** A test takes no longer. */
export const testTimeoutMs = 8_000
