// What is kept of a request beside its row in the log: some headers, its body, and the answer when it was a refusal.
// Redacted and cut before it leaves this file; nothing here runs for requests of which nothing is kept.
import type { Endpoint } from '../endpoint/endpoint.ts'
import { mentionsSecrets, redacted, redactJson, redactText } from '../values/redact.ts'

export const requestSources = ['api', 'playground', 'portal'] as const
export type RequestSource = (typeof requestSources)[number]

export type RequestDetail = {
  headers: Record<string, string>
  /** JSON as text, possibly cut. */
  body: string | null
  /** Of refusals only. */
  response: string | null
  /** Why something is missing or cut: whole sentences. */
  note: string | null
}

/** Headers that say how a request was meant. None that could hold a credential is ever kept. */
const keptHeaders = ['content-type', 'accept', 'idempotency-key', 'if-match', 'user-agent']
const maxHeaderLength = 500
export const maxKeptBytes = 8 * 1024
/** What is longer is not read through for its secrets, and so not kept. */
const maxReadBytes = 64 * 1024

type Headers = Record<string, string | string[] | undefined>

/** Where a request comes from. Browsers set Sec-Fetch-Site and let no page change it; others may say what they like. */
export function sourceOf(headers: Headers): RequestSource {
  if (headers['sec-fetch-site'] !== 'same-origin') return 'api'
  return headers['x-tandem-source'] === 'portal' ? 'portal' : 'playground'
}

/**
 * Whether headers and body of a request are kept. Refusals are, but those beyond the rate limit: a flood must stay cheap.
 * Of successes, those of the Playground are, and those the endpoint does not keep for refusals (`logBody`), but not what
 * the portal reads for its own screens. Nothing is kept where an endpoint says so.
 */
export function keepsDetail(
  endpoint: Endpoint | undefined,
  { status, source, method }: { status: number; source: RequestSource; method: string },
): boolean {
  if (status === 429 || endpoint?.logBody === 'never') return false
  if (status >= 400 || source === 'playground') return true
  if (endpoint?.logBody === 'refusals') return false
  return source === 'api' || (method !== 'GET' && method !== 'HEAD')
}

export type DetailInput = {
  status: number
  headers: Headers
  /** The body as it arrived; undefined when there was none, or it was not read. */
  body: Uint8Array | undefined
  /** The answer's body. */
  response: string | undefined
}

/** Makes what is kept of one request. */
export function requestDetail({ status, headers, body, response }: DetailInput): RequestDetail {
  const notes: string[] = []
  const announced = Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined
  if (body === undefined && announced) notes.push('The request was answered before its body was read.')
  const kept = body === undefined ? { text: null, spills: false } : bodyText(body, notes)
  const answered = status >= 400 && response !== undefined && !kept.spills
  return {
    headers: headersOf(headers),
    body: kept.text === null ? null : cut(kept.text, 'request body', notes),
    response: answered ? cut(answerText(response), 'answer', notes) : null,
    note: notes.length === 0 ? null : notes.join(' '),
  }
}

/** The body as it may be kept, and whether an answer to it could quote a secret of it. */
function bodyText(body: Uint8Array, notes: string[]): { text: string | null; spills: boolean } {
  if (body.length > maxReadBytes) {
    notes.push(`The request body had ${body.length} bytes: neither it nor the answer is kept.`)
    return { text: null, spills: true }
  }
  const text = new TextDecoder().decode(body)
  const parsed = withoutSecrets(text)
  if (parsed !== undefined) return { text: parsed, spills: false }
  if (mentionsSecrets(text)) {
    // An answer to JSON that does not parse quotes a piece of it.
    notes.push('The body is not valid JSON and speaks of secrets: it is not kept, nor the answer that quotes it.')
    return { text: null, spills: true }
  }
  // PostgreSQL's text holds no NUL.
  return { text: redactText(text).replaceAll('\0', '\ufffd'), spills: false }
}

function headersOf(headers: Headers): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of keptHeaders) {
    const value = headers[name]
    if (value !== undefined) kept[name] = redactText(String(value)).slice(0, maxHeaderLength)
  }
  return kept
}

/** JSON without its secrets; undefined when it is not JSON, or nested too deep to be walked. */
function withoutSecrets(text: string): string | undefined {
  try {
    return redactJson(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Answers are ours: those too long to be walked name faults, and values of secret fields in none of them. */
function answerText(response: string): string {
  if (response.length > maxReadBytes) return redactText(response.slice(0, maxReadBytes))
  return withoutSecrets(response) ?? redacted
}

/** At most `maxKeptBytes` of UTF-8, ending at a whole character. */
function cut(text: string, what: string, notes: string[]): string {
  const bytes = Buffer.byteLength(text)
  if (bytes <= maxKeptBytes) return text
  notes.push(`The ${what} had ${bytes} bytes; the first ${maxKeptBytes} are kept.`)
  const head = Buffer.from(text)
  let end = maxKeptBytes
  while (((head[end] as number) & 0xc0) === 0x80) end--
  return head.toString('utf8', 0, end)
}
