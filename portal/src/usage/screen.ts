// What the portal knows of Usage without loading it: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const usage: ScreenEntry = {
  id: 'usage',
  path: '/usage',
  entries: ['logs'],
  key: 'u',
  load: () => import('./usage_screen.tsx').then(module => module.UsageScreen),
}
