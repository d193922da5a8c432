// Explains a refusal in place: what the code means on this very endpoint, which fields are wrong, what to do, and how the
// credential's permissions compare with what the endpoint needs.
import type { Endpoint, Problem } from '@tandem/catalog'
import { listText } from '../../words/format.ts'
import { isFields } from '../kept/records.ts'
import { t } from '../texts.ts'
import { readRetryAfter } from './rate_limit.ts'

/** What is known of the credential a request was sent with. */
export type CredentialFacts = {
  /** For people: `key "dev"`, `your login`. */
  label: string
  /** Undefined: not known (a pasted token says nothing about itself). */
  permissions: ReadonlySet<string> | undefined
}

export type Fit = {
  verdict: 'open' | 'allowed' | 'denied' | 'missing' | 'unknown'
  text: string
}

/** Whether a credential will do for an endpoint, and in words why. `credential` undefined: none is sent. */
export function permissionFit(
  endpoint: Pick<Endpoint, 'permission'> | undefined,
  credential: CredentialFacts | undefined,
  mode?: 'live' | 'test',
): Fit {
  if (endpoint === undefined) return { verdict: 'unknown', text: t('fit.unknown') }
  const { level, roles, liveOnly } = endpoint.permission
  if (level === 'public') return { verdict: 'open', text: t('fit.open') }
  const needed = level === 'any credential' ? t('fit.any') : level
  const holders = roles.length === 0 ? '' : ` ${t('fit.roles', { roles: listText(roles) })}`
  if (credential === undefined) return { verdict: 'missing', text: t('fit.missing', { level: needed }) }
  if (credential.permissions === undefined)
    return { verdict: 'unknown', text: `${t('fit.needs', { level: needed })}${holders}` }
  if (liveOnly === true && mode === 'test' && credential.permissions.has(level)) {
    return { verdict: 'denied', text: t('fit.liveOnly') }
  }
  if (level === 'any credential' || credential.permissions.has(level)) {
    return { verdict: 'allowed', text: t('fit.allowed', { level: needed, who: credential.label }) }
  }
  return { verdict: 'denied', text: `${t('fit.denied', { level: needed, who: credential.label })}${holders}` }
}

export type FieldFault = { field: string; code: string; message: string }

export type Explanation = {
  /** The server's code; undefined when the answer has none (a proxy, a page). */
  code: string | undefined
  title: string
  /** What the server said of this request. */
  message: string | undefined
  /** What the code means in general. */
  cause: string | undefined
  fix: string | undefined
  /** `/errors/{code}`. */
  link: string | undefined
  /** False: the endpoint's own reference does not list the code. */
  isDocumented: boolean
  /** Whether the same request may succeed later. */
  retriable: boolean | undefined
  fields: FieldFault[]
  /** For 401 and 403. */
  permission: Fit | undefined
  /** Methods the address takes, for 405. */
  allow: string[] | undefined
  retryAfterSeconds: number | undefined
}

export type ErrorAnswer = {
  status: number
  statusText: string
  headers: readonly (readonly [name: string, value: string])[]
  /** The body as parsed JSON; undefined when it is none. */
  json: unknown
}

export type ExplainContext = {
  endpoint: Endpoint | undefined
  problems: readonly Problem[]
  credential: CredentialFacts | undefined
  nowMs: number
  /** Puts a problem into the language of the portal. */
  say?: (problem: Problem) => Problem
}

/** An explanation of an answer of 400 and above; undefined below. */
export function explain(answer: ErrorAnswer, context: ExplainContext): Explanation | undefined {
  if (answer.status < 400) return undefined
  const { code, message, fields, retriable } = readError(answer.json)
  const own = context.endpoint?.problems.find(problem => problem.code === code)
  const found = own ?? context.problems.find(problem => problem.code === code)
  const known = found && (context.say?.(found) ?? found)
  const allow = answer.headers.find(([name]) => name.toLowerCase() === 'allow')?.[1]
  return {
    code,
    title: known?.title ?? `${answer.status} ${answer.statusText}`.trim(),
    message,
    cause: known?.cause,
    fix: known?.fix ?? generalFix(answer.status),
    link: code === undefined || known === undefined ? undefined : `/errors/${code}`,
    isDocumented: own !== undefined,
    retriable: retriable ?? known?.retriable,
    fields,
    permission:
      isPermissionMatter(answer.status, code) && context.endpoint?.version !== 'oauth'
        ? permissionFit(context.endpoint, context.credential)
        : undefined,
    allow: allow === undefined || allow === '' ? undefined : allow.split(',').map(method => method.trim()),
    retryAfterSeconds: readRetryAfter(answer.headers, context.nowMs),
  }
}

// A 403 may also be about the message (an opted-out recipient), where permissions explain nothing.
function isPermissionMatter(status: number, code: string | undefined): boolean {
  if (status === 401) return code !== 'invalid_credentials'
  return status === 403 && (code === undefined || code.startsWith('insufficient_'))
}

/** The shapes of an error: v1 has the fields at the top, v2 within `error`; in OAuth `error` is the code itself (RFC 6749 §5.2). */
function readError(json: unknown): Pick<Explanation, 'code' | 'message' | 'fields' | 'retriable'> {
  const nothing = { code: undefined, message: undefined, fields: [], retriable: undefined }
  if (!isFields(json)) return nothing
  if (typeof json['error'] === 'string' && json['code'] === undefined) {
    const message = json['error_description']
    return { ...nothing, code: json['error'], message: typeof message === 'string' ? message : undefined }
  }
  const error = isFields(json['error']) ? json['error'] : json
  const { code, message, details, retriable } = error
  return {
    code: typeof code === 'string' ? code : undefined,
    message: typeof message === 'string' ? message : undefined,
    fields: Array.isArray(details) ? details.flatMap(readFault) : [],
    retriable: typeof retriable === 'boolean' ? retriable : undefined,
  }
}

function readFault(value: unknown): FieldFault[] {
  if (!isFields(value)) return []
  const { field, code, message } = value
  if (typeof message !== 'string') return []
  return [{ field: typeof field === 'string' ? field : '', code: typeof code === 'string' ? code : '', message }]
}

function generalFix(status: number): string | undefined {
  if (status === 404) return t('fix.404')
  if (status === 405) return t('fix.405')
  if (status === 413) return t('fix.413')
  if (status >= 500) return t('fix.500')
  return undefined
}

/** Where a fault's field is in the request: a parameter of the query or path, else the body. */
export function placeOfField(field: string, endpoint: Endpoint | undefined): 'path' | 'query' | 'headers' | 'body' {
  const found = endpoint?.parameters.find(parameter => parameter.name === field && parameter.in !== 'body')
  if (found === undefined) return 'body'
  return found.in === 'header' ? 'headers' : (found.in as 'path' | 'query')
}
