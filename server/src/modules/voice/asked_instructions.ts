// The request that asks a callback address how a call is to go on, and what it may answer: for the documents.
import { Type } from 'typebox'
import { OneOf, Timestamp } from '../../kernel/schema.ts'
import type { SentRequest } from '../../kernel/sent_request.ts'
import { CallRecord, sampleCall } from './calls/schemas.ts'
import { askReasons } from './control/tools.ts'
import { InstructionsBody, sampleInstructions } from './instructions_body.ts'

export const askedInstructions: SentRequest = {
  id: 'instructionsRequested',
  category: 'Voice',
  name: 'Instructions are wanted',
  description:
    'Sent to the `callbackUrl` of a call that is answered without instructions or comes in, and to the addresses that ' +
    'instructions name (`actionUrl`, `confirmUrl`, `url`). A connection must stand within 3 seconds, and the answer be there 5 seconds after ' +
    'that; without a 2xx it is asked twice more, then `fallbackUrl`. See docs/voice.md.',
  bodyName: 'InstructionsRequest',
  body: Type.Object({
    id: Type.String({ description: 'The same in every attempt, and in the header `webhook-id`.' }),
    type: Type.Literal('instructions.requested'),
    timestamp: Timestamp,
    apiVersion: Type.Literal('v2'),
    livemode: Type.Boolean({ description: 'false for calls of the test mode.' }),
    organizationId: Type.Integer({ description: 'Whose call it is.' }),
    expectsInstructions: Type.Literal(true, { description: 'Tells it from events, which come to the same address.' }),
    data: Type.Object(
      {
        ...CallRecord.properties,
        reason: OneOf(askReasons, { description: 'Why instructions are wanted.' }),
        digits: Type.Optional(Type.String({ description: 'Of gathered: the keys that were pressed.' })),
      },
      { additionalProperties: true, description: 'The call as it is, the reason, and what belongs to that reason.' },
    ),
  }),
  answer: {
    description: 'A list is carried out at once; nothing, `{}` or an empty list lets the running one go on.',
    schema: {
      anyOf: [{ type: 'object', properties: { instructions: InstructionsBody } }, InstructionsBody],
    },
    sample: { instructions: sampleInstructions },
  },
  sample: {
    id: 'evt_01kahm44f2c9m3s8v1d5h7j2q6',
    type: 'instructions.requested',
    timestamp: '2026-11-21T08:44:02.150Z',
    apiVersion: 'v2',
    livemode: false,
    organizationId: 1,
    expectsInstructions: true,
    data: {
      ...sampleCall,
      state: 'answered',
      hangupCause: null,
      hangupBy: null,
      durationSeconds: null,
      billableSeconds: null,
      endedAt: null,
      reason: 'gathered',
      digits: '1234',
    },
  },
}
