// What is asked of calls under way over the API: one verb, or a new list of instructions. It is stored with the call and carried
// out by the node that holds it.
import { Type } from 'typebox'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { type FieldFault, Problem } from '../../../kernel/values/problem.ts'
import { refuseRestricted } from '../../destinations/index.ts'
import {
  type Call,
  changeCalls,
  type HangupCause,
  type HangupParty,
  insertCommand,
  insertHangupJobs,
  isLive,
  leavesQueue,
  listWaiting,
  liveCallStates,
  lockCalls,
  nextCall,
} from '../call_records/index.ts'
import { checkCallerIds } from '../caller_ids/index.ts'
import {
  type CallCommand,
  closeInstructions,
  commandFault,
  commandVerbs,
  documentedCommand,
  type Instruction,
  InstructionsBody,
  instructionsBodyLimit,
  instructionsProblem,
  type LiveState,
  readCommand,
  readingContext,
  requireRights,
  verbSchemas,
} from '../instructions/index.ts'
import { CallId, CallParams, sampleNewCall } from './schemas.ts'

/** A call under way, with its row locked. @throws Problem `not_found`, `call_not_active` */
export async function lockLive(tx: Tx, scope: Scope, callId: string): Promise<Call> {
  const [call] = await lockCalls(tx, scope, [callId])
  if (call === undefined) throw new Problem('not_found')
  if (isLive(call)) return call
  throw new Problem('call_not_active', {
    message: `The call has ended; its state is ${call.state}. Start a new call.`,
  })
}

/** Ends a locked call that is under way; the call as it is then. Wake `call_jobs` after the commit. */
export async function endCall(
  tx: Tx,
  scope: Scope,
  call: Call,
  now: number,
  why: { cause: HangupCause; by: HangupParty } = { cause: 'normal', by: 'api' },
): Promise<Call> {
  const [waits] = call.state === 'answered' ? await listWaiting(tx, scope, [call.id]) : []
  const left = waits && nextCall(call, leavesQueue(waits, now), now)
  const step = nextCall(left?.call ?? call, { type: 'ended', ...why }, now)
  if (step === undefined) throw new Error(`a call under way cannot end in ${call.state}`)
  // First the job, which names who holds the call: the end takes that away.
  await insertHangupJobs(tx, scope, [step.call])
  await changeCalls(tx, scope, [call], left === undefined ? [step] : [left, step])
  return step.call
}

/** The properties of all verbs by their names: what each may be beyond its type is a matter of the verb. */
function verbProperties(): Record<string, { type: string | string[] }> {
  const types = new Map<string, Set<string>>()
  for (const verb of commandVerbs) {
    for (const [name, schema] of Object.entries(verbSchemas[verb].properties)) {
      // A choice among targets has none of its own: they are objects.
      types.set(name, (types.get(name) ?? new Set()).add((schema as { type?: string }).type ?? 'object'))
    }
  }
  for (const name of ['verb', 'label', 'callId']) types.delete(name)
  return Object.fromEntries(
    [...types].map(([name, some]) => {
      const [only = 'object', ...others] = some
      return [name, { type: others.length === 0 ? only : [only, ...others] }]
    }),
  )
}

export const command = endpoint({
  id: 'calls.command',
  version: 'v2',
  category: 'Voice',
  method: 'POST',
  path: '/voice/calls/{callId}/commands',
  name: 'Command a call',
  description:
    'Has something done with a call under way: one verb with its properties, such as `{"verb": "mute"}`, or a new list in ' +
    'the place of what runs, as `{"instructions": […]}`. Some verbs act beside the running list (say, play, record, mute, ' +
    'transfer), others take its place (gather, dial, conference, redirect); hangup ends the call as Hang up a call does. ' +
    'Answers as soon as the command is stored; what comes of it is reported by events. docs/call_instructions.md has every verb.',
  permission: 'calls:control',
  bodyLimit: instructionsBodyLimit,
  params: CallParams,
  // Which properties there are depends on the verb: they are read by the vocabulary, which names the place of each fault.
  body: Type.Unsafe<Record<string, unknown>>(
    documentedCommand({
      type: 'object',
      properties: { verb: { type: 'string' }, instructions: InstructionsBody, ...verbProperties() },
      additionalProperties: true,
    }),
  ),
  reply: Type.Object({
    commandId: Type.String({ description: 'Identifier of the command, `cmd_…`.' }),
    callId: CallId,
    state: OneOf([...liveCallStates, 'completed', 'canceled'], {
      description: 'The state of the call now: final where the command was hangup.',
    }),
    acceptedAt: Timestamp,
  }),
  envelope: 'data',
  problems: [
    'not_found',
    'call_not_active',
    'invalid_instructions',
    'caller_id_not_allowed',
    'command_not_allowed',
    'scope_not_held',
  ],
  sample: {
    params: { callId: sampleNewCall.callId },
    body: { verb: 'notify', data: { step: 'callback arranged' } },
    reply: {
      commandId: 'cmd_01kahm45k2m4p6r8t0v2x4z6b8',
      callId: sampleNewCall.callId,
      state: 'answered',
      acceptedAt: '2026-11-21T08:44:03.512Z',
    },
  },
  async handle({ params, body, tx, principal, now, afterCommit, services }) {
    const call = await lockLive(tx, principal, params.callId)
    if (call.key_id !== principal.keyId) await refuseRestricted(tx, principal, 'steers no calls but its own')
    const { mode, settings } = principal
    const { egress, keyring } = services
    const baseUrl = call.callback_url ?? undefined
    const context = readingContext({ egress, mode, defaultCountry: settings.defaultCountry, baseUrl })
    const read = readCommand(body, context)
    if ('faults' in read) throw instructionsProblem(read.faults)
    const list = listOf(read.command)
    const fault = faultOf(read.command, call)
    if (fault !== undefined)
      throw new Problem('command_not_allowed', { message: `${fault.message}.`, details: [fault] })
    const [shown, root] = read.command.kind === 'instruction' ? [read.command.instruction, ''] : [list, 'instructions']
    requireRights(principal, shown, root)
    await checkCallerIds(tx, principal, shown, root)
    const id = newId('cmd', now)
    const isHangup = read.command.kind === 'instruction' && read.command.instruction.verb === 'hangup'
    const ended = isHangup ? await endCall(tx, principal, call, now) : undefined
    if (ended === undefined) {
      const instructions = closeInstructions(keyring, principal, id, list)
      await insertCommand(tx, principal, call, id, { kind: 'instructions', instructions })
    }
    afterCommit(() => services.wake('call_jobs'))
    return { commandId: id, callId: call.id, state: (ended ?? call).state, acceptedAt: isoMs(now) }
  },
})

function listOf(command: CallCommand): Instruction[] {
  return command.kind === 'instruction' ? [command.instruction] : command.instructions
}

/** Why the call cannot take a verb as it is now. A list may always come: it waits for the answer where it needs one. */
function faultOf(command: CallCommand, { state, direction }: Call): FieldFault | undefined {
  if (command.kind === 'instructions') return undefined
  return commandFault(command.instruction.verb, { state: state as LiveState, direction })
}
