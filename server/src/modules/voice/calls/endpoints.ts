// Calls over the API: start one, list and read them, hang one up. What happens to a call between is told by its engine.
import { Type } from 'typebox'
import { customerUrl } from '../../../kernel/callback_url.ts'
import { isoMs } from '../../../kernel/clock.ts'
import { endpoint } from '../../../kernel/endpoint.ts'
import { emit } from '../../../kernel/events.ts'
import { isId, newId } from '../../../kernel/ids.ts'
import { cutPage, decodeCursor, v2PageQuery } from '../../../kernel/page.ts'
import { parsePhone } from '../../../kernel/phone.ts'
import type { Principal } from '../../../kernel/principal.ts'
import { invalid, Problem, type ProblemCode } from '../../../kernel/problem.ts'
import { MomentInput, Nullable, OneOf, PhoneInput, PhoneNumber, Timestamp } from '../../../kernel/schema.ts'
import {
  callStates,
  type HangupCause,
  hangupCauses,
  hangupParties,
  initiatedEvent,
  isLive,
  nextCall,
  presentCall,
} from './rules.ts'
import {
  type CallFilters,
  changeCalls,
  findCall,
  initialCall,
  insertCall,
  insertHangupJobs,
  insertOriginateJob,
  listCalls,
  listHistory,
  lockCalls,
  type NewCall,
} from './store.ts'

const directions = ['outbound', 'inbound'] as const
const causeNames = Object.keys(hangupCauses) as HangupCause[]

const CallId = Type.String({ description: 'Identifier of the call, `call_…`.' })
const State = OneOf(callStates, {
  description:
    'initiated, ringing and answered are under way; completed, busy, no_answer, rejected, failed, canceled are final.',
})
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  maxItems: 10,
  uniqueItems: true,
  description: 'Words of your own to find calls by in events and reports.',
})
const Metadata = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string', maxLength: 500 },
  propertyNames: { minLength: 1, maxLength: 64 },
  maxProperties: 20,
  description: 'Up to 20 named texts of your own, returned with the call and in its events.',
})
const defaultTimeoutSeconds = 60
const defaultTimeLimitSeconds = 4 * 3_600
const TimeoutSeconds = Type.Integer({
  minimum: 5,
  maximum: 600,
  default: defaultTimeoutSeconds,
  description: 'How long to let it ring, in seconds.',
})
const TimeLimitSeconds = Type.Integer({
  minimum: 1,
  maximum: 86_400,
  default: defaultTimeLimitSeconds,
  description: 'How long the call may last after the answer, in seconds.',
})

const NewCallReply = Type.Object({
  callId: CallId,
  from: PhoneNumber,
  to: PhoneNumber,
  direction: OneOf(directions),
  state: State,
  createdAt: Timestamp,
  callbackUrl: Nullable(Type.String({ description: 'Where events of this call are sent to.' })),
})

const CallRecord = Type.Object({
  ...NewCallReply.properties,
  parentCallId: Nullable(Type.String({ description: 'The call whose leg brought this one about.' })),
  callerName: Nullable(Type.String()),
  timeoutSeconds: Type.Integer({ description: 'How long it may ring.' }),
  timeLimitSeconds: Type.Integer({ description: 'How long it may last after the answer.' }),
  trunkId: Nullable(Type.String({ description: 'The trunk it goes by, or went by first.' })),
  bridgedTo: Nullable(Type.String({ description: 'The call it talks with, or talked with last.' })),
  tags: Type.Array(Type.String()),
  metadata: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
  earlyMedia: Type.Boolean({ description: 'Whether audio came before the answer (an announcement, a tone).' }),
  answeredBy: Nullable(OneOf(['human', 'machine'], { description: 'Who answered, where that is known.' })),
  hangupCause: Nullable(OneOf(causeNames, { description: 'Why the call ended.' })),
  hangupBy: Nullable(OneOf(hangupParties, { description: 'Who ended it.' })),
  errorCode: Nullable(
    Type.String({ description: 'The problem the call ended with, as in GET /v2/problems; null when it went well.' }),
  ),
  sipCode: Nullable(Type.Integer({ description: 'Final SIP status of the far side.' })),
  q850: Nullable(Type.Integer({ description: 'Cause of release by ITU-T Q.850.' })),
  ringSeconds: Nullable(Type.Integer({ description: 'Seconds from the first ring to the answer or the end.' })),
  durationSeconds: Nullable(Type.Integer({ description: 'Seconds from creation to the end.' })),
  billableSeconds: Nullable(
    Type.Integer({ description: 'Seconds from answer to end, each one begun counts; 0 without an answer.' }),
  ),
  dialedAt: Nullable(Timestamp),
  ringingAt: Nullable(Timestamp),
  answeredAt: Nullable(Timestamp),
  endedAt: Nullable(Timestamp),
})

const HistoryEntry = Type.Object({
  sequence: Type.Integer({ description: 'Counts the events of the call, from 1.' }),
  type: Type.String({ description: 'What happened, as in events: `call.ringing`.' }),
  at: Timestamp,
  state: State,
  details: Type.Unsafe<Record<string, string | number> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'What belongs to this event only: the digit typed, the trunk that refused.',
  }),
})

const CallParams = Type.Object({
  callId: Type.String({ minLength: 1, maxLength: 64, description: 'Identifier of the call.' }),
})

const sampleNewCall = {
  callId: 'call_01kahm3zr4q8n5t2w7x9y0b1c3',
  from: '+15550100001',
  to: '+15005550200',
  direction: 'outbound',
  state: 'initiated',
  createdAt: '2026-11-21T08:44:00.123Z',
  callbackUrl: 'https://example.com/hooks/calls',
}
const sampleCall = {
  ...sampleNewCall,
  state: 'completed',
  parentCallId: null,
  callerName: 'Example Company',
  timeoutSeconds: 60,
  timeLimitSeconds: 14_400,
  trunkId: null,
  bridgedTo: null,
  tags: ['onboarding'],
  metadata: { leadId: '42' },
  earlyMedia: false,
  answeredBy: 'human',
  hangupCause: 'normal',
  hangupBy: 'callee',
  errorCode: null,
  sipCode: 200,
  q850: 16,
  ringSeconds: 2,
  durationSeconds: 7,
  billableSeconds: 5,
  dialedAt: '2026-11-21T08:44:00.140Z',
  ringingAt: '2026-11-21T08:44:00.150Z',
  answeredAt: '2026-11-21T08:44:02.150Z',
  endedAt: '2026-11-21T08:44:07.150Z',
}
const sampleHistory = [
  { sequence: 1, type: 'call.initiated', at: '2026-11-21T08:44:00.123Z', state: 'initiated', details: null },
  { sequence: 2, type: 'call.ringing', at: '2026-11-21T08:44:00.150Z', state: 'ringing', details: null },
  { sequence: 3, type: 'call.answered', at: '2026-11-21T08:44:02.150Z', state: 'answered', details: null },
  { sequence: 4, type: 'call.completed', at: '2026-11-21T08:44:07.150Z', state: 'completed', details: null },
]

export const create = endpoint({
  id: 'calls.create',
  version: 'v2',
  category: 'Voice',
  method: 'POST',
  path: '/voice/calls',
  name: 'Start a call',
  description:
    'Dials a number. Answers as soon as the call is stored; ringing, answer and end follow as events, in the history ' +
    'of the call, and at `callbackUrl`. In test mode, and in live mode until a carrier is set up, the simulator ' +
    'carries the call: the numbers +1 500 555 0200 to 0210 have fixed outcomes, any other number rings 2 s, answers, ' +
    'and hangs up after 5 s.',
  permission: 'calls:create',
  body: Type.Object({
    from: PhoneInput,
    to: PhoneInput,
    callbackUrl: Type.Optional(
      Type.String({ format: 'url', maxLength: 2_048, description: 'Where to send the events of this call; https.' }),
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
  problems: ['invalid_from_number', 'invalid_to_number', 'invalid_callback_url'],
  sample: {
    body: {
      from: '+15550100001',
      to: '+15005550200',
      callbackUrl: 'https://example.com/hooks/calls',
      timeoutSeconds: 60,
    },
    reply: sampleNewCall,
  },
  async handle({ body, tx, principal, now, afterCommit, services }) {
    const call: NewCall = {
      id: newId('call', now),
      direction: 'outbound',
      from_number: dialable(body.from, principal, 'from', 'invalid_from_number'),
      to_number: dialable(body.to, principal, 'to', 'invalid_to_number'),
      caller_name: body.callerName ?? null,
      callback_url: body.callbackUrl === undefined ? null : customerUrl(body.callbackUrl, services.egress, principal),
      timeout_seconds: body.timeoutSeconds ?? defaultTimeoutSeconds,
      time_limit_seconds: body.timeLimitSeconds ?? defaultTimeLimitSeconds,
      tags: body.tags ?? [],
      metadata: body.metadata ?? {},
      created_at: isoMs(now),
    }
    const row = initialCall(principal, call)
    // One flight: none needs another's answer.
    await Promise.all([
      insertCall(tx, principal, call),
      insertOriginateJob(tx, principal, call.id),
      emit(tx, principal, initiatedEvent(row)),
    ])
    afterCommit(() => services.wake('call_jobs'))
    const { callId, from, to, direction, state, createdAt, callbackUrl: url } = presentCall(row)
    return { callId, from, to, direction, state, createdAt, callbackUrl: url }
  },
})

const names = { from: 'caller', to: 'callee' } as const

function dialable(text: string, { settings }: Principal, field: 'from' | 'to', code: ProblemCode): string {
  const number = parsePhone(text, settings.defaultCountry ?? undefined)
  if (number !== undefined) return number
  const remedy = 'Use international format with +, for example +15550100001.'
  const message = `${JSON.stringify(text)} is no number the ${names[field]} can have. ${remedy}`
  throw new Problem(code, { message, details: [{ field, code, message: 'is not a telephone number' }] })
}

export const list = endpoint({
  id: 'calls.list',
  version: 'v2',
  category: 'Voice',
  method: 'GET',
  path: '/voice/calls',
  name: 'List calls',
  description: 'Calls of the tenant, newest first, filtered by any of the parameters together.',
  permission: 'calls:read',
  query: Type.Object({
    ...v2PageQuery,
    state: Type.Optional(State),
    from: Type.Optional(PhoneInput),
    to: Type.Optional(PhoneInput),
    direction: Type.Optional(OneOf(directions, { description: 'Who called: outbound by us, inbound to us.' })),
    createdAfter: Type.Optional(MomentInput),
    createdBefore: Type.Optional(MomentInput),
  }),
  reply: CallRecord,
  envelope: 'page',
  sample: { query: { state: 'completed', limit: 2 }, reply: sampleCall },
  async handle({ query, tx, principal }) {
    const { limit = 50, cursor, state, direction } = query
    const filters: CallFilters = {
      state,
      direction,
      from: sought(query.from, principal, 'from'),
      to: sought(query.to, principal, 'to'),
      createdAfter: query.createdAfter && isoMs(Date.parse(query.createdAfter)),
      createdBefore: query.createdBefore && isoMs(Date.parse(query.createdBefore)),
    }
    const rows = await listCalls(
      tx,
      principal,
      filters,
      cursor === undefined ? undefined : behind(cursor, filters),
      limit + 1,
    )
    const page = cutPage(rows, limit, row => [row.created_at, row.id], filters)
    return { items: page.rows.map(presentCall), limit, nextCursor: page.nextCursor }
  },
})

/** A number to filter by. A + that was not percent-encoded arrives as a space. */
function sought(text: string | undefined, { settings }: Principal, field: string): string | undefined {
  if (text === undefined) return undefined
  const number = parsePhone(text.replace(/^ /, '+'), settings.defaultCountry ?? undefined)
  if (number === undefined) throw invalid({ field, code: 'wrong_format', message: 'must be a telephone number with +' })
  return number
}

function behind(cursor: string, filters: CallFilters): [string, string] {
  const [createdAt, id] = decodeCursor(cursor, filters)
  if (typeof createdAt !== 'string' || typeof id !== 'string') throw new Problem('invalid_cursor')
  if (!isId('call', id) || Number.isNaN(Date.parse(createdAt))) throw new Problem('invalid_cursor')
  return [isoMs(Date.parse(createdAt)), id]
}

export const get = endpoint({
  id: 'calls.get',
  version: 'v2',
  category: 'Voice',
  method: 'GET',
  path: '/voice/calls/{callId}',
  name: 'Get a call',
  description: 'One call with everything known of it and its history, oldest event first.',
  permission: 'calls:read',
  params: CallParams,
  reply: Type.Object({ ...CallRecord.properties, history: Type.Array(HistoryEntry) }),
  envelope: 'data',
  problems: ['not_found'],
  sample: { params: { callId: sampleCall.callId }, reply: { ...sampleCall, history: sampleHistory } },
  async handle({ params, tx, principal }) {
    if (!isId('call', params.callId)) throw new Problem('not_found')
    const [call, history] = await Promise.all([
      findCall(tx, principal, params.callId),
      listHistory(tx, principal, params.callId),
    ])
    if (call === undefined) throw new Problem('not_found')
    // Read a moment apart: what was written in between belongs to the next reading.
    return { ...presentCall(call), history: history.filter(entry => entry.sequence <= call.sequence) }
  },
})

export const hangup = endpoint({
  id: 'calls.hangup',
  version: 'v2',
  category: 'Voice',
  method: 'POST',
  path: '/voice/calls/{callId}/hangup',
  name: 'Hang up a call',
  description:
    'Ends a call at once: before the answer it is canceled, after it completed. Whoever ends a call first, this ' +
    'request or the far side, decides how it ended; it ends once.',
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
    if (!isId('call', params.callId)) throw new Problem('not_found')
    const before = await lockCalls(tx, principal, [params.callId])
    const call = before[0]
    if (call === undefined) throw new Problem('not_found')
    const step = nextCall(call, { type: 'ended', cause: 'normal', by: 'api' }, now)
    if (step === undefined || !isLive(call)) {
      throw new Problem('call_not_active', {
        message: `The call has ended; its state is ${call.state}. Start a new call.`,
      })
    }
    // First the job, which names who holds the call: the end takes that away.
    await insertHangupJobs(tx, principal, [step.call])
    await changeCalls(tx, principal, before, [step])
    afterCommit(() => services.wake('call_jobs'))
    return presentCall(step.call)
  },
})

export const endpoints = [create, list, get, hangup]
