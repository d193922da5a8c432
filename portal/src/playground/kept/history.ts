// History: every request that was sent from this browser, with its answer up to 256 kB (of a stream the newest events), 500 of them
// and 20 MB at most.
// A row fills the editors again; it never sends by itself.

import type { Draft } from '../request/request.ts'
import type { Mode } from './drafts.ts'
import { createFollowed, isEventStream, keptBounds } from './followed.ts'
import { createLadder, isFields, readDraft, scrubDraft } from './records.ts'
import { scrubNamed, scrubText } from './secrets.ts'
import type { Store } from './store.ts'

const MAX_ANSWER_BYTES = 256 * 1024
const MAX_TOTAL_BYTES = 20 * 1024 * 1024
const MAX_ROWS = 500

export type HistoryRow = {
  /** Sorts by time. */
  id: string
  atMs: number
  mode: Mode
  draft: Draft
  /** The path and query that were sent. */
  target: string
  /** Null when no answer came: then `failure` says why. */
  status: number | null
  failure: string | null
  totalMs: number
  /** Bytes of the answer that was kept; 0 when none was. */
  keptBytes: number
  requestId: string | null
}

/** `leftOut` and `isCut` as an answer has them (`sending/send.ts`). */
export type KeptAnswer = { headers: [name: string, value: string][]; body: string; leftOut?: number; isCut?: boolean }

/** An answer as it is kept; undefined for one that is too large, or no text: of its bytes a text would keep nothing. */
export async function keptOf({ body, ...rest }: Omit<KeptAnswer, 'body'> & { body: Blob }) {
  if (body.size > (isEventStream(rest.headers) ? keptBounds.bytes : MAX_ANSWER_BYTES)) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await body.arrayBuffer())
    return answerOf(rest, text)
  } catch {
    return undefined
  }
}

const rows = createLadder([])
const answers = createLadder([])

/** Keeps a row and, when it is small enough, its answer, of a stream as much as is; drops the oldest answers and rows above the bounds. */
export async function keepHistory(
  store: Store,
  entry: Omit<HistoryRow, 'id' | 'keptBytes'>,
  answer: KeptAnswer | undefined,
  secrets: readonly string[],
): Promise<HistoryRow> {
  const kept = answer === undefined ? undefined : endOfStream(scrubAnswer(answer, secrets))
  const bytes = kept === undefined ? 0 : sizeOf(kept)
  const fits = bytes <= MAX_ANSWER_BYTES
  const existing = await listHistory(store)
  const row: HistoryRow = {
    ...entry,
    id: rowId(entry.atMs, existing),
    draft: scrubDraft(entry.draft, secrets),
    target: scrubTarget(entry.target, secrets),
    keptBytes: fits ? bytes : 0,
  }
  const { emptied, dropped } = planDrops([row, ...existing])
  await store.put('history', row.id, rows.pack({ ...row }))
  if (kept !== undefined && fits) await store.put('answers', row.id, answers.pack({ ...kept }))
  await store.remove('answers', [...emptied, ...dropped])
  await store.remove('history', dropped)
  for (const old of existing.filter(each => emptied.includes(each.id))) {
    await store.put('history', old.id, rows.pack({ ...old, keptBytes: 0 }))
  }
  return row
}

/**
 * Which answers and rows go, newest first given. Within 20 MB the requests come before the answers: a row is dropped when
 * it is beyond the 500th or its request does not fit any more, and loses its answer when only that does not fit.
 */
export function planDrops(
  newestFirst: readonly Pick<HistoryRow, 'id' | 'keptBytes' | 'draft'>[],
  bounds = { maxRows: MAX_ROWS, maxBytes: MAX_TOTAL_BYTES },
): { emptied: string[]; dropped: string[] } {
  const dropped: string[] = []
  const emptied: string[] = []
  let total = 0
  for (const [index, { id, keptBytes, draft }] of newestFirst.entries()) {
    const ownBytes = JSON.stringify(draft).length
    if (index >= bounds.maxRows || total + ownBytes > bounds.maxBytes) {
      dropped.push(id)
      continue
    }
    total += ownBytes
    if (total + keptBytes <= bounds.maxBytes) total += keptBytes
    else if (keptBytes > 0) emptied.push(id)
  }
  return { emptied, dropped }
}

function sizeOf({ headers, body }: KeptAnswer): number {
  const ofHeaders = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  return new TextEncoder().encode(body).length + ofHeaders
}

/** Of a stream that is too large, the newest events that are not. */
function endOfStream(answer: KeptAnswer): KeptAnswer {
  if (!isEventStream(answer.headers) || sizeOf(answer) <= MAX_ANSWER_BYTES) return answer
  const bytes = Math.max(0, MAX_ANSWER_BYTES - sizeOf({ ...answer, body: '' }))
  const followed = createFollowed({ ...keptBounds, bytes })
  followed.push(answer.body)
  const { parts, earlier } = followed.kept()
  const leftOut = (answer.leftOut ?? 0) + earlier
  return {
    headers: answer.headers,
    body: parts.map(({ text }) => text).join(''),
    ...(leftOut > 0 && { leftOut }),
    ...(parts.some(part => part.isCut) && { isCut: true }),
  }
}

function answerOf({ headers, leftOut, isCut }: Omit<KeptAnswer, 'body'>, body: string): KeptAnswer {
  return { headers, body, ...(leftOut === undefined ? {} : { leftOut }), ...(isCut === true ? { isCut } : {}) }
}

function scrubAnswer({ headers, body, ...rest }: KeptAnswer, secrets: readonly string[]): KeptAnswer {
  return {
    ...rest,
    headers: headers.map(([name, value]) => [name, scrubNamed(name, value, secrets)]),
    body: scrubText(body, secrets),
  }
}

// Parameters that are secrets by name (token=…) have to be seen one by one.
function scrubTarget(target: string, secrets: readonly string[]): string {
  const [path = '', query] = target.split('?', 2)
  if (query === undefined) return scrubText(path, secrets)
  const pairs = query.split('&').map(pair => {
    const [name = '', value = ''] = pair.split('=', 2)
    return `${name}=${scrubNamed(name, value, secrets)}`
  })
  return `${scrubText(path, secrets)}?${pairs.join('&')}`
}

// Two requests may end in one millisecond.
function rowId(atMs: number, existing: readonly HistoryRow[]): string {
  const base = String(Math.floor(atMs)).padStart(15, '0')
  let count = 0
  const id = () => `${base}-${String(count).padStart(3, '0')}`
  while (existing.some(row => row.id === id())) count++
  return id()
}

/** Newest first. */
export async function listHistory(store: Store): Promise<HistoryRow[]> {
  const stored = await store.list('history')
  return stored.flatMap(([, value]) => readRow(value) ?? []).reverse()
}

function readRow(value: unknown): HistoryRow | undefined {
  const record = rows.unpack(value)
  const draft = readDraft(record?.['draft'])
  if (record === undefined || draft === undefined || typeof record['id'] !== 'string') return undefined
  const { status, failure, requestId, target } = record
  return {
    id: record['id'],
    atMs: Number(record['atMs']) || 0,
    mode: record['mode'] === 'live' ? 'live' : 'test',
    draft,
    target: typeof target === 'string' ? target : draft.path,
    status: typeof status === 'number' ? status : null,
    failure: typeof failure === 'string' ? failure : null,
    totalMs: Number(record['totalMs']) || 0,
    keptBytes: Number(record['keptBytes']) || 0,
    requestId: typeof requestId === 'string' ? requestId : null,
  }
}

/** The answer that was kept with a row, or undefined. */
export async function findAnswer(store: Store, id: string): Promise<KeptAnswer | undefined> {
  const record = answers.unpack(await store.get('answers', id))
  if (record === undefined || typeof record['body'] !== 'string') return undefined
  const headers = Array.isArray(record['headers']) ? record['headers'] : []
  const { leftOut } = record
  return {
    body: record['body'],
    ...(typeof leftOut === 'number' && { leftOut }),
    ...(record['isCut'] === true && { isCut: true }),
    headers: headers.flatMap(pair =>
      Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'string' ? [[pair[0], pair[1]]] : [],
    ),
  }
}

/** Forgets the rows of one mode. */
export async function clearHistory(store: Store, mode: Mode): Promise<void> {
  const all = await store.list('history')
  const gone = all.filter(([, value]) => isFields(value) && value['mode'] === mode).map(([key]) => key)
  await store.remove('history', gone)
  await store.remove('answers', gone)
}
