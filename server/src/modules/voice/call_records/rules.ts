// What a call may become. One table of states; pure functions that turn what an engine or the API reports into the next
// state of the call and the event to write. A call that ends does so once, whatever is reported, and in whatever order.
import type { Selectable } from 'kysely'
import type { Database } from '../../../kernel/data/database.generated.ts'
import type { Scope } from '../../../kernel/data/db.ts'
import type { CountedEvent } from '../../../kernel/data/events.ts'
import { isoMs, minutesBegun } from '../../../kernel/values/clock.ts'
import type { EventType } from '../../../kernel/values/event_types.ts'
import { microsText } from '../../../kernel/values/money.ts'
import type { ProblemCode } from '../../../kernel/values/problem.ts'
import { move, type Table } from '../../../kernel/values/states.ts'

export const callStates = [
  'initiated',
  'ringing',
  'answered',
  'completed',
  'busy',
  'no_answer',
  'rejected',
  'failed',
  'canceled',
] as const
export type CallState = (typeof callStates)[number]

export const liveCallStates: readonly CallState[] = ['initiated', 'ringing', 'answered']
export const terminalCallStates = callStates.filter(state => !liveCallStates.includes(state))

export type CallTransition = Exclude<CallState, 'initiated'>

/** Each transition is named like the state it leads to, and its event `call.<state>`. */
export const callTransitions: Table<CallState, CallTransition> = {
  ringing: { from: ['initiated'], to: 'ringing' },
  answered: { from: ['initiated', 'ringing'], to: 'answered' },
  completed: { from: ['answered'], to: 'completed' },
  busy: { from: ['initiated', 'ringing'], to: 'busy' },
  no_answer: { from: ['initiated', 'ringing'], to: 'no_answer' },
  rejected: { from: ['initiated', 'ringing'], to: 'rejected' },
  failed: { from: ['initiated', 'ringing', 'answered'], to: 'failed' },
  canceled: { from: ['initiated', 'ringing'], to: 'canceled' },
}

export type AnsweredBy = 'human' | 'machine'

export const hangupParties = ['caller', 'callee', 'api', 'system', 'carrier'] as const
export type HangupParty = (typeof hangupParties)[number]

/** What came of a call, as the person who had it says: more than the network knows of it. */
export const callOutcomes = [
  'answered',
  'voicemail',
  'no_answer',
  'busy',
  'wrong_number',
  'call_back',
  'not_interested',
] as const
export type CallOutcome = (typeof callOutcomes)[number]

type Cause = { state: CallTransition; problem: ProblemCode | null; sipCode: number | null; q850: number | null }

function cause(state: CallTransition, problem: ProblemCode | null, sipCode: number | null, q850: number | null): Cause {
  return { state, problem, sipCode, q850 }
}

/**
 * Why a call ends: the state it ends in, the problem it stands for, and the usual SIP status (RFC 3261 §21) and Q.850
 * cause (ITU-T Q.850 §2.2.7) where the engine reports none of its own.
 */
export const hangupCauses = {
  normal: cause('completed', null, 200, 16),
  time_limit: cause('completed', null, 200, 16),
  user_busy: cause('busy', 'callee_busy', 486, 17),
  no_answer: cause('no_answer', 'callee_no_answer', 480, 19),
  not_registered: cause('no_answer', 'callee_not_registered', 480, 20),
  declined: cause('rejected', 'callee_declined', 603, 21),
  canceled: cause('canceled', null, 487, 31),
  unallocated: cause('failed', 'number_unallocated', 404, 1),
  number_changed: cause('failed', 'number_unallocated', 410, 22),
  bad_format: cause('failed', 'number_unallocated', 484, 28),
  no_route: cause('failed', 'no_route', null, 3),
  trunk_rejected: cause('failed', 'trunk_rejected', 403, 21),
  caller_id_not_allowed: cause('failed', 'caller_id_not_allowed', 403, 21),
  destination_not_allowed: cause('failed', 'destination_not_allowed', 403, 21),
  destination_premium: cause('failed', 'destination_premium', 403, 21),
  address_of_trunk: cause('failed', 'address_of_trunk', 403, 21),
  concurrent_calls_exceeded: cause('failed', 'concurrent_calls_exceeded', 603, 21),
  daily_calls_exceeded: cause('failed', 'daily_calls_exceeded', 603, 21),
  daily_spend_exceeded: cause('failed', 'daily_spend_exceeded', 603, 21),
  codec_mismatch: cause('failed', 'codec_mismatch', 488, 65),
  congestion: cause('failed', 'no_circuit', 503, 34),
  network: cause('failed', 'network_failure', null, 38),
  media_timeout: cause('failed', 'media_timeout', 200, null),
  node_lost: cause('failed', 'node_lost', null, null),
  instructions_failed: cause('failed', 'instructions_failed', null, null),
  dial_expired: cause('failed', 'dial_expired', null, null),
} as const satisfies Record<string, Cause>
export type HangupCause = keyof typeof hangupCauses

/** What a call ends with that instructions refuse with this status: what it says of the callee, else that it was declined. */
export function causeOfRefusal(sipCode: number): HangupCause {
  if (sipCode === 486 || sipCode === 600) return 'user_busy'
  return sipCode === 480 || sipCode === 408 ? 'no_answer' : 'declined'
}

/** What can happen to a call while it lives. */
export type CallEvent =
  | { type: 'ringing'; earlyMedia?: boolean }
  | { type: 'answered'; answeredBy?: AnsweredBy }
  | { type: 'ended'; cause: HangupCause; by: HangupParty; sipCode?: number | null; q850?: number | null }
  | { type: 'early_media' }
  | { type: 'machine_detected'; answeredBy?: AnsweredBy | 'unknown' }
  | { type: 'dtmf'; digit: string }
  | { type: 'rerouted'; trunk: string; sipCode: number; nextTrunk: string }
  | { type: 'bridged'; callId: string }
  /** What instructions did, as far as it changes no state: `event` is its type, `details` what belongs to it. */
  | { type: 'noted'; event: NotedEvent; details: Details; facts?: Partial<Pick<Call, 'tags' | 'metadata'>> }

/** Types of events that instructions bring about on a call. */
export const notedEvents = [
  'call.unbridged',
  'call.held',
  'call.resumed',
  'call.muted',
  'call.unmuted',
  'call.transferred',
  'call.transfer_failed',
  'call.tagged',
  'call.notified',
  'call.instructions_failed',
  'call.caller_id_refused',
  'call.destination_refused',
  'call.sound_failed',
  'call.recording_unchanged',
  'call.message_failed',
  'gather.completed',
  'queue.entered',
  'queue.left',
] as const satisfies readonly EventType[]
export type NotedEvent = (typeof notedEvents)[number]

/**
 * One report of a call: what happened, and when (ms since 1970). Those of the process that holds the call are
 * numbered from 1 for each call; a number that was written before is passed over, so that a report may be sent again when it
 * is not known whether it was written.
 */
export type CallReport = { callId: string; atMs: number; event: CallEvent; number?: number }

/** A row of `calls` with its words as types. */
export type Call = Omit<
  Selectable<Database['calls']>,
  | 'state'
  | 'direction'
  | 'answered_by'
  | 'hangup_cause'
  | 'hangup_by'
  | 'metadata'
  | 'instructions'
  | 'simulated'
  | 'outcome'
> & {
  state: CallState
  direction: 'outbound' | 'inbound'
  answered_by: AnsweredBy | null
  hangup_cause: HangupCause | null
  hangup_by: HangupParty | null
  outcome: CallOutcome | null
  metadata: Record<string, string>
  /** A list of instructions that passed validation; sealed where it holds secrets, see instructions/stored.ts. */
  instructions: readonly unknown[] | string | null
  /** What the simulated caller does, of a call that was injected for a test. */
  simulated: SimulatedCaller | null
}

export type SimulatedCaller = {
  /** Typed after the answer; w and W are half and a whole second of pause. */
  digits: string
  /** Hangs up so many seconds after the answer. */
  seconds: number
}

/** That a call waits in a queue no more, where somebody else than its process ends it. */
export function leavesQueue({ queue, since }: { queue: string; since: string }, atMs: number): CallEvent {
  const waitedSeconds = Math.max(0, Math.round((atMs - Date.parse(since)) / 1_000))
  return { type: 'noted', event: 'queue.left', details: { queue, reason: 'hangup', waitedSeconds } }
}

/** A call and whose it is. */
export type CallRef = Scope & { callId: string }

/** What a browser says of its call. It reaches us by the database, not by the network of the engine. */
export type ClientSignal = { type: 'answer'; sdp: string } | { type: 'reject'; isBusy: boolean } | { type: 'hangup' }

/** The call as it will be, and the event that reports it. */
export type CallStep = { call: Call; event: CountedEvent }

export function isLive(call: Pick<Call, 'state'>): boolean {
  return liveCallStates.includes(call.state)
}

/**
 * How an event changes a call, or undefined when it changes nothing: the call is over, or it cannot happen in this
 * state. While a call lives, `ended` always ends it. Times never run backwards within one call.
 */
export function nextCall(call: Call, event: CallEvent, atMs: number): CallStep | undefined {
  const at = isoMs(Math.max(atMs, Date.parse(call.changed_at)))
  switch (event.type) {
    case 'ringing':
      return moved(call, 'ringing', { ringing_at: at, early_media: event.earlyMedia === true }, at)
    case 'answered':
      return moved(call, 'answered', { answered_at: at, answered_by: event.answeredBy ?? null }, at)
    case 'ended':
      return ended(call, event, at)
    case 'early_media':
      return noted(call, event.type, 'ringing', { early_media: true }, null, at)
    case 'machine_detected':
      return machineDetected(call, event.answeredBy ?? 'machine', at)
    case 'dtmf':
      return noted(call, event.type, 'answered', {}, { digit: event.digit }, at)
    case 'rerouted': {
      const { trunk, sipCode, nextTrunk } = event
      return noted(call, event.type, 'initiated', {}, { trunk, sipCode, nextTrunk }, at)
    }
    case 'bridged':
      return noted(call, event.type, 'answered', { bridged_to: event.callId }, { callId: event.callId }, at)
    case 'noted': {
      const { event: type, details, facts = {} } = event
      return isLive(call) ? note(call, type, facts, details, at) : undefined
    }
  }
}

/**
 * The transition that ends a call in `state` for `cause`, undefined when it is over. A cause that does not fit the
 * state (a hangup before the answer, a busy line after it) ends the call all the same, the way the state allows.
 */
export function endOf(state: CallState, cause: HangupCause): CallTransition | undefined {
  const { state: wanted } = hangupCauses[cause]
  if (move(callTransitions, state, wanted) !== undefined) return wanted
  if (state === 'answered') return 'completed'
  return move(callTransitions, state, 'canceled') === undefined ? undefined : 'canceled'
}

function ended(
  call: Call,
  { cause, by, sipCode, q850 }: CallEvent & { type: 'ended' },
  at: string,
): CallStep | undefined {
  const transition = endOf(call.state, cause)
  if (transition === undefined) return undefined
  const actual: HangupCause =
    transition === 'canceled' ? 'canceled' : transition === 'completed' && cause !== 'time_limit' ? 'normal' : cause
  const usual = hangupCauses[actual]
  // What a remote party says in a number is not worth losing the end for: one that does not exist is as good as none.
  const isStatus = sipCode == null || isWithin(sipCode, 100, 699)
  const isCause = q850 == null || isWithin(q850, 1, 127)
  const facts = {
    ended_at: at,
    hangup_cause: actual,
    hangup_by: by,
    sip_code: sipCode === undefined || !isStatus ? usual.sipCode : sipCode,
    q850: q850 === undefined || !isCause ? usual.q850 : q850,
  }
  return moved(call, transition, facts, at)
}

function isWithin(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most
}

function moved(call: Call, transition: CallTransition, facts: Partial<Call>, at: string): CallStep | undefined {
  const state = move(callTransitions, call.state, transition)
  if (state === undefined) return undefined
  const next: Call = { ...call, ...facts, state, changed_at: at, sequence: call.sequence + 1 }
  return { call: next, event: callEvent(next, `call.${state}`, at, { previousState: call.state }) }
}

function machineDetected(call: Call, answeredBy: AnsweredBy | 'unknown', at: string): CallStep | undefined {
  const facts = answeredBy === 'unknown' ? {} : { answered_by: answeredBy }
  return noted(call, 'machine_detected', 'answered', facts, { answeredBy }, at)
}

/** Says what came of a call, or takes that back, during it and after it. @returns undefined where that is said already */
export function outcomeStep(
  call: Call,
  outcome: CallOutcome | null,
  by: { userId: number; atMs: number },
): CallStep | undefined {
  if (call.outcome === outcome) return undefined
  const at = isoMs(Math.max(by.atMs, Date.parse(call.changed_at)))
  const isSaid = outcome !== null
  const facts = { outcome, outcome_by: isSaid ? by.userId : null, outcome_at: isSaid ? at : null }
  return note(call, 'call.outcome_set', facts, { outcome, previousOutcome: call.outcome, userId: by.userId }, at)
}

type Noted = 'early_media' | 'machine_detected' | 'dtmf' | 'rerouted' | 'bridged'
/** Plain JSON. */
export type Details = Record<string, unknown> | null

function noted(
  call: Call,
  name: Noted,
  during: CallState,
  facts: Partial<Call>,
  details: Details,
  at: string,
): CallStep | undefined {
  return call.state === during ? note(call, `call.${name}`, facts, details, at) : undefined
}

function note(call: Call, type: EventType, facts: Partial<Call>, details: Details, at: string): CallStep {
  const next: Call = { ...call, ...facts, changed_at: at, sequence: call.sequence + 1 }
  return { call: next, event: callEvent(next, type, at, { details }) }
}

function callEvent(
  call: Call,
  type: EventType,
  at: string,
  { previousState = null, details = null }: { previousState?: CallState | null; details?: Details },
): CountedEvent {
  const data = { ...presentCall(call), previousState, details, occurredAt: at }
  const { id, sequence, callback_url } = call
  return { type, resourceId: id, sequence, data, callbackUrl: callback_url }
}

/** The first event of a call. */
export function initiatedEvent(call: Call): CountedEvent {
  return callEvent(call, 'call.initiated', call.created_at, {})
}

/** A call as clients see it, in replies and in the data of events. */
export function presentCall(call: Call) {
  return {
    callId: call.id,
    parentCallId: call.parent_call_id,
    from: call.from_number,
    to: call.to_number,
    direction: call.direction,
    state: call.state,
    callerName: call.caller_name,
    callbackUrl: call.callback_url,
    fallbackUrl: call.fallback_url,
    timeoutSeconds: call.timeout_seconds,
    timeLimitSeconds: call.time_limit_seconds,
    trunkId: call.trunk_id,
    simulated: call.engine === 'simulator',
    bridgedTo: call.bridged_to,
    tags: call.tags,
    metadata: call.metadata,
    earlyMedia: call.early_media,
    answeredBy: call.answered_by,
    hangupCause: call.hangup_cause,
    hangupBy: call.hangup_by,
    outcome: call.outcome,
    outcomeBy: call.outcome_by,
    outcomeAt: call.outcome_at,
    errorCode: call.hangup_cause === null ? null : hangupCauses[call.hangup_cause].problem,
    sipCode: call.sip_code,
    q850: call.q850,
    ...durationsOf(call),
    ...priceOf(call),
    createdAt: call.created_at,
    dialedAt: call.dialed_at,
    ringingAt: call.ringing_at,
    answeredAt: call.answered_at,
    endedAt: call.ended_at,
  }
}

/**
 * Whole seconds of a call. Ringing lasts to the answer or the end; the duration from creation to the end; billable is
 * every second started between answer and end. Null while not known.
 */
export function durationsOf(call: Pick<Call, 'created_at' | 'ringing_at' | 'answered_at' | 'ended_at'>) {
  const { created_at, ringing_at, answered_at, ended_at } = call
  const rang = answered_at ?? ended_at
  return {
    ringSeconds: ringing_at === null || rang === null ? null : Math.round(secondsBetween(ringing_at, rang)),
    durationSeconds: ended_at === null ? null : Math.round(secondsBetween(created_at, ended_at)),
    billableSeconds:
      ended_at === null ? null : answered_at === null ? 0 : Math.ceil(secondsBetween(answered_at, ended_at)),
  }
}

/** What a call that is over cost: its minutes, each one started, by the rate of the way it took. Null where nobody is paid. */
function priceOf(call: Pick<Call, 'answered_at' | 'ended_at' | 'rate_micros' | 'currency'>) {
  const { answered_at, ended_at, rate_micros, currency } = call
  if (ended_at === null || rate_micros === null) return { price: null, currency: null }
  return { price: microsText(rate_micros * minutesBegun(answered_at, Date.parse(ended_at))), currency }
}

function secondsBetween(from: string, to: string): number {
  return Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000)
}
