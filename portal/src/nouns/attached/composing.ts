// What is being written at the top of a timeline: which kind, and that somebody asked for it, by a button elsewhere on the page or by a
// link such as `/leads/12?compose=text`.
import { useSyncExternalStore } from 'react'
import { useParamsOfAddress } from '../../navigation/search_params.ts'

export const composed = ['text', 'call', 'note', 'task', 'mail'] as const
export type Composed = (typeof composed)[number]

export type ComposerProps = {
  /** The noun and the id of the record, as its timeline is asked for. */
  story: { noun: string; id: string }
  recordId: string
  name: string
  phones: readonly string[]
  emails: readonly string[]
  mayWrite: boolean
  leadId?: number
}

let asked: { kind: Composed | undefined } = { kind: undefined }
const watchers = new Set<() => void>()

/** Opens the composer of the page for this kind, and puts the focus there. */
export function useOpenComposer(): (kind: Composed) => void {
  const [, change] = useParamsOfAddress()
  return kind => {
    change({ compose: kind, tab: undefined })
    asked = { kind }
    for (const watcher of watchers) watcher()
  }
}

/** What was asked for last, another value each time. */
export function useAsked(): typeof asked {
  return useSyncExternalStore(
    watcher => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => asked,
  )
}
