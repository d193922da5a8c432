// What goes wrong, as one error type: a refusal of the server with its code, or one of three faults on the way (no
// connection, no answer in time, an answer that is not Tandem's), or a delivery of a webhook that is not Tandem's.
import type { ProblemCode } from './types.generated.ts'

/** Codes of faults that the server did not report. */
export type ClientErrorCode = 'network_error' | 'timeout' | 'unexpected_reply' | 'webhook_not_verified'

/** Every code this version knows; a newer server may answer others, so a string is allowed beside them. */
export type TandemErrorCode = ProblemCode | ClientErrorCode

/**
 * One faulty field of a request. `field` is a path as in `lines[0].quantity`, empty for the body as a whole; `record_id` is the record that
 * the fault is about, where there is one: the duplicate, or the one that a record was merged into. `limit` is what it must have at least
 * or at most (`too_long`, `too_small`, …), `format` the name of the format that it must have.
 */
export type FieldFault = {
  field: string
  code: string
  message: string
  record_id?: string
  limit?: number
  format?: string
}

export type TandemErrorFields = {
  code: TandemErrorCode | (string & {})
  /** HTTP status; 0 when there was no answer. */
  status?: number
  details?: readonly FieldFault[]
  /** Finds the request in the request log; absent when there was no answer. */
  requestId?: string
  /** Whether the same request may succeed later. */
  retriable: boolean
  /** Address of the page about this code. */
  docUrl?: string
  /** How long the server asks to wait. */
  retryAfterSeconds?: number
  /** What this code has beside what all have, as its page says. */
  more?: Readonly<Record<string, unknown>>
  cause?: unknown
}

/** Thrown by every call that fails. An aborted call rejects with the reason of its signal instead. */
export class TandemError extends Error {
  readonly code: TandemErrorCode | (string & {})
  readonly status: number
  readonly details: readonly FieldFault[]
  readonly requestId: string | undefined
  readonly retriable: boolean
  readonly docUrl: string | undefined
  readonly retryAfterSeconds: number | undefined
  readonly more: Readonly<Record<string, unknown>>

  constructor(message: string, { cause, ...fields }: TandemErrorFields) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'TandemError'
    this.code = fields.code
    this.status = fields.status ?? 0
    this.details = fields.details ?? []
    this.requestId = fields.requestId
    this.retriable = fields.retriable
    this.docUrl = fields.docUrl
    this.retryAfterSeconds = fields.retryAfterSeconds
    this.more = fields.more ?? {}
  }
}

/** Whether something caught is a TandemError. */
export const isTandemError = (error: unknown): error is TandemError => error instanceof TandemError

/** Statuses after which the same request may succeed. */
export const isPassing = (status: number): boolean => [408, 429, 500, 502, 503, 504].includes(status)

type Refusal = { code?: unknown; message?: unknown; details?: FieldFault[]; retriable?: boolean; docUrl?: string }

/**
 * The error of an answer that is not a success, from either shape of refusal: v1 `{success: false, code, message, …}`,
 * v2 `{error: {code, message, …}}`. Anything else (a proxy's page, say) is `unexpected_reply`.
 * @param baseUrl where `docUrl` points to
 */
export function refusalOf(response: Response, text: string, baseUrl: string): TandemError {
  const { status, headers } = response
  const common = {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfterSeconds(headers.get('retry-after'), Date.now()),
  }
  const refusal = refusalIn(text)
  const { code, message, details, retriable = isPassing(status), docUrl = `/errors/${code}`, ...more } = refusal
  if (typeof code !== 'string' || typeof message !== 'string')
    return new TandemError(`The answer has status ${status} and is not one of Tandem's: ${excerpt(text)}`, {
      ...common,
      code: 'unexpected_reply',
      retriable,
    })
  return new TandemError(message, {
    ...common,
    code,
    details,
    retriable,
    docUrl: docUrl.startsWith('/') ? baseUrl + docUrl : docUrl,
    more,
  })
}

/** Seconds a Retry-After header asks for (RFC 9110 §10.2.3: seconds, or a date, as proxies write it); undefined when it says nothing. */
export function retryAfterSeconds(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const atMs = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - nowMs) / 1_000))
}

function refusalIn(text: string): Refusal {
  try {
    const body = JSON.parse(text) as Refusal & { error?: Refusal | string }
    return typeof body.error === 'object' ? body.error : body
  } catch {
    return {}
  }
}

/** A success whose body is not what the endpoint answers. */
export function unexpectedReply({ status, headers }: Response, text: string, cause?: unknown): TandemError {
  return new TandemError(`The answer has status ${status} but not the documented form: ${excerpt(text)}`, {
    code: 'unexpected_reply',
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retriable: false,
    cause,
  })
}

const excerpt = (text: string): string => (text === '' ? '(empty)' : text.slice(0, 200))
