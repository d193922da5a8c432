// What a refusal looks like on the wire, in each version, for the samples of the Explorer: the shapes of
// server/src/kernel/http/render_problem.ts (a test there holds both together), filled from the problems table.
import type { Version } from './document.ts'
import type { Field } from './fields.ts'

/** One problem code of the error reference. */
export type Problem = {
  code: string
  /** HTTP status; 0 for codes that stand only in records and events. */
  status: number
  title: string
  cause: string
  fix: string
  /** Whether the same request may succeed later without a change. */
  retriable: boolean
}

/** The request id and time that all samples show. */
export const sampleMeta = { requestId: 'req_01k9r7d3w2v8e6q4n5m1b0c9xz', responseTime: '12ms' }

// RFC 9110 §15 and RFC 6585; the v1 errors carry the phrase.
const reasons: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  206: 'Partial Content',
  304: 'Not Modified',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Payload Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

/** The reason phrase of a status, as Node spells it; `Status 299` for one without. */
export function reasonPhrase(status: number): string {
  return reasons[status] ?? `Status ${status}`
}

/** The body of a refusal. `fields` are those of the endpoint: invalid input shows one of them. */
export function errorSample(problem: Problem, version: Version, fields: readonly Field[] = []): unknown {
  const { code, status, retriable } = problem
  const details = code === 'validation_failed' ? [faultSample(fields)] : undefined
  const message = details === undefined ? messageSample(problem) : `${details[0]?.field}: ${details[0]?.message}`
  const shown = details === undefined ? {} : { details }
  if (version === 'v1') {
    const { requestId } = sampleMeta
    return { success: false, error: reasonPhrase(status), message, code, ...shown, requestId }
  }
  if (version === 'oauth') return { error: code, error_description: message, error_uri: `/errors/${code}` }
  return {
    status,
    error: { code, message, ...shown, retriable, docUrl: `/errors/${code}` },
    meta: sampleMeta,
  }
}

function messageSample({ code, cause, fix }: Problem): string {
  if (code === 'rate_limited')
    return 'Rate limit of 1000 requests a minute for this API key exceeded. Try again in 24 seconds.'
  return `${cause} ${fix}`
}

/** What the validator says of a field left out, of one of another type, or of one it does not know. */
function faultSample(fields: readonly Field[]): { field: string; code: string; message: string } {
  const required = fields.find(field => field.in === 'body' && field.required && field.schema.$ref === undefined)
  if (required !== undefined) return { field: required.name, code: 'required', message: 'is required' }
  const number = fields.find(field => field.in !== 'header' && field.type === 'integer')
  if (number !== undefined) return { field: number.name, code: 'wrong_type', message: 'must be an integer' }
  return { field: 'color', code: 'unknown_field', message: 'is not a field of this request' }
}
