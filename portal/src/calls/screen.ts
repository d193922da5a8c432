// What the portal knows of Calls without loading it: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const calls: ScreenEntry = {
  id: 'calls',
  path: '/calls',
  entries: ['calls', 'voice'],
  key: 'c',
  needs: 'calls:read',
  load: () => import('./calls_screen.tsx').then(module => module.CallsScreen),
  pages: [{ id: 'call', path: '/calls/$id' }],
}
