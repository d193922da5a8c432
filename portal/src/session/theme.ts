// Light, dark, or what the system says. The choice is kept; it is the reader's, not the account's.
import { useSyncExternalStore } from 'react'

export type ThemeChoice = 'system' | 'light' | 'dark'
const storageKey = 'tandem.theme'
const systemDark = window.matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

function stored(): ThemeChoice {
  try {
    const value = localStorage.getItem(storageKey)
    return value === 'light' || value === 'dark' ? value : 'system'
  } catch {
    return 'system'
  }
}

let choice = stored()

function resolved(): 'light' | 'dark' {
  if (choice !== 'system') return choice
  return systemDark.matches ? 'dark' : 'light'
}

/** Puts the theme on the document, now and whenever the system's changes. */
export function applyTheme(): void {
  const show = () => {
    document.documentElement.dataset['theme'] = resolved()
    for (const listener of listeners) listener()
  }
  show()
  systemDark.addEventListener('change', show)
}

export function setTheme(next: ThemeChoice): void {
  choice = next
  try {
    if (next === 'system') localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, next)
  } catch {
    // Without storage the choice holds until the page is left.
  }
  document.documentElement.dataset['theme'] = resolved()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The choice, and what it comes to now. */
export function useTheme(): { choice: ThemeChoice; resolved: 'light' | 'dark' } {
  const current = useSyncExternalStore(subscribe, () => `${choice} ${resolved()}`)
  const [chosen, shown] = current.split(' ')
  return { choice: chosen as ThemeChoice, resolved: shown as 'light' | 'dark' }
}
