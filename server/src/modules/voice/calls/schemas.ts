// What calls are in requests and replies, with samples.
import { type Static, Type } from 'typebox'
import { Nullable, OneOf, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { callOutcomes, callStates, type HangupCause, hangupCauses, hangupParties } from '../call_records/index.ts'
import { InstructionsBody } from '../instructions/index.ts'
import { recordingStates } from '../recordings/index.ts'

export const directions = ['outbound', 'inbound'] as const
const causeNames = Object.keys(hangupCauses) as HangupCause[]

export const CallId = Type.String({ description: 'Identifier of the call, `call_…`.' })
export const State = OneOf(callStates, {
  description:
    'initiated, ringing and answered are under way; completed, busy, no_answer, rejected, failed, canceled are final.',
})
const Party = Type.String({
  maxLength: 261,
  description:
    'E.164 with +; of phones that are registered here their SIP address, of those in browsers `client:<identity>`.',
})
const outcomeWords =
  'answered: they talked; voicemail: a message was left; no_answer, busy, wrong_number: nobody was reached; call_back: ' +
  'they want to be called again; not_interested: they want nothing.'
export const Outcome = OneOf(callOutcomes, { description: outcomeWords })
export const NewCallReply = Type.Object({
  callId: CallId,
  from: Party,
  to: Party,
  direction: OneOf(directions),
  state: State,
  createdAt: Timestamp,
  callbackUrl: Nullable(Type.String({ description: 'Where events of this call are sent to.' })),
})

export const CallRecord = Type.Object({
  ...NewCallReply.properties,
  parentCallId: Nullable(Type.String({ description: 'The call whose leg brought this one about.' })),
  callerName: Nullable(Type.String()),
  fallbackUrl: Nullable(Type.String({ description: 'Asked for instructions where callbackUrl does not answer.' })),
  timeoutSeconds: Type.Integer({ description: 'How long it may ring.' }),
  timeLimitSeconds: Type.Integer({ description: 'How long it may last after the answer.' }),
  trunkId: Nullable(Type.String({ description: 'The trunk it goes by, or went by last.' })),
  simulated: Type.Boolean({
    description:
      'Whether the simulator carried it, so that no telephone rang: nothing to be charged for, in live mode neither.',
  }),
  bridgedTo: Nullable(Type.String({ description: 'The call it talks with, or talked with last.' })),
  tags: Type.Array(Type.String()),
  metadata: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
  earlyMedia: Type.Boolean({ description: 'Whether audio came before the answer (an announcement, a tone).' }),
  answeredBy: Nullable(OneOf(['human', 'machine'], { description: 'Who answered, where that is known.' })),
  hangupCause: Nullable(OneOf(causeNames, { description: 'Why the call ended.' })),
  hangupBy: Nullable(OneOf(hangupParties, { description: 'Who ended it.' })),
  outcome: Nullable(
    OneOf(callOutcomes, { description: `What came of it, as the person who had it says. ${outcomeWords}` }),
  ),
  outcomeBy: Nullable(Type.Integer({ description: 'The user who said what came of it.' })),
  outcomeAt: Nullable(Timestamp),
  errorCode: Nullable(
    Type.String({ description: 'The problem the call ended with, as in GET /v2/problems; null when it went well.' }),
  ),
  sipCode: Nullable(Type.Integer({ description: 'Final SIP status of the remote party.' })),
  q850: Nullable(Type.Integer({ description: 'Cause of release by ITU-T Q.850.' })),
  ringSeconds: Nullable(Type.Integer({ description: 'Seconds from the first ring to the answer or the end.' })),
  durationSeconds: Nullable(Type.Integer({ description: 'Seconds from creation to the end.' })),
  billableSeconds: Nullable(
    Type.Integer({ description: 'Seconds from answer to end, each one started counts; 0 without an answer.' }),
  ),
  price: Nullable(
    Type.String({
      description:
        'What it cost, a decimal: minutes between answer and end, each one started counts, by the cost of the route of its trunk. Null until it is over, or where nobody is paid.',
    }),
  ),
  currency: Nullable(Type.String({ description: 'Currency of the price, ISO 4217.' })),
  dialedAt: Nullable(Timestamp),
  ringingAt: Nullable(Timestamp),
  answeredAt: Nullable(Timestamp),
  endedAt: Nullable(Timestamp),
})

export const HistoryEntry = Type.Object({
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

export const CallEvent = Type.Object({
  id: Type.String({ description: 'Identifier of the event, `evt_…`: the webhook-id of its deliveries.' }),
  type: Type.String(),
  at: Timestamp,
  sequence: Type.Integer({ description: 'Counts the events of the call, from 1.' }),
  data: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'The call as it was then, with previousState, details and occurredAt.',
  }),
})

export const RecordingOfCall = Type.Object({
  recordingId: Type.String({ description: 'Identifier of the recording, `rec_…`.' }),
  state: OneOf(recordingStates, {
    description: 'available can be heard; deleted, absent and failed have no audio.',
  }),
  durationMs: Nullable(Type.Integer({ description: 'Length of the sound in milliseconds, without pauses.' })),
  errorCode: Nullable(Type.String({ description: 'Why it failed, as in GET /v2/problems.' })),
})

/** One call with what belongs to it. */
export const CallWithAll = Type.Object({
  ...CallRecord.properties,
  instructions: Nullable(
    Type.Unsafe<unknown[]>({
      ...InstructionsBody,
      description:
        'The list the call carries out, or carried out last: that of its creation or of its number, or one that a callback ' +
        'or a command brought in its place. Passwords and secret digits are dots.',
    }),
  ),
  recordings: Nullable(
    Type.Array(RecordingOfCall, { description: 'Oldest first; null for who lacks recordings:read.' }),
  ),
  history: Type.Array(HistoryEntry),
  events: Type.Optional(Type.Array(CallEvent, { description: 'With expand=events only: every event whole.' })),
})

export const CallParams = Type.Object({
  callId: RecordId('call', 'Identifier of the call.'),
})

export const sampleNewCall: Static<typeof NewCallReply> = {
  callId: 'call_01kahm3zr4q8n5t2w7x9y0b1c3',
  from: '+15550100001',
  to: '+15005550200',
  direction: 'outbound',
  state: 'initiated',
  createdAt: '2026-11-21T08:44:00.123Z',
  callbackUrl: 'https://example.com/hooks/calls',
}
export const sampleCall: Static<typeof CallRecord> = {
  ...sampleNewCall,
  state: 'completed',
  parentCallId: null,
  callerName: 'Example Company',
  fallbackUrl: null,
  timeoutSeconds: 60,
  timeLimitSeconds: 14_400,
  trunkId: null,
  simulated: true,
  bridgedTo: null,
  tags: ['onboarding'],
  metadata: { leadId: '42' },
  earlyMedia: false,
  answeredBy: 'human',
  hangupCause: 'normal',
  hangupBy: 'callee',
  outcome: 'answered',
  outcomeBy: 3,
  outcomeAt: '2026-11-21T08:45:10.004Z',
  errorCode: null,
  sipCode: 200,
  q850: 16,
  ringSeconds: 2,
  durationSeconds: 7,
  billableSeconds: 5,
  price: '0.01',
  currency: 'USD',
  dialedAt: '2026-11-21T08:44:00.140Z',
  ringingAt: '2026-11-21T08:44:00.150Z',
  answeredAt: '2026-11-21T08:44:02.150Z',
  endedAt: '2026-11-21T08:44:07.150Z',
}
export const sampleRecordings: Static<typeof RecordingOfCall>[] = [
  { recordingId: 'rec_01kahm41x2d4f6h8k0m2p4r6t8', state: 'available', durationMs: 4_180, errorCode: null },
]
export const sampleHistory: Static<typeof HistoryEntry>[] = [
  { sequence: 1, type: 'call.initiated', at: '2026-11-21T08:44:00.123Z', state: 'initiated', details: null },
  { sequence: 2, type: 'call.ringing', at: '2026-11-21T08:44:00.150Z', state: 'ringing', details: null },
  { sequence: 3, type: 'call.answered', at: '2026-11-21T08:44:02.150Z', state: 'answered', details: null },
  { sequence: 4, type: 'call.completed', at: '2026-11-21T08:44:07.150Z', state: 'completed', details: null },
]
