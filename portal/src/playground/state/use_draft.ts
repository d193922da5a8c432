// The request on the screen: which endpoint and method it is for, what is written, and that nothing written is lost.
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { type Endpoint, endpoints, type IndexEntry, loadEndpoint, useEndpoint } from '../../session/catalog.ts'
import type { Mode } from '../../session/session.ts'
import { useToast } from '../../ui/index.ts'
import { draftOf, undocumentedDraft } from '../json/examples.ts'
import { findDraft, forgetDraft, keepDraft, parkDraft, trimDrafts } from '../kept/drafts.ts'
import type { Store } from '../kept/store.ts'
import { carefulExample, type Withheld, withhold, withoutExample } from '../request/careful.ts'
import { type CredentialRef, type Draft, emptyDraft } from '../request/request.ts'
import { t } from '../texts.ts'

const SAVE_AFTER_MS = 250

export type DraftState = {
  /** False until the first request is on the screen. */
  ready: boolean
  draft: Draft
  /** The number with which it was opened. */
  opened: number
  /** Its line in the catalog; undefined for a path or method that is not documented. */
  entry: IndexEntry | undefined
  endpoint: Endpoint | undefined
  /** Whether it differs from the endpoint's example. */
  isDirty: boolean
  change(patch: Partial<Draft>): void
  /** Goes to a method and path: its draft, else its example. */
  open(method: string, path: string): Promise<void>
  /**
   * Puts a whole request on the screen; what stood there in the same place can be brought back.
   * @param careful whether it will act on live data, where that is known before the credential is
   * @param onUndo is called when that was brought back
   */
  replace(draft: Draft, notice: string, careful?: boolean, onUndo?: () => void): Promise<void>
  reset(): void
  /** Whether what is shown was made for live data. */
  isCareful: boolean
  /** What the request brought along for live data, to be filled in when the person says so. */
  withheld: Withheld | undefined
  fillIn(): void
}

function entryOf(method: string, path: string): IndexEntry | undefined {
  return endpoints.find(entry => entry.method === method && entry.path === path)
}

/** Compares what is written; the credential is chosen for all requests and says nothing about one. */
function sameDraft(a: Draft, b: Draft): boolean {
  const plain = ({ credential: _, ...rest }: Draft) => JSON.stringify(rest)
  return plain(a) === plain(b)
}

async function exampleOf(method: string, path: string, credential: CredentialRef): Promise<Draft> {
  const entry = entryOf(method, path)
  if (entry === undefined) return undocumentedDraft(method, path, credential)
  return draftOf(await loadEndpoint(entry.id), credential)
}

export type DraftOptions = {
  store: Store | undefined
  userId: string
  mode: Mode
  credential: CredentialRef
  secrets(): string[]
  /** Whether it will act on live data: then ids and changes are the person's to write. */
  careful: boolean
  /** Sees the request before it is shown; `isSame` where one of the same method and path is gone on with. */
  opening(next: Draft, isSame: boolean): Opening
}

export type Opening = {
  /** A number that no other request has. */
  opened: number
  /** As if it had not been opened: gives the number of what is shown again. */
  takeBack(lost: Draft): number
}

export function useDraft(options: DraftOptions): DraftState {
  const { store, mode, credential, careful, opening } = options
  const toast = useToast()
  const [draft, setDraft] = useState<Draft>(emptyDraft)
  const [opened, setOpened] = useState(0)
  const [ready, setReady] = useState(false)
  const [example, setExample] = useState<Draft>()
  const [isCareful, setIsCareful] = useState(careful)
  const [withheld, setWithheld] = useState<Withheld>()
  const entry = entryOf(draft.method, draft.path)
  const endpoint = useEndpoint(entry?.id).data
  const isDirty = example !== undefined && !sameDraft(draft, example)
  const current = useRef({ draft, opened, example, isDirty, ready, careful })
  current.current = { draft, opened, example, isDirty, ready, careful }
  const asked = useRef(0)
  const isLeft = useLeft()
  const save = useKeeping(options, current)

  const show = (next: Draft, opened: number, pristine: Draft, kept?: Withheld) => {
    setDraft(next)
    setOpened(opened)
    setExample(pristine)
    setWithheld(kept)
    setIsCareful(current.current.careful)
    setReady(true)
  }
  const beginning = (example: Draft) => (current.current.careful ? carefulExample(example) : example)

  // The credential decides whether the data are live, and may be chosen after the request.
  const { method, path } = draft
  useEffect(() => {
    if (!ready || careful === isCareful) return undefined
    const turn = asked.current
    void exampleOf(method, path, credential).then(example => {
      if (turn !== asked.current || current.current.careful !== careful) return
      const { draft, opened, isDirty } = current.current
      const pristine = beginning(example)
      show(isDirty ? (careful ? withoutExample(draft, example) : draft) : pristine, opened, pristine)
    })
    return undefined
  })

  return {
    ...{ ready, draft, opened, entry, endpoint, isDirty, isCareful, withheld },
    fillIn() {
      if (withheld === undefined) return
      const { pathValues, body } = withheld
      const filled = draft.pathValues.map(each => pathValues.find(({ name }) => name === each.name) ?? each)
      setDraft({ ...draft, pathValues: filled, body: body === '' ? draft.body : body })
      setWithheld(undefined)
    },
    change: patch => setDraft(before => ({ ...before, ...patch })),
    async open(method, path) {
      const turn = ++asked.current
      await save().catch(() => undefined)
      const before = current.current
      const [stored, example] = await Promise.all([
        store === undefined ? undefined : findDraft(store, { mode, method, path }),
        exampleOf(method, path, credential),
      ])
      if (turn !== asked.current) return
      const pristine = beginning(example)
      const known = stored && current.current.careful ? withoutExample(stored, example) : stored
      const next = known ?? carryOver(before.ready ? before.draft : undefined, pristine)
      show(next, opening(next, true).opened, pristine)
    },
    async replace(given, notice, willBeCareful, onUndo) {
      const turn = ++asked.current
      await save().catch(() => undefined)
      const lost =
        store === undefined ? undefined : await findDraft(store, { mode, method: given.method, path: given.path })
      const example = await exampleOf(given.method, given.path, credential)
      if (turn !== asked.current) return
      const isLive = willBeCareful ?? current.current.careful
      const { draft: next, withheld } = isLive ? withhold(given) : { draft: given, withheld: undefined }
      const pristine = isLive ? carefulExample(example) : example
      const { opened, takeBack } = opening(next, false)
      show(next, opened, pristine, withheld)
      const bringBack = () => {
        // Where the screen was left nothing comes back, its file neither.
        if (lost === undefined || isLeft.current) return
        show(lost, takeBack(lost), pristine)
        onUndo?.()
      }
      const isLost = lost !== undefined && !sameDraft(lost, next)
      toast({ text: notice, ...(isLost && { action: { label: t('undo'), onSelect: bringBack } }) })
    },
    reset() {
      if (example === undefined) return
      const before = draft
      setDraft(example)
      setWithheld(undefined)
      toast({ text: t('backToExample'), action: { label: t('undo'), onSelect: () => setDraft(before) } })
    },
  }
}

/** Keeps what is written, a moment later and where it is left; gives the way to do so at once. */
function useKeeping(
  { store, userId, mode, credential, secrets }: DraftOptions,
  current: RefObject<{ draft: Draft; example: Draft | undefined; isDirty: boolean; ready: boolean }>,
): () => Promise<void> {
  const save = useCallback(async () => {
    const { draft, example, isDirty, ready } = current.current
    if (store === undefined || !ready || example === undefined) return
    if (isDirty) await keepDraft(store, mode, { ...draft, credential }, { nowMs: Date.now(), secrets: secrets() })
    else await forgetDraft(store, { mode, ...draft })
  }, [store, mode, credential, secrets, current])

  const { draft } = current.current
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is written starts the wait again
  useEffect(() => {
    const timer = setTimeout(() => void save().catch(() => undefined), SAVE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [draft, save])
  useEffect(() => () => void save().catch(() => undefined), [save])
  useEffect(() => {
    const leave = () => {
      const { draft, isDirty, ready } = current.current
      if (ready && isDirty) parkDraft(localStorage, userId, mode, { ...draft, credential }, secrets())
    }
    window.addEventListener('pagehide', leave)
    return () => window.removeEventListener('pagehide', leave)
  }, [userId, mode, credential, secrets, current])
  useEffect(() => {
    if (store !== undefined) void trimDrafts(store).catch(() => undefined)
  }, [store])
  return save
}

/** Whether the screen was left. */
function useLeft(): RefObject<boolean> {
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
    }
  }, [])
  return isLeft
}

/** From one method of a path to another the ids stay; a method without example takes headers and body along too. */
function carryOver(before: Draft | undefined, next: Draft): Draft {
  if (before === undefined || before.path !== next.path) return next
  const pathValues = next.pathValues.map(({ name, value }) => {
    const written = before.pathValues.find(other => other.name === name)?.value
    return { name, value: written === undefined || written === '' ? value : written }
  })
  if (entryOf(next.method, next.path) !== undefined) return { ...next, pathValues }
  return { ...next, pathValues, headers: before.headers, body: before.body }
}
