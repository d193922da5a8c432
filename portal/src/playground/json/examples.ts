// Requests to begin with: from an endpoint's sample, from a pasted cURL command, from a logged request.
import {
  type Endpoint,
  type Field,
  formText,
  formType,
  type IndexEntry,
  type JsonSchema,
  type RequestValue,
} from '@tandem/catalog'
import { type CredentialRef, type Draft, type Row, tokensOf } from '../request/request.ts'
import { typesOf } from './json_schema_lint.ts'
import { t } from './texts.ts'

/** The draft of an endpoint before anything was written: its sample, with a row for each documented query parameter. */
export function draftOf(endpoint: Endpoint, credential: CredentialRef): Draft {
  const { method, path, parameters } = endpoint
  const required = (field: Field) => field.in === 'header' && field.required
  return {
    method,
    path,
    pathValues: tokensOf(path).map(name => ({ name, value: exampleText(fieldNamed(parameters, 'path', name)) })),
    query: parameters.filter(field => field.in === 'query' && field.required).map(rowOf),
    headers: [...typeHeaders(endpoint), ...parameters.filter(required).map(rowOf)],
    body: endpoint.fileBody?.example ?? (endpoint.bodyExample === null ? '' : bodyText(endpoint, endpoint.bodyExample)),
    credential,
  }
}

/** A file and a form say what they are; everything else is JSON. */
function typeHeaders({ fileBody, isForm }: Endpoint): Row[] {
  const value = isForm ? formType : fileBody?.contentType
  return value === undefined ? [] : [{ name: 'Content-Type', value, enabled: true }]
}

function bodyText({ isForm }: Endpoint, value: unknown): string {
  return isForm ? formText(value) : JSON.stringify(value, null, 2)
}

function fieldNamed(fields: readonly Field[], place: Field['in'], name: string): Field | undefined {
  return fields.find(field => field.in === place && field.name === name)
}

function rowOf(field: Field): Row {
  return { name: field.name, value: exampleText(field), enabled: true }
}

function exampleText(field: Field | undefined): string {
  const value = field?.example ?? field?.default
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The draft of a path and method that the catalog does not have. */
export function undocumentedDraft(method: string, path: string, credential: CredentialRef): Draft {
  const pathValues = tokensOf(path).map(name => ({ name, value: '' }))
  return { method, path, pathValues, query: [], headers: [], body: '', credential }
}

export type BodyExample = { name: string; text: string }

/** Bodies to choose from: the sample of the reference, the least the server takes, and every field there is. */
export function bodyExamples(endpoint: Endpoint | undefined): BodyExample[] {
  const schema = endpoint?.bodySchema
  if (endpoint === undefined || schema == null) return []
  const text = (value: unknown) => bodyText(endpoint, value)
  const examples = [
    ...(endpoint.bodyExample === null ? [] : [{ name: t('example.sample'), text: text(endpoint.bodyExample) }]),
    { name: t('example.required'), text: text(skeleton(schema, endpoint.bodyExample, true)) },
    { name: t('example.every'), text: text(skeleton(schema, endpoint.bodyExample, false)) },
  ]
  return examples.filter((each, index) => examples.findIndex(other => other.text === each.text) === index)
}

/** A value of a schema, with the values of `sample` where it has some. */
function skeleton(schema: JsonSchema, sample: unknown, requiredOnly: boolean): unknown {
  const form = (schema.anyOf ?? schema.oneOf)?.find(each => each.type !== 'null') ?? schema
  if (form.properties !== undefined) {
    const given = typeof sample === 'object' && sample !== null ? (sample as Record<string, unknown>) : {}
    const names = Object.keys(form.properties).filter(name => !requiredOnly || form.required?.includes(name))
    return Object.fromEntries(names.map(name => [name, skeleton(form.properties![name]!, given[name], requiredOnly)]))
  }
  if (sample !== undefined) return sample
  if (form.const !== undefined) return form.const
  if (form.default !== undefined) return form.default
  if (form.examples?.[0] !== undefined) return form.examples[0]
  if (form.enum !== undefined) return form.enum[0]
  const type = typesOf(form)[0]
  if (type === 'integer' || type === 'number') return form.minimum ?? 1
  if (type === 'boolean') return false
  if (type === 'array') return form.items === undefined ? [] : [skeleton(form.items, undefined, requiredOnly)]
  if (type === 'object') return {}
  return formatSamples[form.format ?? ''] ?? ''
}

const formatSamples: Record<string, string> = {
  phone: '+15005550100',
  email: 'ada@example.com',
  date: '2027-01-31',
  'date-time': '2027-01-31T09:00:00Z',
  moment: '2027-01-31T09:00:00Z',
  url: 'https://example.com/hook',
  uri: 'https://example.com/hook',
}

export type Matched = { path: string; values: { name: string; value: string }[] }

/** The catalog's path that a plain path is one of: `/v2/messages/msg_1` is `/v2/messages/{messageId}`. */
export function matchPath(path: string, entries: readonly Pick<IndexEntry, 'path'>[]): Matched | undefined {
  const parts = path.replace(/\/+$/, '').split('/')
  const found = entries
    .filter(entry => entry.path.split('/').length === parts.length)
    // The server reads escaped words like plain ones.
    .filter(entry =>
      entry.path.split('/').every((part, index) => part.startsWith('{') || part === decode(parts[index]!)),
    )
    // A word beats a token: /invoices/number-audit is not an invoice.
    .sort((a, b) => tokensOf(a.path).length - tokensOf(b.path).length)[0]
  if (found === undefined) return undefined
  const values = found.path
    .split('/')
    .flatMap((part, index) => (part.startsWith('{') ? [{ name: part.slice(1, -1), value: decode(parts[index]!) }] : []))
  return { path: found.path, values }
}

/** As `matchPath`, for any spelling of an address that the server takes; `plain` is the spelling of the catalog. */
export function matchRequestPath(
  path: string,
  entries: readonly Pick<IndexEntry, 'path'>[],
): (Matched & { plain: string }) | undefined {
  const plain = canonical(path).replace(/\/+$/, '')
  const matched = matchPath(plain, entries)
  return matched && { ...matched, plain }
}

/** Other spellings of the v1 address, as the server's router takes them. */
function canonical(path: string): string {
  if (path.startsWith('/api/v1/')) return `/v1/api/${path.slice(8)}`
  return path.startsWith('/api/') ? `/v1${path}` : path
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export type Taken = {
  draft: Draft
  /** The bearer token it came with: for the vault, never for the draft. */
  token: string | undefined
  /** Another server's address, which was replaced by this one's. */
  otherOrigin: string | undefined
}

/** A request value (of a pasted command) as a draft. The address is read as one of this server. */
export function draftFromRequest(
  request: RequestValue,
  { entries, origin, credential }: { entries: readonly IndexEntry[]; origin: string; credential: CredentialRef },
): Taken {
  const url = new URL(request.url, origin)
  const path = canonical(url.pathname)
  const matched = matchPath(path, entries)
  const bearer = request.headers.find(
    ([name, value]) => name.toLowerCase() === 'authorization' && /^bearer\s/i.test(value),
  )
  const token = bearer?.[1].replace(/^bearer\s+/i, '').trim()
  const isReal = token !== undefined && !/^\$|^\{\{|^<|^YOUR/i.test(token)
  const headers = request.headers.filter(pair => pair !== bearer && !isOwn(pair))
  return {
    draft: {
      method: request.method.toUpperCase(),
      path: matched?.path ?? path,
      pathValues: matched?.values ?? [],
      query: readQuery(url.search),
      headers: headers.map(([name, value]) => ({ name, value, enabled: true })),
      body: request.body ?? '',
      credential: isReal ? { kind: 'pasted' } : credential,
    },
    token: isReal ? token : undefined,
    otherOrigin: url.origin === origin ? undefined : url.origin,
  }
}

// The Playground adds this one itself, and browsers say the other.
function isOwn([name, value]: readonly [string, string]): boolean {
  const lower = name.toLowerCase()
  return (
    (lower === 'content-type' && value.toLowerCase() === 'application/json') || (lower === 'accept' && value === '*/*')
  )
}

function readQuery(search: string): Row[] {
  const text = search.replace(/^\?/, '')
  if (text === '') return []
  return text.split('&').map(pair => {
    const at = pair.indexOf('=')
    const [name, value] = at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
    return { name: decode(name.replaceAll('+', ' ')), value: decode(value.replaceAll('+', ' ')), enabled: true }
  })
}

/** What the request log says about a request. */
export type LoggedRequest = {
  method: string
  path: string
  query?: string | null
  requestHeaders?: Readonly<Record<string, string>> | null
  requestBody?: string | null
}

/** A logged request as a draft: what the log left out stays out. */
export function draftFromLog(
  logged: LoggedRequest,
  { entries, credential }: { entries: readonly IndexEntry[]; credential: CredentialRef },
): Draft {
  const origin = 'http://log.invalid'
  const query = logged.query == null || logged.query === '' ? '' : `?${logged.query.replace(/^\?/, '')}`
  // What the browser writes itself would only be flagged.
  const headers = Object.entries(logged.requestHeaders ?? {}).filter(
    ([name]) => !['user-agent', 'accept', 'authorization'].includes(name.toLowerCase()),
  )
  const body = logged.requestBody == null ? {} : { body: indented(logged.requestBody) }
  const request: RequestValue = { method: logged.method, url: `${origin}${logged.path}${query}`, headers, ...body }
  return draftFromRequest(request, { entries, origin, credential }).draft
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
