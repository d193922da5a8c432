// Commands for a leg that another call has dialled: it has no list, but it is a call like any other. What acts beside a list acts
// on its side of the conversation; a list of its own takes it out of the conversation.

import type { InstructionList } from '../instructions/index.ts'
import { traits } from '../instructions/index.ts'
import type { HeldLeg } from '../legs/index.ts'
import { createDigits, createPlayer } from '../legs/index.ts'
import { conversationOf } from './conversation.ts'
import type { Run, Work } from './run.ts'
import { newScratch, runList } from './run_list.ts'

/** Of legs that were commanded in the conversation they are in. */
const runs = new WeakMap<HeldLeg, Run>()

export function commandDialed(held: HeldLeg, instructions: InstructionList): void {
  const [only, ...others] = instructions
  if (held.isOver || only === undefined) return
  const effect = others.length === 0 ? traits[only.verb].command?.effect : undefined
  if (effect === 'ends') {
    held.end('normal', 'system')
    return
  }
  const run = runOf(held)
  // Nobody talks with it yet: it rings, or is asked whether it takes the call.
  if (run === undefined) return
  const instead = (work: Work) => {
    const conversation = conversationOf(held)
    if (conversation?.partner.held === held) conversation.give()
    run.tools.instead(held, work)
  }
  if (effect !== 'beside') {
    instead(async () => ({ type: 'replace', list: instructions }))
    return
  }
  runList(run, [only]).then(
    jump => {
      if (jump?.type === 'instead' || jump?.type === 'replace') instead(async () => jump)
    },
    error => run.log.error({ err: error, call: held.call.id, verb: only.verb }, 'a command failed'),
  )
}

function runOf(held: HeldLeg): Run | undefined {
  const conversation = conversationOf(held)
  const side = conversation?.otherOf(conversation.lead.held)
  if (conversation === undefined || side?.held !== held) return undefined
  const { media } = side
  let run = runs.get(held)
  if (run?.media !== media) {
    const own = {
      held,
      media,
      player: createPlayer(media),
      digits: createDigits(),
      scratch: newScratch(),
      signal: held.ended,
    }
    run = { ...conversation.lead, ...own }
    const { recorders } = own.scratch
    held.ended.addEventListener('abort', () => recorders.forEach(recorder => void recorder.stop()), { once: true })
    runs.set(held, run)
  }
  return run
}
