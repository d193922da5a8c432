// The record that a request would change or remove: where it can be read, what it is called, and what of it would become
// different. The server is asked with the credential of the request, so that it is the same record.

import type { IndexEntry } from '@tandem/catalog'
import { singularOf } from '@tandem/catalog/plural'
import { matchRequestPath } from '../json/examples.ts'
import { isFields } from '../kept/records.ts'
import { changesRecord } from '../request/careful.ts'
import { type Effective, tokensOf } from '../request/request.ts'
import { t } from '../texts.ts'

type Fields = Record<string, unknown>
type Entry = Pick<IndexEntry, 'method' | 'path'>

type Read = { path: string; isList: boolean }

export type Target = {
  /** The id in the path; empty for what an organization has one of. */
  id: string
  /** What it is, for people: `lead`, `api key`. */
  noun: string
  /** Where the record is read; undefined: nowhere. */
  read: Read | undefined
  /** Where what the body replaces is read, when that is another address. */
  before: string | undefined
}

/** What a request acts on, by its real address; undefined for one that reads, makes something new, or is unknown. */
export function targetOf({ method, url }: Effective, entries: readonly Entry[]): Target | undefined {
  const { pathname } = new URL(url)
  const matched = matchRequestPath(pathname, entries)
  if (matched === undefined || !changesRecord({ method, path: matched.path })) return undefined
  const template = matched.path.split('/')
  const actual = matched.plain.split('/')
  const reads = (path: string) => entries.some(entry => entry.method === 'GET' && entry.path === path)
  const upTo = (count: number) => actual.slice(0, count).join('/')
  /** The list it stands in, or the record that it is a part of, as a secret is of its app. */
  const nearest = (count: number): Read | undefined =>
    count === 0
      ? undefined
      : reads(template.slice(0, count).join('/'))
        ? { path: upTo(count), isList: !template[count - 1]!.startsWith('{') }
        : nearest(count - 1)
  const last = template.findLastIndex(part => part.startsWith('{'))
  const before = reads(matched.path) ? matched.plain : undefined
  if (last === -1) {
    const noun = nounOf(template.at(-1)!)
    return { id: '', noun, read: before === undefined ? undefined : { path: before, isList: false }, before: undefined }
  }
  const record = { id: decodeURIComponent(actual[last]!), noun: nounOf(template[last - 1]!) }
  const own = template.slice(0, last + 1).join('/')
  const other = elsewhere(template[last - 1]!, template[last]!, entries)
  const read = reads(own)
    ? { path: upTo(last + 1), isList: false }
    : other !== undefined
      ? { path: other.replace(template[last]!, actual[last]!), isList: false }
      : nearest(last)
  return { ...record, read, before: before === read?.path ? undefined : before }
}

/** `{callId}` of a participant or of a phone in a browser is read where calls are; `{id}` of a user of v2, where v1 has users. */
function elsewhere(plural: string, token: string, entries: readonly Entry[]): string | undefined {
  const end = token === '{id}' ? `/${plural}/{id}` : `/${token}`
  const found = entries.filter(({ method, path }) => method === 'GET' && path.endsWith(end))
  return found.find(({ path }) => tokensOf(path).length === 1)?.path
}

function nounOf(plural: string): string {
  return singularOf(plural.replaceAll('-', ' '))
}

/** What it is, in the language that was chosen; by the API's own word where there is none of ours. */
export const nounText = (noun: string) => t.of('record', noun.replaceAll(' ', '_')) ?? noun

/** What the server says of a target. */
export type Looked =
  | { kind: 'record'; record: Fields; before: Fields }
  | { kind: 'missing' }
  | { kind: 'unknown'; why: string }

/** @param headers those of the request: its Authorization goes along */
export async function lookUp(target: Target, { headers, url }: Effective, signal: AbortSignal): Promise<Looked> {
  const authorization = headers.find(({ name }) => name.toLowerCase() === 'authorization')?.value
  const get = async (path: string, query = ''): Promise<unknown> => {
    const response = await fetch(new URL(path + query, url), {
      headers: { ...(authorization === undefined ? {} : { authorization }), 'x-tandem-source': 'portal' },
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal,
    })
    if (response.status === 404) return undefined
    const json: unknown = await response.json()
    if (response.ok) return json
    throw new Error(messageOf(json) ?? t('serverAnswered', { status: response.status }))
  }
  if (target.read === undefined) return { kind: 'unknown', why: t('targetUnreadable', { noun: nounText(target.noun) }) }
  try {
    const record = target.read.isList
      ? await findInList(target.read.path, target.id, get)
      : recordOf(await get(target.read.path))
    if (record === undefined) return { kind: 'missing' }
    const before = target.before === undefined ? record : (recordOf(await get(target.before)) ?? {})
    return { kind: 'record', record, before }
  } catch (error) {
    if (signal.aborted) throw error
    return { kind: 'unknown', why: error instanceof Error ? error.message : t('serverNotAsked') }
  }
}

const MAX_PAGES = 10

async function findInList(
  path: string,
  id: string,
  get: (path: string, query: string) => Promise<unknown>,
): Promise<Fields | undefined> {
  let cursor = ''
  for (let page = 0; page < MAX_PAGES; page++) {
    const json = await get(path, `?limit=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`)
    const found = rowsOf(json).find(row => String(Object.values(row)[0]) === id)
    if (found !== undefined) return found
    const pagination = isFields(json) && isFields(json['meta']) ? json['meta']['pagination'] : undefined
    const next = isFields(pagination) ? pagination['nextCursor'] : undefined
    if (typeof next !== 'string') return undefined
    cursor = next
  }
  throw new Error(t('notAmongNewest', { count: 2_000 }))
}

/** The rows of an answer: a page's own, or the list that is all it has. */
function rowsOf(json: unknown): Fields[] {
  const data = isFields(json) ? json['data'] : undefined
  const rows = isFields(data) ? Object.values(data).find(Array.isArray) : data
  return Array.isArray(rows) ? rows.filter(isFields) : []
}

/** The record of an answer: v1 names it beside `success`, v2 has it in `data`. */
function recordOf(json: unknown): Fields | undefined {
  return isFields(json) ? Object.values(json).find(isFields) : undefined
}

function messageOf(json: unknown): string | undefined {
  if (!isFields(json)) return undefined
  const { message, error } = json
  const text = isFields(error) ? error['message'] : message
  return typeof text === 'string' ? text : undefined
}

const names = ['name', 'displayName', 'label', 'number', 'username', 'url', 'recipient', 'email', 'verb']
const facts = [
  'company customer email phone role number recipient scope from to body amount currency due_date status state',
  'payment_state timeZone kind mode lastFour enabled createdAt created_at',
].flatMap(line => line.split(' '))
const MAX_FACTS = 6

/** What a record is called; undefined when it has nothing like a name. */
export function nameOf(record: Fields): string | undefined {
  const key = nameKeyOf(record)
  return key === undefined ? undefined : valueText(record[key])
}

function nameKeyOf(record: Fields): string | undefined {
  // What an invoice is called is its number; a lead has none.
  const order = 'amount' in record ? ['number', ...names] : names
  return order.find(key => typeof record[key] === 'string' && record[key] !== '')
}

/** What distinguishes it from others, besides its name. */
export function factsOf(record: Fields): { term: string; detail: string }[] {
  const shown = facts.filter(key => key !== nameKeyOf(record) && record[key] != null && record[key] !== '')
  return shown.slice(0, MAX_FACTS).map(term => ({ term, detail: valueText(record[term]) }))
}

export type Change = { field: string; from: string; to: string }

/**
 * What the fields of a body make of a record: nested ones by `a.b`; those that stay the same are left out.
 * @param replaces the body takes the place of all there was: what it does not name is gone
 */
export function changesOf(before: Fields, body: string | undefined, replaces: boolean): Change[] {
  let value: unknown
  try {
    value = JSON.parse(body ?? '{}')
  } catch {
    value = undefined
  }
  if (!isFields(value)) return body === undefined ? [] : [{ field: 'body', from: '', to: clipped(body) }]
  const wanted = new Map(leavesOf(value))
  const had = new Map(leavesOf(before))
  const gone = replaces ? [...had].filter(([field, old]) => !wanted.has(field) && old !== null) : []
  return [
    ...[...wanted]
      .filter(([field, next]) => !had.has(field) || JSON.stringify(had.get(field)) !== JSON.stringify(next))
      .map(([field, next]) => ({
        field,
        from: had.has(field) ? shownValue(field, had.get(field)) : '',
        to: shownValue(field, next),
      })),
    ...gone.map(([field, old]) => ({ field, from: shownValue(field, old), to: t('value.leftOut') })),
  ]
}

function leavesOf(fields: Fields, above = ''): [string, unknown][] {
  return Object.entries(fields).flatMap(([name, value]): [string, unknown][] =>
    isFields(value) && Object.keys(value).length > 0
      ? leavesOf(value, `${above}${name}.`)
      : [[`${above}${name}`, value]],
  )
}

function shownValue(field: string, value: unknown): string {
  return /password|secret|token/i.test(field) ? t('value.notShown') : valueText(value)
}

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return t('value.empty')
  if (typeof value === 'string') return clipped(value)
  if (isFields(value)) return nameOf(value) ?? clipped(JSON.stringify(value))
  return clipped(JSON.stringify(value))
}

function clipped(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}
