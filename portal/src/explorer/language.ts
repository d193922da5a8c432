// The language a reader wants samples in: chosen once, kept in this browser, the same on every page.
import type { SampleLanguage } from '@tandem/catalog'
import { useSyncExternalStore } from 'react'

const storageKey = 'tandem.language'
const listeners = new Set<() => void>()

function stored(): string {
  try {
    return localStorage.getItem(storageKey) ?? 'curl'
  } catch {
    return 'curl'
  }
}
let chosen = stored()

export function setLanguage(next: SampleLanguage): void {
  chosen = next
  try {
    localStorage.setItem(storageKey, next)
  } catch {
    // Without storage the choice holds until the page is left.
  }
  for (const listener of listeners) listener()
}

/** The chosen language; cURL until one is chosen. It may be one that an endpoint has no sample in. */
export function useLanguage(): string {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => chosen,
  )
}
