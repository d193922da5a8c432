// The request of a collection that is on the screen: opened, changed, saved again, or saved somewhere else. When somebody else was
// quicker, nothing is overwritten unasked.

import type { Collection, SavedRequest } from '@tandem/sdk'
import { useState } from 'react'
import { isStale } from '../../forms/faults.ts'
import { apiOf } from '../../session/api.ts'
import type { Mode } from '../../session/session.ts'
import { faultText } from '../../ui/faults.ts'
import { useToast } from '../../ui/index.ts'
import { againOf, type Checks, draftOfRequest, inputOf, noChecks, type OpenRequest } from '../collections/content.ts'
import { refreshCollections } from '../collections/queries.ts'
import type { Draft } from '../request/request.ts'
import { t } from '../texts.ts'
import type { PageState } from './page_state.ts'
import type { DraftState } from './use_draft.ts'

/** Somebody changed it meanwhile. */
export type Conflict = { theirs: SavedRequest; differing: readonly string[] }

export type Saved = {
  /** What is on the screen, where it is of a collection. */
  open: OpenRequest | undefined
  isChanged: boolean
  saving: boolean
  conflict: Conflict | undefined
  checks: Checks
  setChecks(checks: Checks): void
  show(saved: SavedRequest, collection: Pick<Collection, 'name' | 'mayChange'>): Promise<void>
  save(): Promise<void>
  /** Answers whether it was saved. @throws what the server refused it with */
  saveAs(place: { name: string; collection: Collection; folderId: string | null }): Promise<void>
  /** What becomes of a conflict. */
  settle(choice: 'theirs' | 'mine' | 'later'): Promise<void>
  /** Somebody renamed, moved or deleted it. */
  noted(saved: SavedRequest | undefined, requestId: string): void
}

export type SavedOptions = {
  page: PageState
  mode: Mode
  draft: DraftState
  secrets(): string[]
  credential: Draft['credential']
}

export function useSaved({ page, mode, draft, secrets, credential }: SavedOptions): Saved {
  const toast = useToast()
  const [linked, setLinked] = useState<OpenRequest | undefined>(page.opened[mode])
  // Of a request that is not saved yet, as long as it is on the screen.
  const [loose, setLoose] = useState({ of: '', checks: noChecks })
  const [saving, setSaving] = useState(false)
  const [conflict, setConflict] = useState<Conflict>()
  const link = (next: OpenRequest | undefined) => {
    page.opened[mode] = next
    setLinked(next)
  }
  // Another endpoint is another request; coming back to it finds it again.
  const isSame = linked?.saved.method === draft.draft.method && linked.saved.path === draft.draft.path
  const open = isSame ? linked : undefined
  const place = `${draft.draft.method} ${draft.draft.path}`
  const checks = open?.checks ?? (loose.of === place ? loose.checks : noChecks)
  const input = open && inputOf(open.saved.name, draft.draft, open.checks, secrets())
  const isWhole = draft.withheld === undefined
  const isChanged = open !== undefined && isWhole && differing(againOf(open.saved), input!).length > 0

  async function write(base: SavedRequest, work: OpenRequest): Promise<void> {
    setSaving(true)
    const change = inputOf(base.name, draft.draft, work.checks, secrets())
    try {
      const saved = await apiOf('live').savedRequests.update(
        { requestId: base.requestId, ...change },
        { ifMatch: base.version },
      )
      link({ ...work, saved, checks: { tests: saved.tests, captures: saved.captures } })
      await refreshCollections(saved.collectionId)
      toast({ text: t('saved', { name: saved.name }), tone: 'ok' })
    } catch (error) {
      if (!isStale(error)) {
        toast({ text: error instanceof Error ? faultText(error) : t('notSaved'), tone: 'bad' })
        return
      }
      const theirs = await apiOf('live').savedRequests.get({ requestId: base.requestId })
      setConflict({ theirs, differing: differing(againOf(theirs), change).map(field => t.of('part', field) ?? field) })
    } finally {
      setSaving(false)
    }
  }

  async function show(saved: SavedRequest, collection: Pick<Collection, 'name' | 'mayChange'>): Promise<void> {
    link({ saved, collection, checks: { tests: saved.tests, captures: saved.captures } })
    const next = { ...draftOfRequest(saved), credential }
    // What is brought back is of the request before: saved, it must not take the place of this one.
    await draft.replace(next, t('opened', { name: saved.name }), undefined, () => link(linked))
  }

  return {
    ...{ open, isChanged, saving, conflict, checks, show },
    setChecks(next) {
      if (open === undefined) setLoose({ of: place, checks: next })
      else link({ ...open, checks: next })
    },
    async save() {
      if (open !== undefined && isWhole) await write(open.saved, open)
    },
    async saveAs({ name, collection, folderId }) {
      const { collectionId } = collection
      const whole = inputOf(name, wholeDraft(draft), checks, secrets())
      const saved = await apiOf('live').savedRequests.create({ collectionId, folderId, ...whole })
      link({ saved, collection, checks: { tests: saved.tests, captures: saved.captures } })
      setLoose({ of: '', checks: noChecks })
      await refreshCollections(collectionId)
      toast({ text: t('savedTo', { name: saved.name, collection: collection.name }), tone: 'ok' })
    },
    async settle(choice) {
      setConflict(undefined)
      if (conflict === undefined || open === undefined) return
      if (choice === 'theirs') await show(conflict.theirs, open.collection)
      if (choice === 'mine') await write({ ...conflict.theirs, name: open.saved.name }, open)
    },
    noted(saved, requestId) {
      if (linked?.saved.requestId !== requestId) return
      link(saved === undefined ? undefined : { ...linked, saved })
    },
  }
}

/** With what live mode holds back until the person asks for it: that is of the request all the same. */
function wholeDraft({ draft, withheld }: DraftState): Draft {
  if (withheld === undefined) return draft
  const pathValues = draft.pathValues.map(each => {
    const held = withheld.pathValues.find(({ name }) => name === each.name)
    return each.value === '' && held !== undefined ? held : each
  })
  return { ...draft, pathValues, body: draft.body === '' ? withheld.body : draft.body }
}

function differing(a: object, b: object): string[] {
  const other = b as Record<string, unknown>
  return Object.entries(a).flatMap(([field, value]) =>
    JSON.stringify(value) === JSON.stringify(other[field]) ? [] : [field],
  )
}
