// What the portal knows of Logs without loading it: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const logs: ScreenEntry = {
  id: 'logs',
  path: '/logs',
  entries: ['logs'],
  key: 'l',
  load: () => import('./logs_screen.tsx').then(module => module.LogsScreen),
  pages: [{ id: 'log', path: '/logs/$id' }],
}
