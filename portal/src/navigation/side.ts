// The side of the portal that a person works on. The choice is theirs and kept in the browser; until they choose, it is where their work is.
import { useSyncExternalStore } from 'react'
import { sessionState } from '../session/session.ts'
import { type ScreenEntry, type SideId, sides } from './screen.ts'
import { sideWith } from './side_with.ts'

const storageKey = 'tandem.side'
const listeners = new Set<() => void>()
/** By person: what was chosen, or where they began. */
const sideOf = new Map<number, SideId>()

function stored(userId: number): SideId | undefined {
  try {
    const kept = localStorage.getItem(`${storageKey}.${userId}`)
    return kept !== null && kept in sides ? (kept as SideId) : undefined
  } catch {
    return undefined
  }
}

/** Who builds with the API and has nothing live to look after begins with the developer tools, everybody else in the workspace. */
function firstSide({ mode, permissions }: { mode: string; permissions: ReadonlySet<string> }): SideId {
  return permissions.has('webhooks:manage') && mode === 'test' ? 'developers' : 'workspace'
}

/** The side of the person who is logged in; the workspace for nobody. */
export function currentSide(): SideId {
  const session = sessionState()
  if (session.status !== 'in') return 'workspace'
  const { id } = session.user
  const side = sideOf.get(id) ?? stored(id) ?? firstSide(session)
  sideOf.set(id, side)
  return side
}

export function setSide(side: SideId): void {
  const session = sessionState()
  if (session.status !== 'in') return
  const { id } = session.user
  sideOf.set(id, side)
  try {
    localStorage.setItem(`${storageKey}.${id}`, side)
  } catch {
    // Without storage the choice holds until the page is left.
  }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The side that the navigation shows: the person's, or the other where the screen stands only there. */
export function useSide(screen: ScreenEntry | undefined): SideId {
  const own = useSyncExternalStore(subscribe, currentSide)
  return screen === undefined ? own : sideWith(screen, own)
}
