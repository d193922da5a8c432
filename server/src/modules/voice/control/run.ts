// Runs a list of instructions on a call, one after another, until the list ends, the call ends, or something takes its place.
// Each verb is a function that resolves when the list may go on, with where to go on.
import type { Log } from '../../../kernel/log.ts'
import type { HangupCause } from '../calls/rules.ts'
import { withDefaults } from '../instructions/index.ts'
import type { Complete, Instruction, InstructionList, Verb } from '../instructions/schema.ts'
import type { HeldLeg } from '../node.ts'
import type { Digits } from './digits.ts'
import type { LegMedia } from './leg_sound.ts'
import type { Player } from './player.ts'
import type { ControlTools } from './tools.ts'

/** What a call does in place of a list; where its list goes on with nothing, the call ends. */
export type Work = (run: Run) => Promise<Jump>

/**
 * Where a list goes on after a verb: with the next one (undefined), at a label of this list or of one around it, with
 * another list or work in place of everything that runs, or nowhere, because the call is over or something else runs now.
 */
export type Jump =
  | { type: 'goto'; label: string }
  | { type: 'replace'; list: InstructionList }
  /** The work is begun even where the call is over by then: it may have something to let go. */
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
  /** What outlives a list. */
  readonly scratch: Scratch
}

/** The same call with another end: for verbs that stop what they began. */
export function until(run: Run, signal: AbortSignal): Run {
  return { ...run, signal: AbortSignal.any([run.signal, signal]) }
}

/** What is going on beside the list. */
export type Scratch = {
  /** The recording of the whole call. */
  recording: CallRecorder | undefined
  /** All that record now, to be ended with the call. */
  readonly recorders: Set<CallRecorder>
  /** How often each `goto` has jumped, as it stands in its list. */
  readonly jumps: WeakMap<object, number>
  /** How many instructions were carried out. */
  performed: number
  /** Whether the instructions of a number were gone back to; they are tried once. */
  hasFallenBack: boolean
  /** The answer of the call, while it is under way. */
  answering: Promise<void> | undefined
  /** Leaves the queue or the conference that the call is in. */
  leave: (() => void) | undefined
  /** Why whom the list called last was not reached: a caller who was not answered is told that, and not merely that it ended. */
  refusal: HangupCause | undefined
}

export function newScratch(): Scratch {
  return {
    recording: undefined,
    recorders: new Set(),
    jumps: new WeakMap(),
    performed: 0,
    hasFallenBack: false,
    answering: undefined,
    leave: undefined,
    refusal: undefined,
  }
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
}
export type Recorded = { durationMs: number; reason: string }

export type VerbFunction<V extends Verb> = (
  run: Run,
  instruction: Complete<V>,
  asItStands: Instruction,
) => Promise<Jump>
export type VerbTable = { readonly [V in Verb]: VerbFunction<V> }

/** After so many instructions a call takes breath: what takes no time must not keep everybody else waiting. */
const breathEvery = 100
const breathMs = 100

/** Runs a list to its end. */
export async function runList(run: Run, list: InstructionList): Promise<Jump> {
  let at = 0
  while (at < list.length) {
    if (run.signal.aborted) return { type: 'end' }
    if (++run.scratch.performed % breathEvery === 0) await run.held.leg.sleep(breathMs, run.signal)
    const unhide = isBeforeSecret(list, at) ? run.held.hideDigits() : undefined
    const jump = await perform(run, list[at] as Instruction).finally(unhide)
    if (run.signal.aborted && jump?.type !== 'instead') return { type: 'end' }
    if (jump === undefined) {
      at++
      continue
    }
    const target = jump.type === 'goto' ? list.findIndex(({ label }) => label === jump.label) : -1
    if (target === -1) return jump
    at = target
  }
  return undefined
}

function perform(run: Run, instruction: Instruction): Promise<Jump> {
  const verb = run.verbs[instruction.verb] as (run: Run, instruction: unknown, asItStands: Instruction) => Promise<Jump>
  return verb(run, withDefaults(instruction), instruction)
}

/** Keys that end a prompt belong to the `gather` behind it: where they are a secret there, they are one here. */
function isBeforeSecret(list: InstructionList, from: number): boolean {
  for (let at = from; at < list.length; at++) {
    const it = list[at] as Instruction
    if (it.verb === 'gather') return at > from && it.sensitive === true
    if (it.verb !== 'say' && it.verb !== 'play' && it.verb !== 'pause') return false
  }
  return false
}
