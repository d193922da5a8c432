// What instructions work with: a call under instructions, the conversation it is in, and what both need of the world: legs, sounds,
// callbacks, messages, recordings. The node gives that; tests give their own. These types name each other, so they stand together.

import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { Log } from '../../../kernel/observe/log.ts'
import type { Clock } from '../../../kernel/values/clock.ts'
import type { ProblemCode } from '../../../kernel/values/problem.ts'
import type { Clip } from '../../../media/clip.ts'
import type { HangupCause, NewCall, ParticipantChange } from '../call_records/index.ts'
import type { ConferenceRecords, LeftReason } from '../conferences/index.ts'
import type {
  CallHandling,
  Complete,
  Instruction,
  InstructionList,
  SayInstruction,
  Verb,
} from '../instructions/index.ts'
import type { Digits, HeldLeg, LegMedia, Player, TransferRequest } from '../legs/index.ts'
import type { OpenRecording } from '../recordings/index.ts'

/** What a call does in place of a list; where its list goes on with nothing, the call ends. */
export type Work = (run: Run) => Promise<Jump>

/**
 * Where a list goes on after a verb: with the next one (undefined), at a label of this list or of one around it, with
 * another list or work in place of everything that runs, or nowhere, because the call is over or something else runs now.
 */
export type Jump =
  | { type: 'goto'; label: string }
  | { type: 'replace'; list: InstructionList }
  /** The work is started even where the call is over by then: it may have something to let go. */
  | { type: 'instead'; work: Work }
  | { type: 'leave' }
  | { type: 'end' }
  | undefined

/** What verbs work with: one call under instructions. */
export type Run = {
  readonly held: HeldLeg
  readonly tools: ControlTools
  readonly media: LegMedia
  readonly player: Player
  readonly digits: Digits
  /** Aborts when this list is not to go on: the call has ended, or a command took its place. */
  readonly signal: AbortSignal
  readonly log: Log
  /** What each verb does. */
  readonly verbs: VerbTable
  /** Does as one side of a conversation asks by REFER, and reports to it what became of that. Never rejects. */
  obeyTransfer(conversation: Conversation, asker: HeldLeg, asked: TransferRequest): Promise<void>
  /** What outlives a list. */
  readonly scratch: Scratch
}

/** What is going on beside the list. */
export type Scratch = {
  /** The recording of the whole call. */
  recording: CallRecorder | undefined
  /** All that record now, to be ended with the call. */
  readonly recorders: Set<CallRecorder>
  /** How often each `goto` has jumped, as it is in its list. */
  readonly jumps: WeakMap<object, number>
  /** How many instructions were carried out. */
  performed: number
  /** Whether the instructions of a number were gone back to; they are tried once. */
  hasFallenBack: boolean
  /** The answer of the call, while it is under way. */
  answering: Promise<void> | undefined
  /** Leaves the queue or the conference that the call is in. */
  leave: (() => void) | undefined
  /** Why the party that the list called last was not reached: a caller who was not answered is refused with that cause, not merely ended. */
  refusal: HangupCause | undefined
}

/** A recording of the whole call, under way. */
export type CallRecorder = {
  readonly recordingId: string
  pause(behavior: 'silence' | 'skip'): Promise<void>
  resume(): Promise<void>
  /** Resolves when it is stored, or handed to be stored, with its length. */
  stop(): Promise<Recorded>
  /** Resolves when it has ended, by `stop` or by itself. Never rejects. */
  readonly ended: Promise<Recorded>
  /** What commands have made of it. */
  readonly asked: Pick<AskedRecording, 'pausedAs' | 'isStopped'>
}
/** The same as commands have it, from before its file is open: what they do meanwhile is done then. */
export type AskedRecording = Pick<CallRecorder, 'pause' | 'resume'> & {
  /** How it pauses now. */
  readonly pausedAs: 'silence' | 'skip' | undefined
  readonly isStopped: boolean
  stop(): void
}
export type Recorded = { durationMs: number; reason: string }

export type VerbFunction<V extends Verb> = (
  run: Run,
  instruction: Complete<V>,
  asItStands: Instruction,
) => Promise<Jump>
export type VerbTable = { readonly [V in Verb]: VerbFunction<V> }

/** Who talks with the call that leads the conversation. */
export type Partner = {
  readonly held: HeldLeg
  /** Of a leg that has instructions of its own: they go on when the conversation is over. Others are ended then. */
  readonly guest?: Guest
}

export type Guest = {
  readonly run: Run
  /** Called once the conversation is over. */
  readonly over: () => void
}

/** One of the two, as the other side has it. */
export type Side = { readonly held: HeldLeg; readonly media: LegMedia }

/** A conversation under way; each of the two has it as `conversation`. */
export type Conversation = {
  /** Whose list leads it. */
  readonly lead: Run
  readonly partner: Partner
  otherOf(held: HeldLeg): Side | undefined
  /** Lets the partner go, and goes on with another one. */
  exchange(next: Partner): void
  /** Ends it, and leaves the partner alone: somebody else has it now. `back` says who comes back, if anybody. */
  give(back?: Promise<Partner | undefined>): void
  /** Parts both, who hear each other no more; answers what joins them again. */
  part(): () => void
  /** While it is set, one who leaves does not end the conversation: something is being done about it. */
  pending: boolean
  /** Ends it if one has left. */
  settle(): void
}

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
  /** What an inbound call to a number starts with. */
  handlingOf(tx: Tx, scope: Scope, to: string): Promise<CallHandling>
  /** Whether legs of this call may show a number. */
  mayShow(held: HeldLeg, number: string): Promise<boolean>
  /** Why the remote party of this call may not be sent to a number or SIP address; undefined where it may. */
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
  readonly queues: CallQueues
}

/** Where recordings go; see modules/voice/recordings. */
export type Recordings = {
  /** Starts the row and the file of a recording; undefined when the call is over. */
  open(held: HeldLeg, channels: 'mono' | 'dual'): Promise<OpenRecording | undefined>
}

export type Conferences = {
  /** Resolves once the call is in; or with why it cannot be, such as that the conference is held by another node. */
  join(run: Run, instruction: Complete<'conference'>): Promise<Membership | 'full' | 'elsewhere'>
  /** Changes what a call may do in a conference, or takes it out: its list goes on. Nothing, where it is not in. */
  change(callId: string, change: ParticipantChange): void
  /** Who is in a conference with this call, itself among them; none where it is in none. */
  legsWith(callId: string): readonly HeldLeg[]
  /** How many are under way. */
  readonly count: number
}

export type Membership = {
  readonly conferenceId: string
  /** Aborts when the conference is over for this call: it was taken out, or it ended for all. */
  readonly ended: AbortSignal
  /** Aborts when the conference has started and somebody else is there. */
  readonly ready: AbortSignal
  /** Answers why it left: what was given, unless it was taken out. */
  leave(why: LeftReason): LeftReason
}

/** A call that waits. */
export type WaitingCall = {
  readonly run: Run
  readonly priority: number
  /** What anyone who takes it must be able to do. */
  readonly skills: readonly string[]
  readonly sinceMs: number
  /** Whether it waits still. */
  readonly isOpen: boolean
  /** Aborts when it waits no more. */
  readonly gone: AbortSignal
  /** Somebody is about to talk with it, if it waits still: until then it waits on, for as long as that takes. */
  reserve(): boolean
  /** Nothing came of that. */
  release(): void
  /** Somebody talks with it, if it waits still; what that one does with it is over when `over` resolves. */
  take(over: Promise<void>): boolean
}

/** Whom a taker takes: a certain call, or the next that needs no more skills than these. */
export type WantedCall = { callId?: string | undefined; skills?: readonly string[] | undefined }

export type CallQueues = {
  /** Puts a call into a queue of its organization; answers what takes it out again. */
  enter(key: string, waiting: WaitingCall): () => void
  /** The next call of a queue that is wanted, as soon as there is one; undefined when `signal` aborts before. */
  next(key: string, wanted: WantedCall, signal: AbortSignal): Promise<WaitingCall | undefined>
  /** The place of a call in its queue, from 1; 0 for one that is not there. */
  placeOf(key: string, waiting: WaitingCall): number
  size(key: string): number
  /** How many queues have somebody in them, waiting or taking. */
  readonly count: number
}
