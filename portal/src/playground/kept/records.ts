// The forms in which requests are kept and shared, and the way from any older form to the present one. Everything that
// comes back from storage or from a link is checked field by field: it may be old, cut off, or written by somebody else.
import { type CredentialRef, type Draft, type Row, tokensOf } from '../request/request.ts'
import { scrubNamed, scrubText } from './secrets.ts'

export const MAX_BODY_CHARS = 256 * 1024
const MAX_ROWS = 100
const MAX_TEXT = 8 * 1024

type Fields = Record<string, unknown>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Turns a record of schema n (place n-1 in the list) into one of schema n+1. */
export type Step = (record: Fields) => Fields

export type Ladder = {
  /** The schema that is written now. */
  current: number
  /** A record as it is stored. */
  pack(fields: Fields): Fields
  /** A stored record in the present form; undefined when it is newer than this portal, or no record at all. */
  unpack(stored: unknown): Fields | undefined
}

/** Records carry the number of their schema; older ones climb up step by step, newer ones are left alone. */
export function createLadder(steps: readonly Step[]): Ladder {
  const current = steps.length + 1
  return {
    current,
    pack: fields => ({ ...fields, schema: current }),
    unpack(stored) {
      if (!isFields(stored)) return undefined
      const schema = stored['schema']
      if (typeof schema !== 'number' || !Number.isInteger(schema) || schema < 1 || schema > current) return undefined
      try {
        return steps.slice(schema - 1).reduce((record, step) => step(record), stored)
      } catch {
        return undefined
      }
    },
  }
}

/** A draft from something unknown; undefined when it has no method and path. What is not of its form is left out. */
export function readDraft(value: unknown): Draft | undefined {
  if (!isFields(value)) return undefined
  const { method, path } = value
  if (typeof method !== 'string' || !/^[A-Za-z]{1,20}$/.test(method)) return undefined
  if (typeof path !== 'string' || !path.startsWith('/') || path.length > MAX_TEXT) return undefined
  const body = value['body']
  return {
    method: method.toUpperCase(),
    path,
    pathValues: readPathValues(value['pathValues'], path),
    query: readRows(value['query']),
    headers: readRows(value['headers']),
    body: typeof body === 'string' && body.length <= MAX_BODY_CHARS ? body : '',
    credential: readCredentialRef(value['credential']),
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_TEXT) : ''
}

function readPathValues(value: unknown, path: string): Draft['pathValues'] {
  const given = Array.isArray(value) ? value.filter(isFields) : []
  return tokensOf(path).map(name => ({ name, value: text(given.find(item => item['name'] === name)?.['value']) }))
}

function readRows(value: unknown): Row[] {
  if (!Array.isArray(value)) return []
  return value
    .filter(isFields)
    .slice(0, MAX_ROWS)
    .map(row => ({ name: text(row['name']), value: text(row['value']), enabled: row['enabled'] !== false }))
}

function readCredentialRef(value: unknown): CredentialRef {
  if (!isFields(value)) return { kind: 'none' }
  const { kind, keyId } = value
  if (kind === 'login' || kind === 'oauth' || kind === 'pasted') return { kind }
  if (kind === 'key' && typeof keyId === 'string' && /^[\w-]{1,64}$/.test(keyId)) return { kind, keyId }
  return { kind: 'none' }
}

/** The draft without anything that looks like a credential, fit to be kept. `known` are secrets the page holds. */
export function scrubDraft(draft: Draft, known: readonly string[]): Draft {
  const row = (each: Row): Row => ({
    ...each,
    name: scrubText(each.name, known),
    value: scrubNamed(each.name, each.value, known),
  })
  return {
    ...draft,
    path: scrubText(draft.path, known),
    pathValues: draft.pathValues.map(({ name, value }) => ({ name, value: scrubText(value, known) })),
    query: draft.query.map(row),
    headers: draft.headers.map(row),
    body: scrubText(draft.body, known),
  }
}
