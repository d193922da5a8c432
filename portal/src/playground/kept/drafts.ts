// Drafts: for each method and path, in each mode, what was last on the screen. Written as one types, without credentials.

import type { Draft } from '../request/request.ts'
import { createLadder, MAX_BODY_CHARS, readDraft, scrubDraft } from './records.ts'
import type { Store } from './store.ts'

export type Mode = 'live' | 'test'
export type DraftPlace = { mode: Mode; method: string; path: string }

const MAX_DRAFTS = 200
const ladder = createLadder([])

function draftKey({ mode, method, path }: DraftPlace): string {
  return `${mode} ${method} ${path}`
}

/** Keeps a draft. One whose body is above 256 kB is not kept: false. */
export async function keepDraft(
  store: Store,
  mode: Mode,
  draft: Draft,
  { nowMs, secrets }: { nowMs: number; secrets: readonly string[] },
): Promise<boolean> {
  if (draft.body.length > MAX_BODY_CHARS) return false
  const key = draftKey({ mode, method: draft.method, path: draft.path })
  await store.put('drafts', key, ladder.pack({ atMs: nowMs, draft: scrubDraft(draft, secrets) }))
  return true
}

const PENDING = 'tandem.playground.draft'

/** Keeps a draft at once, for a page that is being left: the store would not be ready in time. */
export function parkDraft(
  storage: Pick<Storage, 'setItem'>,
  userId: string,
  mode: Mode,
  draft: Draft,
  secrets: readonly string[],
): void {
  if (draft.body.length > MAX_BODY_CHARS) return
  const fields = { userId, mode, draft: scrubDraft(draft, secrets) }
  try {
    storage.setItem(PENDING, JSON.stringify(ladder.pack(fields)))
  } catch {
    // Storage is full or forbidden: the draft of a moment before is in the store.
  }
}

/** Puts a parked draft of this user where it belongs. */
export async function unparkDraft(
  storage: Pick<Storage, 'getItem' | 'removeItem'>,
  store: Store,
  userId: string,
  nowMs: number,
): Promise<void> {
  const text = storage.getItem(PENDING)
  if (text === null) return
  let parked: Record<string, unknown> | undefined
  try {
    parked = ladder.unpack(JSON.parse(text))
  } catch {
    parked = undefined
  }
  const draft = readDraft(parked?.['draft'])
  const mode = parked?.['mode'] === 'live' ? 'live' : 'test'
  if (draft !== undefined && parked?.['userId'] === userId) await keepDraft(store, mode, draft, { nowMs, secrets: [] })
  storage.removeItem(PENDING)
}

/** The draft of a place, or undefined. */
export async function findDraft(store: Store, place: DraftPlace): Promise<Draft | undefined> {
  return readDraft(ladder.unpack(await store.get('drafts', draftKey(place)))?.['draft'])
}

export function forgetDraft(store: Store, place: DraftPlace): Promise<void> {
  return store.remove('drafts', [draftKey(place)])
}

/** The draft that was written last in a mode: where to go on. */
export async function latestDraft(store: Store, mode: Mode): Promise<Draft | undefined> {
  const newest = (await datedDrafts(store)).find(({ key }) => key.startsWith(`${mode} `))
  return newest === undefined ? undefined : readDraft(newest.draft)
}

/** Drops the oldest drafts above 200. */
export async function trimDrafts(store: Store): Promise<void> {
  const old = (await datedDrafts(store)).slice(MAX_DRAFTS)
  await store.remove(
    'drafts',
    old.map(({ key }) => key),
  )
}

/** Newest first; those of a newer portal are left alone. */
async function datedDrafts(store: Store): Promise<{ key: string; atMs: number; draft: unknown }[]> {
  const stored = await store.list('drafts')
  return stored
    .flatMap(([key, value]) => {
      const record = ladder.unpack(value)
      return record === undefined ? [] : [{ key, atMs: Number(record['atMs']) || 0, draft: record['draft'] }]
    })
    .sort((a, b) => b.atMs - a.atMs)
}
