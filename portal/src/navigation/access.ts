// What the person's role lets them read decides what they are offered: navigation, palette and shortcuts leave out the
// rest. Anyone who goes there by address is shown why not (`fallbacks.tsx`).
import { useMemo } from 'react'
import { useSession } from '../session/session.ts'
import type { ScreenEntry } from './screen.ts'

/** Those that somebody with these permissions may read. */
export const readable = (screens: readonly ScreenEntry[], permissions: ReadonlySet<string>): readonly ScreenEntry[] =>
  screens.filter(({ needs }) => needs === undefined || permissions.has(needs))

/** Those of the screens that this person may read. */
export function useOffered(screens: readonly ScreenEntry[]): readonly ScreenEntry[] {
  const { permissions } = useSession()
  return useMemo(() => readable(screens, permissions), [screens, permissions])
}
