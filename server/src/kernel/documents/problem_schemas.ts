// How refusals look on the wire, as JSON Schema: in the two versions of the API, and in the protocol of OAuth.
import { vocabulary } from '../values/vocabulary.ts'

type Json = Record<string, unknown>

export const metaSchema = {
  type: 'object',
  required: ['requestId', 'responseTime'],
  properties: {
    requestId: { type: 'string', description: 'Quote it when you ask for help; finds the request in the log.' },
    responseTime: { type: 'string', description: 'Milliseconds the server took, with the unit: 12ms.' },
  },
}

const detailsSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['field', 'code', 'message'],
    properties: {
      field: { type: 'string', description: 'Path of the field: lines[0].quantity; empty for the body as a whole.' },
      code: { type: 'string' },
      message: { type: 'string' },
      limit: {
        type: 'number',
        description:
          'What it must have at least or at most, where the code is too_short, too_long, too_few, too_many, too_small or too_large.',
      },
      format: { type: 'string', description: 'The format that it must have, as in its schema: date, idn-email.' },
      record_id: {
        type: 'string',
        description: 'The record that it is about: the duplicate, or the one that a record was merged into.',
      },
    },
  },
}

/** By the name of the schema. */
export function problemSchemas(): Json {
  const code = { type: 'string', enum: Object.keys(vocabulary().problems) }
  return { ProblemV1: problemV1(code), ProblemV2: problemV2(code), ProblemOAuth: problemOAuth }
}

export const problemSchemaNames = { v1: 'ProblemV1', v2: 'ProblemV2', oauth: 'ProblemOAuth' } as const

/** RFC 6749 §5.2. */
const problemOAuth: Json = {
  type: 'object',
  required: ['error'],
  properties: {
    error: { type: 'string', description: 'The code; each has a page in the error reference.' },
    error_description: { type: 'string', description: 'What is wrong, for the people who make the client.' },
    error_uri: { type: 'string', description: 'The page of the code.' },
  },
}

const problemV1 = (code: Json): Json => ({
  type: 'object',
  required: ['success', 'error', 'message', 'code', 'requestId'],
  properties: {
    success: { const: false },
    error: { type: 'string', description: 'The HTTP reason phrase.' },
    message: { type: 'string', description: 'What is wrong and what to do, for people.' },
    code,
    details: detailsSchema,
    requestId: { type: 'string' },
  },
})

const problemV2 = (code: Json): Json => ({
  type: 'object',
  required: ['status', 'error', 'meta'],
  properties: {
    status: { type: 'integer' },
    error: {
      type: 'object',
      required: ['code', 'message', 'retriable', 'docUrl'],
      properties: {
        code,
        message: { type: 'string', description: 'What is wrong and what to do, for people.' },
        details: detailsSchema,
        retriable: { type: 'boolean', description: 'Whether the same request may succeed later.' },
        docUrl: {
          type: 'string',
          description:
            'Page of this code in the error reference: its whole address where the server knows its own (TANDEM_PUBLIC_URL), otherwise the path below the host.',
        },
      },
    },
    meta: metaSchema,
  },
})
