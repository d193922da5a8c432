// What live mode leaves for the person to write. An example names records by ids that may be somebody's, and says what to
// do to them: with live data neither is ever filled in, wherever the request comes from. Pure.
import type { Endpoint } from '@tandem/catalog'
import { listText } from '../../words/format.ts'
import { t } from '../texts.ts'
import { type Draft, type Effective, tokensOf } from './request.ts'

export function isReading(method: string): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(method)
}

/** Whether a request acts on a record that is there already, or on the organization itself, rather than making a new one. */
export function changesRecord({ method, path }: Pick<Draft, 'method' | 'path'>): boolean {
  return !isReading(method) && (method !== 'POST' || tokensOf(path).length > 0)
}

/** The example of an endpoint without ids of records, and without a body that would change one. */
export function carefulExample(example: Draft): Draft {
  return {
    ...example,
    pathValues: example.pathValues.map(({ name }) => ({ name, value: '' })),
    query: example.query.map(row => (isRecordId(row.name, row.value) ? { ...row, value: '' } : row)),
    body: changesRecord(example) ? '' : bodyWithoutIds(example.body),
  }
}

/** A draft without what it has from the example of its endpoint: kept ones may have been begun with other data. */
export function withoutExample(draft: Draft, example: Draft): Draft {
  const careful = carefulExample(example)
  const pathValues = draft.pathValues.map(({ name, value }) => {
    const isExample = example.pathValues.some(other => other.name === name && other.value === value)
    return { name, value: isExample ? '' : value }
  })
  return { ...draft, pathValues, body: draft.body === example.body ? careful.body : draft.body }
}

/** What a request brought along and the person has not asked for yet. */
export type Withheld = Pick<Draft, 'pathValues' | 'body'>

/**
 * A request from a link, a log, a command or a list, for live data: what would say to which record something is done, and
 * what, is handed out apart. Requests that read are left whole.
 */
export function withhold(draft: Draft): { draft: Draft; withheld: Withheld | undefined } {
  const pathValues = draft.pathValues.filter(({ value }) => value !== '')
  if (isReading(draft.method) || (pathValues.length === 0 && draft.body === '')) return { draft, withheld: undefined }
  const empty = draft.pathValues.map(({ name }) => ({ name, value: '' }))
  return { draft: { ...draft, pathValues: empty, body: '' }, withheld: { pathValues, body: draft.body } }
}

/** What is withheld, in words: `id 17 and the body`. */
export function withheldText({ pathValues, body }: Withheld): string {
  const parts = pathValues.map(({ name, value }) => `${name} ${value}`)
  return listText([...parts, ...(body === '' ? [] : [t('theBody')])])
}

/** Whether an endpoint changes a record by what is written in its body, and takes none that is empty. */
export function needsBody(endpoint: Pick<Endpoint, 'method' | 'path' | 'bodySchema'> | undefined): boolean {
  if (endpoint?.bodySchema == null || !changesRecord(endpoint)) return false
  const { anyOf, oneOf, required = [] } = endpoint.bodySchema
  return endpoint.method !== 'POST' || required.length > 0 || anyOf !== undefined || oneOf !== undefined
}

/** The request with a note, an error, when it has no body. */
export function notedWhenEmpty(effective: Effective): Effective {
  if (effective.body !== undefined) return effective
  const message = t('bodyEmpty')
  return { ...effective, notes: [...effective.notes, { level: 'error', where: 'body', message }] }
}

/** `lead_id: 17`, `messageId: msg_…`, `lead:17`. */
function isRecordId(name: string, value: unknown): boolean {
  if (typeof value === 'string' && /^(?:[a-z]{2,6}_[0-9a-z]{26}|[a-z]+:\d+)$/.test(value)) return true
  return /(?:^id|Id|_id)$/.test(name) && /^\d+$/.test(String(value))
}

function bodyWithoutIds(body: string): string {
  try {
    return JSON.stringify(withoutIds(JSON.parse(body)), null, 2)
  } catch {
    return body
  }
}

function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter(item => !isRecordId('', item)).map(withoutIds)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name, inner]) => !isRecordId(name, inner))
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutIds(inner)]))
}
