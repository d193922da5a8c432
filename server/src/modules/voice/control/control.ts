// A call under instructions: the list it starts with, and commands that come while it runs.
import { setMaxListeners } from 'node:events'
import { hangupCauses } from '../call_records/index.ts'
import type { Instruction, InstructionList } from '../instructions/index.ts'
import { traits } from '../instructions/index.ts'
import type { HeldLeg } from '../legs/index.ts'
import { createDigits, createLegMedia, createPlayer, type LegMedia, type Player } from '../legs/index.ts'
import { apology, ask } from './asking.ts'
import type { ControlTools, Jump, Run, Scratch, Work } from './run.ts'
import { newScratch, runList } from './run_list.ts'
import { obeyTransfer } from './transfers.ts'
import { verbs } from './verbs.ts'

export type CallControl = {
  /** New instructions for a call under way: beside the running list or in its place, as the vocabulary has it. */
  command(instructions: InstructionList): void
  /** Does something in place of all that runs. */
  instead(work: Work): void
  /** What hangs on the call, for those who count what is left of it. */
  readonly parts: { media: LegMedia; player: Player; scratch: Scratch }
}

/** What a call does that was given nothing to do: it says so, once, and ends if the remote party does not. */
const nothingToDo: InstructionList = [
  { verb: 'pause', seconds: 1 },
  {
    verb: 'say',
    text:
      'This call was started without instructions, so there is nothing to hear. ' +
      'Give the call instructions, or a callback address that answers with some. Goodbye.',
  },
  { verb: 'pause', seconds: 60 },
  { verb: 'hangup' },
]

/** A list that is replaced more often than this within one call runs in circles. */
const maxReplacements = 1_000

/** "Service Unavailable" (RFC 3261 §21.5.4), where nothing else is known. */
const unavailable = 503

/** `work` is what it does first, in place of its instructions. */
export function startControl(held: HeldLeg, tools: ControlTools, work: Work = startInstructions): CallControl {
  const media = createLegMedia(held.leg.sound)
  const digits = createDigits()
  const scratch = newScratch()
  const player = createPlayer(media)
  const log = tools.log.child({ call: held.call.id })
  let running = new AbortController()
  let unwinding: Promise<void> = Promise.resolve()
  let replacements = 0
  // What is in the row of the call.
  let kept: unknown = held.call.instructions

  const runOf = (signal: AbortSignal): Run => ({
    held,
    tools,
    media,
    player,
    digits,
    scratch,
    log,
    verbs,
    obeyTransfer,
    signal,
  })

  held.listen(event => {
    if (event.type === 'dtmf') digits.press(event.digit)
  })
  held.ended.addEventListener(
    'abort',
    () => {
      running.abort()
      for (const recorder of [...scratch.recorders]) void recorder.stop()
      media.close()
    },
    { once: true },
  )

  /** What ran is given the time to let go of what it had; all that it waits for ends with its signal. */
  function replace(next: Work): void {
    running.abort()
    running = new AbortController()
    digits.clear()
    start(next)
  }

  function start(next: Work): void {
    const signal = AbortSignal.any([running.signal, held.ended])
    // As many as a call has verbs running beside each other.
    setMaxListeners(0, signal, running.signal)
    unwinding = unwinding.then(() => run(next, signal))
  }

  async function run(first: Work, signal: AbortSignal): Promise<void> {
    const own = runOf(signal)
    try {
      let jump = await first(own)
      while (jump?.type === 'instead' || (jump?.type === 'replace' && !signal.aborted)) jump = await follow(own, jump)
      // The list is at its end, and nothing else is to be done with the call.
      if (!signal.aborted) finish()
    } catch (error) {
      if (signal.aborted) {
        log.warn({ err: error }, 'instructions of a call failed while they were ended')
        return
      }
      log.error({ err: error }, 'instructions of a call failed')
      const details = { code: 'instructions_failed', why: 'a fault of the server' }
      held.report({ type: 'noted', event: 'call.instructions_failed', details })
      await apologize(own)
      if (!signal.aborted) held.end('instructions_failed', 'system')
    }
  }

  function finish(): void {
    const { refusal } = scratch
    if (held.isAnswered || held.call.direction === 'outbound' || refusal === undefined) held.end('normal', 'system')
    else held.refuse(hangupCauses[refusal].sipCode ?? unavailable, refusal)
  }

  function follow(own: Run, jump: NonNullable<Jump> & { type: 'instead' | 'replace' }): Promise<Jump> {
    if (jump.type === 'instead') return jump.work(own)
    // Lists that lead to each other without an end.
    const list = ++replacements > maxReplacements ? apology : jump.list
    if (list !== kept) tools.keep(held, list)
    kept = list
    return runList(own, list)
  }

  /** Nobody is left in silence; who was not answered hears nothing anyway. */
  async function apologize(own: Run): Promise<void> {
    if (held.isAnswered) await runList(own, apology.slice(0, 1)).catch(error => log.warn({ err: error }, 'no apology'))
  }

  function listed(list: InstructionList): Work {
    return async own => {
      // The list of a call that goes out starts with its answer.
      if (held.call.direction === 'outbound') await held.whenAnswered(own.signal)
      return own.signal.aborted ? { type: 'end' } : { type: 'replace', list }
    }
  }

  async function besides(instruction: Instruction): Promise<void> {
    try {
      const jump = await runList(runOf(held.ended), [instruction])
      if (jump?.type === 'instead') instead(jump.work)
      if (jump?.type === 'replace' && !held.isOver) replace(listed(jump.list))
    } catch (error) {
      log.error({ err: error, verb: instruction.verb }, 'a command failed')
    }
  }

  function instead(next: Work): void {
    // It may have something to let go, even where the call is over.
    replace(next)
  }

  start(work)
  return {
    instead,
    command(instructions) {
      const [only, ...others] = instructions
      if (held.isOver || only === undefined) return
      const effect = others.length === 0 ? traits[only.verb].command?.effect : undefined
      if (effect === 'beside' || effect === 'ends') void besides(only)
      else replace(listed(instructions))
    },
    parts: { media, player, scratch },
  }
}

/** What the call is to do first: its own instructions, those of its callback address, or nothing. */
async function startInstructions(run: Run): Promise<Jump> {
  const { held, signal } = run
  const { direction, callback_url, instructions } = held.call
  if (direction === 'outbound') {
    await held.whenAnswered(signal)
    if (signal.aborted || held.isOver) return { type: 'end' }
    if (instructions !== null) return { type: 'replace', list: instructions as InstructionList }
  }
  // Of a number that has both, its instructions are what is done when nobody answers.
  const reason = direction === 'inbound' ? 'received' : 'answered'
  const jump = callback_url === null ? undefined : await ask(run, callback_url, reason, {})
  return jump ?? { type: 'replace', list: (instructions as InstructionList | null) ?? nothingToDo }
}
