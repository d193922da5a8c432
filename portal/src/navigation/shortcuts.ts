// Single keys for those who like them: g and a letter goes to a screen, / to the page's search, ? lists them. They can be
// turned off (WCAG 2.1.4), except those with Ctrl or Cmd.
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { whatDialogHolds } from './reload_guard.ts'

const storageKey = 'tandem.shortcuts'
const listeners = new Set<() => void>()

function stored(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off'
  } catch {
    return true
  }
}
let enabled = stored()

export function setShortcuts(next: boolean): void {
  enabled = next
  try {
    if (next) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, 'off')
  } catch {
    // Without storage the choice holds until the page is left.
  }
  for (const listener of listeners) listener()
}

export function useShortcutsEnabled(): boolean {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => enabled,
  )
}

function typing(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable="true"]') !== null
}

/** Marks the field that / goes to. */
export const pageSearch = { 'data-page-search': '' } as const

type Actions = { openPalette(): void; openHelp(): void }

/** Where g and a key leads. */
type Place = { key?: string; path: string }

export function useShortcuts(places: readonly Place[], actions: Actions): void {
  const navigate = useNavigate()
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    // Times of events count from the page's start, so 0 would make every key of the first second one after g.
    let afterG = Number.NEGATIVE_INFINITY
    const onKeyDown = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        // It would lead away from what is typed, or shown this once.
        return whatDialogHolds() === undefined ? latest.current.openPalette() : undefined
      }
      if (!enabled || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return undefined
      if (document.querySelector('[role="dialog"]') !== null) return undefined
      if (event.timeStamp - afterG < 1_200) {
        afterG = Number.NEGATIVE_INFINITY
        const screen = places.find(({ key }) => key === event.key)
        if (screen !== undefined) {
          event.preventDefault()
          void navigate({ to: screen.path as '/' })
        }
      } else if (event.key === 'g') afterG = event.timeStamp
      else if (event.key === '?') latest.current.openHelp()
      else if (event.key === '/') {
        event.preventDefault()
        document.querySelector<HTMLInputElement>('[data-page-search]')?.focus()
      }
      return undefined
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [navigate, places])
}

/** Single keys of the list that is shown, by the key: they hold back while somebody types, or a dialog is open. */
export function useListKeys(keys: Readonly<Record<string, () => unknown>>): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    let isAfterG = false
    const onKeyDown = (event: KeyboardEvent) => {
      // What follows g leads to another screen.
      const wasAfterG = isAfterG
      isAfterG = event.key === 'g'
      if (wasAfterG || !enabled || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return
      if (document.querySelector('[role="dialog"], [role="menu"]') !== null) return
      const work = latest.current[event.key]
      if (work === undefined) return
      event.preventDefault()
      work()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
