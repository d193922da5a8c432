// What the person's role lets them read decides what they are offered: navigation, palette and shortcuts leave out the
// rest. Anyone who goes there by address is shown why not (`fallbacks.tsx`).
import { useMemo } from 'react'
import { useSession } from '../session/session.ts'
import type { NamedScreen } from './screen.ts'

/** Those that somebody with these permissions may read. */
export const readable = (screens: readonly NamedScreen[], permissions: ReadonlySet<string>): readonly NamedScreen[] =>
  screens.filter(({ needs }) => needs === undefined || permissions.has(needs))

/** Those of the screens that this person may read. */
export function useOffered(screens: readonly NamedScreen[]): readonly NamedScreen[] {
  const { permissions } = useSession()
  return useMemo(() => readable(screens, permissions), [screens, permissions])
}
