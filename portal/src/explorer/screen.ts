// What the portal knows of Explorer and Errors without loading them: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const explorer: ScreenEntry = {
  id: 'explorer',
  path: '/explorer',
  entries: ['explorer'],
  key: 'e',
  load: () => import('./explorer_screen.tsx').then(module => module.ExplorerScreen),
  pages: [{ id: 'endpoint', path: '/explorer/$version/$category/$slug', within: true }],
}

export const errors: ScreenEntry = {
  id: 'errors',
  path: '/errors',
  entries: ['logs'],
  key: 'x',
  load: () => import('./errors_screen.tsx').then(module => module.ErrorsScreen),
  pages: [{ id: 'error', path: '/errors/$code' }],
}
