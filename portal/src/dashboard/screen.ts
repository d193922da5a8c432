// What the portal knows of Dashboard without loading it: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const dashboard: ScreenEntry = {
  id: 'dashboard',
  path: '/dashboard',
  entries: ['dashboard'],
  key: 'd',
  load: () => import('./dashboard_screen.tsx').then(module => module.DashboardScreen),
}
