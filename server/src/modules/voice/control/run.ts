// Runs a list of instructions on a call, one after another, until the list ends, the call ends, or something takes its place.
// Each verb is a function that resolves when the list may go on, with where to go on.
import type { Log } from '../../../kernel/log.ts'
import { withDefaults } from '../instructions/index.ts'
import type { Complete, Instruction, InstructionList, Verb } from '../instructions/schema.ts'
import type { HeldLeg } from '../node.ts'
import type { Digits } from './digits.ts'
import type { LegMedia } from './leg_sound.ts'
import type { Player } from './player.ts'
import type { ControlTools } from './tools.ts'

/**
 * Where a list goes on after a verb: with the next one (undefined), at a label of this list or of one around it, with
 * another list in place of everything that runs, or nowhere, because the call is over or something else runs now.
 */
export type Jump =
  | { type: 'goto'; label: string }
  | { type: 'replace'; list: InstructionList }
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
  /** The same call with another end: for verbs that stop what they began. */
  until(signal: AbortSignal): Run
}

/** What is going on beside the list. */
export type Scratch = {
  /** The leg this one is joined with. */
  peer: HeldLeg | undefined
  peerMedia: LegMedia | undefined
  /** Ends the recording of the whole call. */
  recording: CallRecorder | undefined
  /** How often a label was jumped to by `goto`. */
  readonly jumps: Map<string, number>
  /** Leaves the queue or the conference that the call is in. */
  leave: (() => void) | undefined
}

export function newScratch(): Scratch {
  return { peer: undefined, peerMedia: undefined, recording: undefined, jumps: new Map(), leave: undefined }
}

/** A recording of the whole call, under way. */
export type CallRecorder = {
  readonly recordingId: string
  pause(behavior: 'silence' | 'skip'): Promise<void>
  resume(): Promise<void>
  /** Resolves when it is stored, or handed to be stored, with its length. */
  stop(): Promise<{ durationMs: number; reason: string }>
  /** Resolves when it has ended, by `stop` or by itself. */
  readonly ended: Promise<{ durationMs: number; reason: string }>
}

export type VerbFunction<V extends Verb> = (run: Run, instruction: Complete<V>) => Promise<Jump>
export type VerbTable = { readonly [V in Verb]: VerbFunction<V> }

/** Runs a list to its end. */
export async function runList(run: Run, list: InstructionList): Promise<Jump> {
  let at = 0
  while (at < list.length) {
    if (run.signal.aborted) return { type: 'end' }
    const jump = await perform(run, list[at] as Instruction)
    if (run.signal.aborted) return { type: 'end' }
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
  const verb = run.verbs[instruction.verb] as (run: Run, instruction: unknown) => Promise<Jump>
  return verb(run, withDefaults(instruction))
}
