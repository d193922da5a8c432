// Commands: what may be sent to a call that is under way, as `{"verb": …}` or as `{"instructions": […]}`, and in which
// state of the call. The table of traits decides; here it is asked.
import type { FieldFault } from '../../../kernel/values/problem.ts'
import { isObject } from './check.ts'
import type { Instruction, Verb } from './schema.ts'
import { verbs } from './schema.ts'
import { type LiveState, traits } from './traits.ts'
import { type ReadingContext, readInstruction, readInstructions } from './validate.ts'

export const commandVerbs: readonly Verb[] = verbs.filter(verb => traits[verb].command !== undefined)

export type CallCommand =
  | { kind: 'instructions'; instructions: Instruction[] }
  | { kind: 'instruction'; instruction: Instruction }

/** Reads the body of a command. `instructions` takes the place of the running list, in every state of a live call. */
export function readCommand(
  body: unknown,
  context: ReadingContext,
): { command: CallCommand } | { faults: FieldFault[] } {
  if (isObject(body) && Object.hasOwn(body, 'instructions')) {
    const other = Object.keys(body).find(name => name !== 'instructions')
    if (other !== undefined) {
      const message = 'must stand alone: send one verb, or a new list of instructions'
      return { faults: [{ field: 'instructions', code: 'conflict', message }] }
    }
    const read = readInstructions(body['instructions'], context)
    return 'faults' in read ? read : { command: { kind: 'instructions', instructions: read.instructions } }
  }
  const read = readInstruction(body, { ...context, root: context.root ?? '', verbs: commandVerbs })
  if ('faults' in read) return read
  const { instruction } = read
  if (instruction.verb === 'record' && instruction.mode !== 'call') {
    const message = 'must be call as a command; for a message, send a list of instructions'
    return { faults: [{ field: 'mode', code: 'not_allowed', message }] }
  }
  return { command: { kind: 'instruction', instruction } }
}

/** Why a verb cannot be done to a call as it is now; undefined when it can. */
export function commandFault(
  verb: Verb,
  call: { state: LiveState; direction: 'inbound' | 'outbound' },
): FieldFault | undefined {
  const command = traits[verb].command
  const refused = (message: string) => ({ field: 'verb', code: 'not_allowed', message })
  if (command === undefined) return refused(`${verb} is no command; send it in a list of instructions`)
  if (command.direction === 'inbound' && call.direction === 'outbound') {
    return refused(`${verb} is for calls that came in; use hangup to end this one`)
  }
  if (command.states.includes(call.state)) return undefined
  return command.states.includes('answered')
    ? refused(`${verb} needs an answered call, and this one is ${call.state}`)
    : refused(`${verb} is for a call that is not answered yet; use hangup to end this one`)
}
