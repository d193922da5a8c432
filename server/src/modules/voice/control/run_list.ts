// Runs a list of instructions on a call, one after another, until the list ends, the call ends, or something takes its place.
// Each verb is a function that resolves when the list may go on, with where to go on.

import type { Instruction, InstructionList } from '../instructions/index.ts'
import { withDefaults } from '../instructions/index.ts'
import type { Jump, Run, Scratch } from './run.ts'

/** The same call with another end: for verbs that stop what they started. */
export function until(run: Run, signal: AbortSignal): Run {
  return { ...run, signal: AbortSignal.any([run.signal, signal]) }
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
