// The request that asks a callback address how a call is to go on, and what it may answer: for the documents.
import { Type } from 'typebox'
import { apiVersion, type SentRequest } from '../../../kernel/documents/sent_request.ts'
import { Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { CallRecord, sampleCall } from '../calls/index.ts'
import { askReasons } from '../control/index.ts'
import { InstructionsBody, sampleInstructions, WaitBody } from '../instructions/index.ts'

/** Not an event: nobody hears it but the one who is asked. */
export const requestType = 'instructions.requested'

/** An empty list. */
const nothing = { type: 'array', items: {}, maxItems: 0 }
const lists = [InstructionsBody, { ...WaitBody, description: 'Of waiting.' }, nothing]

const text = (description: string) => Type.Optional(Type.String({ description }))
const count = (description: string) => Type.Optional(Type.Integer({ description }))

/** What the reasons bring along. */
const broughtAlong = {
  digits: text('gathered: the keys that were pressed.'),
  gatherReason: text('gathered: digits, key or timeout.'),
  dialResult: text('dialed: answered, or why nobody took the call: busy, no_answer, queue_empty, …'),
  dialedCallId: Type.Optional(
    Nullable(Type.String({ description: 'dialed: the leg that was dialled, or that failed last.' })),
  ),
  talkSeconds: count('dialed: how long they talked.'),
  recordingId: text('recorded: the recording.'),
  durationMs: count('recorded: its length.'),
  recordResult: text('recorded: stopped, max_length or silence.'),
  key: text('recorded: the key that ended it; empty where none did.'),
  conference: text('conference_left: its name.'),
  conferenceId: text('conference_left: where it was joined.'),
  conferenceResult: text(
    'conference_left: left, key, timeout, removed, ended; full or elsewhere where it could not be joined.',
  ),
  seconds: count('conference_left: how long the call was in it.'),
  queue: text('queue_left and waiting: its name.'),
  queueResult: text('queue_left: taken, left or timeout.'),
  waitedSeconds: count('queue_left: how long the call waited.'),
  place: count('waiting: the place in the queue; 1 is the next to be taken.'),
  verdict: text('machine_detected: human, machine_start, machine_end_beep, fax, …'),
  mode: text('machine_detected: the mode of the instruction.'),
  transferTo: text('transfer_failed: to whom the call was to be handed on.'),
  why: text('transfer_failed: what went wrong.'),
  failedUrl: text('Where this is the fallback: the address that gave no instructions.'),
  failure: text('Where this is the fallback: why it gave none.'),
}

export const askedInstructions: SentRequest = {
  id: 'instructionsRequested',
  category: 'Voice',
  name: 'Instructions are wanted',
  description:
    'Sent to the `callbackUrl` of a call that is answered without instructions or comes in, and to the addresses that ' +
    'instructions name (`actionUrl`, `confirmUrl`, `waitUrl`, `url`). A connection must stand within 3 seconds, and the answer ' +
    'be there 5 seconds after that. Without an answer, after a 5xx and 429 it is asked twice more; then, as after any other ' +
    'refusal and a wrong list, `fallbackUrl` is asked, but for `confirmUrl`. See docs/voice.md.',
  bodyName: 'InstructionsRequest',
  body: Type.Object({
    id: Type.String({ description: 'The same in every attempt, and in the header `webhook-id`.' }),
    type: Type.Literal(requestType),
    timestamp: Timestamp,
    apiVersion: Type.Literal(apiVersion),
    livemode: Type.Boolean({ description: 'false for calls of the test mode.' }),
    organizationId: Type.Integer({ description: 'Whose call it is.' }),
    expectsInstructions: Type.Literal(true, {
      description: 'Distinguishes it from events, which come to the same address.',
    }),
    data: Type.Object(
      {
        ...CallRecord.properties,
        reason: OneOf(askReasons, { description: 'Why instructions are wanted.' }),
        answeredBy: Nullable(
          OneOf(['human', 'machine', 'unknown'], { description: 'Who answered; of machine_detected also unknown.' }),
        ),
        ...broughtAlong,
      },
      { additionalProperties: true, description: 'The call as it is, the reason, and what belongs to that reason.' },
    ),
  }),
  answer: {
    description: 'A list is carried out at once; no body (204), `{}` or an empty list lets the running one go on.',
    schema: {
      anyOf: [{ type: 'object', properties: { instructions: { anyOf: lists } } }, ...lists],
    },
    sample: { instructions: sampleInstructions },
  },
  sample: {
    id: 'evt_01kahm44f2c9m3s8v1d5h7j2q6',
    type: requestType,
    timestamp: '2026-11-21T08:44:02.150Z',
    apiVersion,
    livemode: false,
    organizationId: 1,
    expectsInstructions: true,
    data: {
      ...sampleCall,
      state: 'answered',
      hangupCause: null,
      hangupBy: null,
      sipCode: null,
      q850: null,
      durationSeconds: null,
      billableSeconds: null,
      endedAt: null,
      reason: 'gathered',
      digits: '1234',
    },
  },
}
