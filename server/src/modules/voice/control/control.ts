// A call under instructions: the list it begins with, and commands that come while it runs.
import type { Instruction, InstructionList } from '../instructions/schema.ts'
import { traits } from '../instructions/traits.ts'
import type { HeldLeg } from '../node.ts'
import { apology, ask } from './asking.ts'
import { createDigits } from './digits.ts'
import { createLegMedia } from './leg_sound.ts'
import { createPlayer } from './player.ts'
import { type Jump, newScratch, type Run, runList } from './run.ts'
import type { ControlTools } from './tools.ts'
import { verbs } from './verbs.ts'

export type { ControlTools } from './tools.ts'

export type CallControl = {
  /** New instructions for a call under way: beside the running list or in its place, as the vocabulary has it. */
  command(instructions: InstructionList): void
}

/** What a call does that was given nothing to do: it says so, once, and ends if the far side does not. */
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
const mostReplacements = 1_000

export function startControl(held: HeldLeg, tools: ControlTools): CallControl {
  const media = createLegMedia(held.leg.sound)
  const digits = createDigits()
  const scratch = newScratch()
  const player = createPlayer(media)
  const log = tools.log.child({ call: held.call.id })
  let running = new AbortController()
  let replacements = 0

  const runOf = (signal: AbortSignal): Run => ({
    held,
    tools,
    media,
    player,
    digits,
    scratch,
    log,
    verbs,
    signal,
    until: other => runOf(AbortSignal.any([signal, other])),
  })

  held.listen(happening => {
    if (happening.type === 'dtmf') digits.press(happening.digit)
    if (happening.type === 'transfer_asked') obey(happening)
  })
  held.ended.addEventListener('abort', () => {
    running.abort()
    void scratch.recording?.stop()
    media.close()
  })

  /** The far side asks to be connected with somebody else: that is a `dial` in place of what runs. */
  function obey({ to, settle }: { to: string; settle(sipCode: number): void }): void {
    settle(200)
    const target = to.startsWith('sip') ? { type: 'sip' as const, uri: to } : { type: 'number' as const, number: to }
    const peer = scratch.peer
    // Who is transferred is the other side of the conversation.
    if (peer === undefined) replace([{ verb: 'dial', targets: [target] }])
    else replace([{ verb: 'dial', targets: [target] }])
  }

  function replace(list: InstructionList): void {
    running.abort()
    running = new AbortController()
    digits.clear()
    void run(list, AbortSignal.any([running.signal, held.ended]))
  }

  async function run(first: InstructionList | 'ask', signal: AbortSignal): Promise<void> {
    try {
      const own = runOf(signal)
      let jump: Jump = first === 'ask' ? await begin(own) : { type: 'replace', list: first }
      while (jump?.type === 'replace' && !signal.aborted) {
        if (++replacements > mostReplacements) jump = await runList(own, apology)
        else jump = await runList(own, jump.list)
      }
      // The list is at its end, and nothing else is to be done with the call.
      if (!signal.aborted) held.end('normal', 'system')
    } catch (error) {
      if (signal.aborted) return
      log.error({ err: error }, 'instructions of a call failed')
      held.tell({ type: 'noted', event: 'call.instructions_failed', details: { why: 'a fault of the server' } })
      held.end('instructions_failed', 'system')
    }
  }

  /** What the call is to do first: its own instructions, those of its callback address, or nothing. */
  async function begin(own: Run): Promise<Jump> {
    const { call } = held
    if (call.direction === 'outbound') {
      await held.whenAnswered(own.signal)
      if (own.signal.aborted || held.isOver) return { type: 'end' }
    }
    if (call.instructions !== null) return { type: 'replace', list: call.instructions as InstructionList }
    const reason = call.direction === 'inbound' ? 'received' : 'answered'
    const jump = call.callback_url === null ? undefined : await ask(own, call.callback_url, reason, {})
    return jump ?? { type: 'replace', list: nothingToDo }
  }

  function beside(instruction: Instruction): void {
    void runList(runOf(held.ended), [instruction]).catch(error => log.error({ err: error }, 'a command failed'))
  }

  void run('ask', AbortSignal.any([running.signal, held.ended]))
  return {
    command(instructions) {
      if (held.isOver) return
      const [only, ...others] = instructions
      if (only !== undefined && others.length === 0 && traits[only.verb].command?.effect === 'beside') beside(only)
      else replace(instructions)
    },
  }
}
