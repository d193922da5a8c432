// Requests that Tandem itself sends, to addresses that customers give: what arrives there and what may be answered, as the
// `webhooks` of the OpenAPI document have it.
import type { TSchema } from 'typebox'
import type { Category } from '../endpoint/endpoint.ts'
import { componentAddress, shownSchema } from './documented.ts'

/** Of everything that is sent, as its `apiVersion`. */
export const apiVersion = 'v2'

type Json = Record<string, unknown>

export type SentRequest = {
  /** Its key among the webhooks: `event`. */
  id: string
  category: Category
  /** A short title: "An event". */
  name: string
  /** When it is sent, where to, and what becomes of the answer. */
  description: string
  /** What the schema of its body is called: `WebhookEvent`. */
  bodyName: string
  body: TSchema
  /** What a 2xx may say; without a schema nobody reads it. */
  answer: { description: string; schema?: object; sample?: unknown }
  sample: unknown
}

const headers = {
  'webhook-id': 'Names the request: the same in every attempt, so that what came twice is known.',
  'webhook-timestamp': 'When this attempt was made, in seconds since 1970; refuse what is more than five minutes off.',
  'webhook-signature':
    'Standard Webhooks: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64; two of them, parted by a blank, while a secret is changed.',
}

/** The `webhooks` of an OpenAPI 3.1 document. The schemas of the bodies are added to `named`. */
export function documentedRequests(requests: readonly SentRequest[], named: Map<string, object>): Json {
  return Object.fromEntries(requests.map(request => [request.id, { post: documentedRequest(request, named) }]))
}

function documentedRequest(request: SentRequest, named: Map<string, object>): Json {
  const { id, category, name, description, bodyName, body, answer, sample } = request
  named.set(bodyName, shownSchema(body, named))
  return {
    operationId: id,
    tags: [category],
    summary: name,
    description,
    // The signature is the credential.
    security: [],
    parameters: Object.entries(headers).map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: componentAddress(bodyName) }, example: sample } },
    },
    responses: {
      '2XX': {
        description: answer.description,
        ...(answer.schema !== undefined && {
          content: { 'application/json': { schema: shownSchema(answer.schema, named), example: answer.sample } },
        }),
      },
    },
  }
}
