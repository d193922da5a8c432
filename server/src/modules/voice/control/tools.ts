// What instructions need of the world: legs, sounds, callbacks, messages, recordings. The node gives it; tests give their own.

import type { Clock } from '../../../kernel/clock.ts'
import type { Scope, Tx } from '../../../kernel/db.ts'
import type { Log } from '../../../kernel/log.ts'
import type { ProblemCode } from '../../../kernel/problem.ts'
import type { Clip } from '../../../media/clip.ts'
import type { HangupCause } from '../calls/rules.ts'
import type { NewCall } from '../calls/store.ts'
import type { ConferenceRecords } from '../conferences/index.ts'
import type { InstructionList, SayInstruction } from '../instructions/schema.ts'
import type { HeldLeg } from '../node.ts'
import type { OpenRecording } from '../recordings/local_file.ts'
import type { Conferences } from './conferences.ts'
import type { Lines } from './lines.ts'
import type { Work } from './run.ts'

/** Why instructions are asked for; `data.reason` of the request. */
export const askReasons = [
  'answered',
  'received',
  'gathered',
  'dialed',
  'confirm',
  'conference_left',
  'queue_left',
  'waiting',
  'recorded',
  'machine_detected',
  'transfer_failed',
  'redirected',
] as const
export type AskReason = (typeof askReasons)[number]

export type Asked =
  /** An empty list: there was an answer, and it said nothing. */
  | { ok: true; list: InstructionList }
  /** `code`: the problem, where it is not that no list could be had. */
  | { ok: false; why: string; code?: ProblemCode }

/** A leg that a list wants to have dialled. */
export type ChildCall = Pick<
  NewCall,
  'from_number' | 'to_number' | 'caller_name' | 'timeout_seconds' | 'time_limit_seconds'
> & {
  /** Which engine is to carry it: that of browser phones, or the one of telephone numbers and SIP addresses. */
  by: 'trunk' | 'sip' | 'client'
  /** For SIP addresses. */
  sip?: { user?: string; password?: string; headers?: Record<string, string> }
}

export type Answering = {
  callback_url: string | null
  fallback_url: string | null
  instructions: InstructionList | null
}

export type ControlTools = {
  readonly owner: string
  readonly log: Log
  readonly clock: Clock
  /** Stores and dials a leg as a child of this one, as soon as there is room. Nothing is heard of it before `attend`. */
  dial(parent: HeldLeg, child: ChildCall, signal: AbortSignal): Promise<HeldLeg | { refused: HangupCause }>
  /** Has a call of this node do something in place of all it does. A dialled leg becomes a call under instructions by it. */
  instead(held: HeldLeg, work: Work): void
  /** Keeps a list that runs in the place of another, for those who read the call. */
  keep(held: HeldLeg, list: InstructionList): void
  /** A call of this node, by its id. */
  held(callId: string): HeldLeg | undefined
  /** What an inbound call to a number begins with. */
  answering(tx: Tx, scope: Scope, to: string): Promise<Answering>
  /** Whether legs of this call may show a number. */
  mayShow(held: HeldLeg, number: string): Promise<boolean>
  /** Why the far side of this call may not be sent to a number or SIP address; undefined where it may. */
  policyAgainst(held: HeldLeg, to: string): Promise<string | undefined>
  /** Asks an address for instructions: signed, 3 s to connect, 5 s to answer, three tries. */
  ask(held: HeldLeg, url: string, reason: AskReason, data: Record<string, unknown>, signal: AbortSignal): Promise<Asked>
  /** Speech as sound. */
  say(text: Pick<SayInstruction, 'text' | 'language' | 'voice'>, signal: AbortSignal): Promise<Clip>
  /** A file of sound from an address. */
  fetchClip(held: HeldLeg, url: string, signal: AbortSignal): Promise<Clip>
  /** Sends a text message for the call. */
  message(held: HeldLeg, message: { from: string; to: string; body: string }): Promise<void>
  readonly recordings: Recordings
  /** Where it is written what happens in conferences. */
  readonly conferenceRecords: ConferenceRecords
  readonly conferences: Conferences
  readonly lines: Lines
}

/** Where recordings go; see modules/voice/recordings. */
export type Recordings = {
  /** Begins the row and the file of a recording; undefined when the call is over. */
  open(held: HeldLeg, channels: 'mono' | 'dual'): Promise<OpenRecording | undefined>
}
