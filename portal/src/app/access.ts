// What the person's role lets them read decides what they are offered: navigation, palette and shortcuts leave out the
// rest. Whoever goes there by address is told why not (`fallbacks.tsx`).
import { useMemo } from 'react'
import { navigation, type Screen } from './routes.ts'
import { useSession } from './session.ts'

/** The screens of the navigation that this person may read. */
export function useNavigation(): readonly Screen[] {
  const { permissions } = useSession()
  return useMemo(() => navigation.filter(({ needs }) => needs === undefined || permissions.has(needs)), [permissions])
}
