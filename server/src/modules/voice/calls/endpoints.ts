// Calls over the API: start one, list and read them, hang one up. What happens to a call between is reported by its engine.
import { Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import { type Tx, withCommit } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import { customerUrl } from '../../../kernel/endpoint/callback_url.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { OneOf, PhoneInput } from '../../../kernel/endpoint/schema.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { crashPoint } from '../../../kernel/values/crash_points.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { checkCall, policiesIn } from '../../destinations/index.ts'
import {
  findCall,
  initialCall,
  initiatedEvent,
  insertCall,
  insertOriginateJob,
  listCallEvents,
  listHistory,
  type NewCall,
  presentCall,
} from '../call_records/index.ts'
import { checkCallerId, checkCallerIds } from '../caller_ids/index.ts'
import {
  closeInstructions,
  InstructionsBody,
  instructionsBodyLimit,
  instructionsProblem,
  openInstructions,
  readInstructions,
  readingContext,
  requireRights,
  sampleInstructions,
  withoutSecrets,
} from '../instructions/index.ts'
import { listRecordingsOf, presentRecording, type Recording } from '../recordings/index.ts'
import { ownAddress } from '../sip_credentials/index.ts'
import { waitsTooLong } from '../trunks/index.ts'
import { command, endCall, lockLive } from './commands.ts'
import { FastClockHeader, isFastClock } from './fast_clock.ts'
import {
  defaultTimeLimitSeconds,
  defaultTimeoutSeconds,
  dialable,
  Metadata,
  Tags,
  TimeLimitSeconds,
  TimeoutSeconds,
} from './inputs.ts'
import { list } from './list.ts'
import { update } from './outcome.ts'
import {
  CallParams,
  CallRecord,
  CallWithAll,
  NewCallReply,
  sampleCall,
  sampleHistory,
  sampleNewCall,
  sampleRecordings,
} from './schemas.ts'
import { testCall } from './test_endpoint.ts'

export const create = endpoint({
  id: 'calls.create',
  version: 'v2',
  category: 'Voice',
  method: 'POST',
  path: '/voice/calls',
  name: 'Start a call',
  description:
    'Makes a phone call: dials a number, and once that is answered follows its `instructions`; without any, `callbackUrl` ' +
    'is asked for some. Answers as soon as the call is stored; ringing, answer and end follow as events, in the history ' +
    'of the call, and at `callbackUrl`. In test mode the simulator carries the call: the numbers +1 500 555 0200 to 0210 ' +
    'have fixed outcomes, any other number rings 2 s, answers, and hangs up after 5 s. In live mode a trunk does; without ' +
    'one that is switched on, only numbers of the simulator (+1 500 555 xxxx) are reached, and a call to any other fails ' +
    'with `no_route`. From the first trunk on, `from` and each `callerId` of the instructions must be a number of ' +
    'the organization that makes calls, unless a trunk shows foreign caller ids.',
  permission: 'calls:create',
  bodyLimit: instructionsBodyLimit,
  headers: FastClockHeader,
  body: Type.Object({
    from: PhoneInput,
    to: Type.String({
      minLength: 3,
      maxLength: 255,
      description:
        'Telephone number, best in international format with +; usual spellings are understood. Or the SIP address of a phone of ' +
        'yours, `phone.address` of a SIP credential: all that are registered with it ring.',
    }),
    callbackUrl: Type.Optional(
      Type.String({
        format: 'url',
        maxLength: 2_048,
        description:
          'Where to send the events of this call; https. Asked for instructions when the call is answered and has none.',
      }),
    ),
    fallbackUrl: Type.Optional(
      Type.String({
        format: 'url',
        maxLength: 2_048,
        description:
          'Asked for instructions where `callbackUrl` or an address of an instruction does not answer; https.',
      }),
    ),
    instructions: Type.Optional(
      Type.Unsafe<unknown[]>({
        ...InstructionsBody,
        description:
          'What to do once the call is answered, one after another: say, play, gather, dial, … See ' +
          'docs/call_instructions.md. Addresses without a host are read relative to `callbackUrl`.',
      }),
    ),
    timeoutSeconds: Type.Optional(TimeoutSeconds),
    timeLimitSeconds: Type.Optional(TimeLimitSeconds),
    callerName: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        pattern: '^[^\\p{Cc}]+$',
        errorMessage: 'must not contain control characters',
        description: 'Name to show to the callee, where the carrier passes it on.',
      }),
    ),
    tags: Type.Optional(Tags),
    metadata: Type.Optional(Metadata),
  }),
  reply: NewCallReply,
  envelope: 'data',
  problems: [
    'invalid_from_number',
    'invalid_to_number',
    'invalid_callback_url',
    'invalid_instructions',
    'cps_queue_full',
    'caller_id_not_allowed',
    'destination_not_allowed',
    'destination_premium',
    'concurrent_calls_exceeded',
    'daily_calls_exceeded',
  ],
  sample: {
    body: {
      from: '+15550100001',
      to: '+15005550200',
      callbackUrl: 'https://example.com/hooks/calls',
      instructions: [
        { verb: 'say', text: 'Hello, this is Example Company. Your table is ready.' },
        {
          verb: 'gather',
          prompt: [{ verb: 'say', text: 'Press 1 to talk with us.' }],
          numDigits: 1,
          actionUrl: 'menu',
        },
      ],
    },
    reply: sampleNewCall,
  },
  async handle({ body, header, tx, principal, now, afterCommit, services }) {
    const id = newId('call', now)
    const from = dialable(body.from, principal, 'from', 'invalid_from_number')
    const inside = ownAddress(body.to, services.sip)
    const to = inside ?? dialable(body.to, principal, 'to', 'invalid_to_number')
    const { mode } = principal
    const address = (url: string | undefined, field: 'callbackUrl' | 'fallbackUrl') =>
      url === undefined ? null : customerUrl(url, services.egress, { mode, field })
    const callbackUrl = address(body.callbackUrl, 'callbackUrl')
    const call: NewCall = {
      id,
      direction: 'outbound',
      from_number: from,
      to_number: to,
      caller_name: body.callerName ?? null,
      callback_url: callbackUrl,
      fallback_url: address(body.fallbackUrl, 'fallbackUrl'),
      timeout_seconds: body.timeoutSeconds ?? defaultTimeoutSeconds,
      time_limit_seconds: body.timeLimitSeconds ?? defaultTimeLimitSeconds,
      tags: body.tags ?? [],
      metadata: body.metadata ?? {},
      fast_clock: isFastClock(header, principal.mode),
      key_id: principal.keyId,
      counted: inside === undefined,
      created_at: isoMs(now),
    }
    if (body.instructions !== undefined) {
      const { defaultCountry } = principal.settings
      const baseUrl = callbackUrl ?? undefined
      const context = readingContext({ egress: services.egress, mode, defaultCountry, baseUrl })
      const read = readInstructions(body.instructions, context)
      if ('faults' in read) throw instructionsProblem(read.faults)
      requireRights(principal, read.instructions, 'instructions')
      await checkCallerIds(tx, principal, read.instructions, 'instructions')
      call.instructions = closeInstructions(services.keyring, principal, id, read.instructions)
    }
    const [policies] = await Promise.all([
      policiesIn(tx, principal, principal),
      checkCallerId(tx, principal, from),
      checkQueue(tx, principal),
    ])
    // Last: others of the organization wait for it where there is a ceiling.
    if (call.counted) await checkCall(tx, principal, { to, policies, nowMs: now })
    const row = initialCall(principal, call)
    withCommit(
      Promise.all([
        insertCall(tx, principal, call),
        insertOriginateJob(tx, principal, call.id),
        emit(tx, principal, initiatedEvent(row)),
      ]),
    )
    crashPoint('call.taken')
    afterCommit(() => {
      crashPoint('call.committed')
      services.wake('call_jobs')
    })
    const { callId, direction, state, createdAt } = presentCall(row)
    return { callId, from, to, direction, state, createdAt, callbackUrl }
  },
})

/** A call that waits longer for its turn expires: better refused now than then. */
const longestWaitSeconds = 5 * 60

/** @throws Problem `cps_queue_full` */
async function checkQueue(tx: Tx, principal: Principal): Promise<void> {
  if (principal.mode !== 'live' || !(await waitsTooLong(tx, principal, longestWaitSeconds))) return
  throw new Problem('cps_queue_full', { headers: { 'retry-after': '10' } })
}

export const get = endpoint({
  id: 'calls.get',
  version: 'v2',
  category: 'Voice',
  method: 'GET',
  path: '/voice/calls/{callId}',
  name: 'Get a call',
  description:
    'One call with everything known of it: what it carries out, its recordings, and its history, oldest event first. ' +
    'expand=events adds every event whole, as webhooks report it.',
  permission: 'calls:read',
  params: CallParams,
  query: Type.Object({
    expand: Type.Optional(OneOf(['events'], { description: 'events: with the events of the call, whole.' })),
  }),
  reply: CallWithAll,
  envelope: 'data',
  problems: ['not_found'],
  sample: {
    params: { callId: sampleCall.callId },
    reply: {
      ...sampleCall,
      instructions: sampleInstructions,
      recordings: sampleRecordings,
      history: sampleHistory,
    },
  },
  async handle({ params: { callId }, query, tx, principal, services }) {
    const mayHear = principal.permissions.has('recordings:read')
    const [call, history, recordings, events] = await Promise.all([
      findCall(tx, principal, callId),
      listHistory(tx, principal, callId),
      mayHear ? listRecordingsOf(tx, principal, [callId]) : null,
      query.expand === 'events' ? listCallEvents(tx, principal, callId) : null,
    ])
    if (call === undefined) throw new Problem('not_found')
    const { instructions, sequence } = call
    // Read a moment apart: what was written in between belongs to the next reading.
    const soFar = (entry: { sequence: number }) => entry.sequence <= sequence
    return {
      ...presentCall(call),
      instructions:
        instructions === null
          ? null
          : withoutSecrets(openInstructions(services.keyring, principal, callId, instructions)),
      recordings: recordings?.map(shortRecording) ?? null,
      history: history.filter(soFar),
      ...(events && { events: events.filter(soFar) }),
    }
  },
})

function shortRecording(recording: Recording) {
  const { recordingId, state, durationMs, errorCode } = presentRecording(recording)
  return { recordingId, state, durationMs, errorCode }
}

export const hangup = endpoint({
  id: 'calls.hangup',
  version: 'v2',
  category: 'Voice',
  method: 'POST',
  path: '/voice/calls/{callId}/hangup',
  name: 'Hang up a call',
  description:
    'Ends a call at once: before the answer it is canceled, after it completed. Anyone who ends a call first, this ' +
    'request or the remote party, decides how it ended; it ends once.',
  permission: 'calls:control',
  params: CallParams,
  reply: CallRecord,
  envelope: 'data',
  problems: ['not_found', 'call_not_active'],
  sample: {
    params: { callId: sampleCall.callId },
    reply: {
      ...sampleCall,
      hangupBy: 'api',
      endedAt: '2026-11-21T08:44:04.150Z',
      durationSeconds: 4,
      billableSeconds: 2,
    },
  },
  async handle({ params, tx, principal, now, afterCommit, services }) {
    const call = await endCall(tx, principal, await lockLive(tx, principal, params.callId), now)
    afterCommit(() => services.wake('call_jobs'))
    return presentCall(call)
  },
})

export const endpoints = [create, list, get, update, hangup, command, testCall]
