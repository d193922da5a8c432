// The one value a request is. The editors write it; the preview, the sender and every code sample read what
// `effectiveRequest` makes of it, so that what is shown is what is sent.
import type { RequestValue } from '@tandem/catalog'
import { t } from '../texts.ts'
import { isToken, whyMethodNotSent, whyNotSent } from './browser_headers.ts'
import { fillForm, isForm } from './form.ts'
import type { Row } from './row.ts'
import { fill, fillJson, type Lookup } from './variables.ts'

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export type { Row }

/** Which credential a request uses; never the credential itself. */
export type CredentialRef =
  | { kind: 'none' }
  | { kind: 'login' }
  | { kind: 'oauth' }
  | { kind: 'pasted' }
  | { kind: 'key'; keyId: string }

export type Draft = {
  /** Upper case; the five of `methods`, or another that was pasted. */
  method: string
  /** Path with `{name}` tokens: `/v2/messages/{messageId}`. */
  path: string
  /** A value for each token of the path. */
  pathValues: readonly { name: string; value: string }[]
  query: readonly Row[]
  headers: readonly Row[]
  /** Empty: no body. */
  body: string
  credential: CredentialRef
}

export const emptyDraft: Draft = {
  method: 'GET',
  path: '/',
  pathValues: [],
  query: [],
  headers: [],
  body: '',
  credential: { kind: 'none' },
}

export type EffectiveHeader = { name: string; value: string; origin: 'you' | 'credential' | 'Playground' }
export type Place = 'method' | 'path' | 'query' | 'headers' | 'body' | 'credential'
export type Note = {
  /** `error`: the request cannot be sent as it is. */
  level: 'error' | 'warning'
  where: Place
  message: string
  /** The row or token it is about. */
  name?: string
  /** The unknown variable it is about. */
  variable?: string
}

export type Effective = {
  method: string
  /** Absolute. */
  url: string
  headers: readonly EffectiveHeader[]
  /** What was written but will not be sent, with the reason. */
  dropped: readonly { name: string; value: string; why: string }[]
  /** Undefined: no body. Sent as UTF-8. */
  body: string | undefined
  /** Sent as it is, in place of a body of text. */
  file?: File
  notes: readonly Note[]
}

export type Surroundings = {
  /** Scheme, host and port of the server: `http://127.0.0.1:3000`. */
  origin: string
  lookup: Lookup
  /** The token to authorize with; undefined: none, or none yet. */
  token: string | undefined
  /** Chosen in place of the text of the body. */
  file?: File | undefined
  /** Sends `{{name}}` as written where the name is unknown. */
  literalVariables?: boolean
}

/** The names of the `{…}` tokens of a path, in order; `{{…}}` is a variable and no token. */
export function tokensOf(path: string): string[] {
  return Array.from(path.matchAll(/(?<!\{)\{([A-Za-z_]\w*)\}(?!\})/g), match => match[1]!)
}

/** What fetch is given for a draft: nothing else decides it. Pure; never throws. */
export function effectiveRequest(draft: Draft, surroundings: Surroundings): Effective {
  const notes: Note[] = []
  const method = effectiveMethod(draft.method, notes)
  const filler = (where: Place) => fillerFor(where, surroundings, notes)
  const url = effectiveUrl(draft, surroundings.origin, notes, filler)
  const file = takesNoBody(method) ? undefined : surroundings.file
  const body = effectiveBody(file === undefined ? draft.body : '', draft, method, notes, filler('body'))
  const { headers, dropped } = effectiveHeaders(draft, surroundings, body, notes, filler('headers'))
  return { method, url, headers, dropped, body, ...(file === undefined ? {} : { file }), notes }
}

const takesNoBody = (method: string) => method === 'GET' || method === 'HEAD'

type Fill = (text: string, read?: typeof fill) => string

function fillerFor(where: Place, { lookup, literalVariables }: Surroundings, notes: Note[]): Fill {
  return (text, read = fill) => {
    const missing = new Set<string>()
    const filled = read(text, lookup, missing)
    for (const variable of missing) {
      if (literalVariables === true) continue
      if (notes.some(note => note.where === where && note.variable === variable)) continue
      notes.push({ level: 'error', where, variable, message: t('hasNoValueText', { name: `{{${variable}}}` }) })
    }
    return filled
  }
}

function effectiveMethod(text: string, notes: Note[]): string {
  // Fetch puts only some methods in upper case; `patch` would go out as written and be refused.
  const method = text.trim().toUpperCase()
  const why = isToken(method)
    ? whyMethodNotSent(method)
    : text === ''
      ? t('methodEmpty')
      : t('methodNone', { method: text })
  if (why !== undefined) notes.push({ level: 'error', where: 'method', message: why })
  return method
}

function effectiveUrl(draft: Draft, origin: string, notes: Note[], filler: (where: Place) => Fill): string {
  const fillPath = filler('path')
  const values = new Map(draft.pathValues.map(({ name, value }) => [name, value]))
  const template = draft.path.trim().replace(/^(?!\/)/, '/')
  const pieces = template.split(/(?<!\{)(\{[A-Za-z_]\w*\})(?!\})/)
  const path = pieces
    .map((piece, index) => {
      if (index % 2 === 0) return encodePath(fillPath(piece))
      const name = piece.slice(1, -1)
      const value = fillPath(values.get(name) ?? '')
      if (value === '') notes.push({ level: 'error', where: 'path', name, message: t('hasNoValueText', { name }) })
      if (value === '.' || value === '..') {
        const message = t('pathStep', { name, value })
        notes.push({ level: 'error', where: 'path', name, message })
      }
      return encodePart(value)
    })
    .join('')
  const fillQuery = filler('query')
  const pairs: string[] = []
  for (const row of draft.query) {
    if (!row.enabled || (row.name === '' && row.value === '')) continue
    const name = fillQuery(row.name)
    if (name === '') notes.push({ level: 'error', where: 'query', message: t('queryNoName') })
    pairs.push(`${encodePart(name)}=${encodePart(fillQuery(row.value))}`)
  }
  const query = pairs.length === 0 ? '' : `?${pairs.join('&')}`
  return absolute(origin, path, query, notes)
}

function absolute(origin: string, path: string, query: string, notes: Note[]): string {
  const url = new URL(origin)
  url.pathname = path
  url.search = query
  const steps = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(path)
  if (steps && url.pathname !== path) {
    notes.push({ level: 'warning', where: 'path', message: t('pathResolved') })
  }
  return url.href
}

/** RFC 3986 §2.3: everything but unreserved characters and a few harmless ones, as `encodeURIComponent` does. */
function encodePart(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27')
}

// The path of a template is written by hand: `/` and escapes already there are kept, `?` and `#` would end it.
function encodePath(text: string): string {
  return encodeURI(text.toWellFormed())
    .replaceAll(/%25([\da-fA-F]{2})/g, '%$1')
    .replaceAll('?', '%3F')
    .replaceAll('#', '%23')
    .replaceAll("'", '%27')
}

function effectiveBody(
  text: string,
  { headers }: Draft,
  method: string,
  notes: Note[],
  fillBody: Fill,
): string | undefined {
  if (text.trim() === '') return undefined
  if (takesNoBody(method)) {
    const message = t('noBodyFor', { method })
    notes.push({ level: 'warning', where: 'body', message })
    return undefined
  }
  return fillBody(text, isForm(headers) ? fillForm : fillJson).toWellFormed()
}

function effectiveHeaders(
  draft: Draft,
  { token }: Surroundings,
  body: string | undefined,
  notes: Note[],
  fillHeader: Fill,
): Pick<Effective, 'headers' | 'dropped'> {
  const headers: EffectiveHeader[] = []
  const dropped: Effective['dropped'][number][] = []
  for (const row of draft.headers) {
    if (!row.enabled || (row.name === '' && row.value === '')) continue
    const name = fillHeader(row.name).trim()
    const value = trimHttp(fillHeader(row.value))
    const wrong = headerFault(name, value)
    if (wrong !== undefined) {
      notes.push({ level: 'error', where: 'headers', name, message: wrong })
      continue
    }
    const why = whyNotSent(name, value)
    if (why !== undefined) dropped.push({ name, value, why })
    else addHeader(headers, { name, value, origin: 'you' })
  }
  const has = (name: string) => headers.some(header => header.name.toLowerCase() === name)
  if (token !== undefined && token !== '') {
    if (isProtocol(draft.path)) dropped.push({ name: 'Authorization', value: 'Bearer …', why: t('notForProtocol') })
    else addCredential(headers, dropped, token, has('authorization'), notes)
  }
  if (body !== undefined && !has('content-type')) {
    headers.push({ name: 'Content-Type', value: 'application/json', origin: 'Playground' })
  }
  return { headers, dropped }
}

/** Whether a path is of the authorization server: it asks clients who they are, and takes no key and no token of anybody. */
export function isProtocol(path: string): boolean {
  return path.startsWith('/oauth/')
}

function addCredential(
  headers: EffectiveHeader[],
  dropped: { name: string; value: string; why: string }[],
  token: string,
  written: boolean,
  notes: Note[],
): void {
  const value = `Bearer ${token}`
  if (headerFault('Authorization', value) !== undefined || /\s/.test(token)) {
    notes.push({
      level: 'error',
      where: 'credential',
      message: t('tokenRule'),
    })
  } else if (written) {
    // The value is left out: this list is shown, and the credential is not to be.
    dropped.push({
      name: 'Authorization',
      value: 'Bearer …',
      why: t('ownAuthorization'),
    })
  } else headers.push({ name: 'Authorization', value, origin: 'credential' })
}

/** A browser sends one line for each name: values given twice are joined (Fetch §2.2.2 "combine"). */
function addHeader(headers: EffectiveHeader[], header: EffectiveHeader): void {
  const index = headers.findIndex(item => item.name.toLowerCase() === header.name.toLowerCase())
  if (index === -1) headers.push(header)
  else headers[index] = { ...headers[index]!, value: trimHttp(`${headers[index]!.value}, ${header.value}`) }
}

function headerFault(name: string, value: string): string | undefined {
  if (name === '') return t('headerNoName')
  if (!isToken(name)) return t('headerName', { name })
  // Browsers would send Latin-1 and a shell UTF-8: two different requests (RFC 9110 §5.5 advises ASCII).
  if (!/^[\t\x20-\x7e]*$/.test(value)) return t('headerAscii', { name })
  return undefined
}

function trimHttp(value: string): string {
  return value.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')
}

/** The request as `@tandem/catalog` turns it into cURL and code. Holds the credential: hide it with a token variable. */
export function requestValue({ method, url, headers, body, file }: Effective): RequestValue {
  const list = headers.map(({ name, value }): [string, string] => [name, value])
  const sent = { ...(body === undefined ? {} : { body }), ...(file === undefined ? {} : { file: file.name }) }
  return { method, url, headers: list, ...sent }
}

/** The request as HTTP/1.1 text, for reading: what the browser adds by itself is left out. */
export function httpText({ method, url, headers, body, file }: Effective, withSecret: boolean): string {
  const { host, pathname, search } = new URL(url)
  const lines = headers.map(({ name, value }) => {
    const isSecret = !withSecret && name.toLowerCase() === 'authorization'
    return `${name}: ${isSecret ? value.replace(/^(Bearer )?.*$/i, '$1$API_KEY') : value}`
  })
  return [
    `${method} ${pathname}${search} HTTP/1.1`,
    `Host: ${host}`,
    ...lines,
    '',
    ...(body === undefined ? [] : [body]),
    ...(file === undefined ? [] : [`<${file.name}>`]),
  ].join('\n')
}

/** Whether the request can go out as it is. */
export function isSendable(effective: Effective): boolean {
  return !effective.notes.some(note => note.level === 'error')
}

/** Whether nothing but unknown variables is in the way. */
export function onlyVariablesMissing(effective: Effective): boolean {
  const errors = effective.notes.filter(note => note.level === 'error')
  return errors.length > 0 && errors.every(note => note.variable !== undefined)
}
