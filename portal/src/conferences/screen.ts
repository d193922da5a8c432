// What the portal knows of Conferences without loading it.
import type { ScreenEntry } from '../navigation/screen.ts'

export const conferences: ScreenEntry = {
  id: 'conferences',
  path: '/conferences',
  entries: ['voice'],
  needs: 'calls:read',
  load: () => import('./conferences_screen.tsx').then(module => module.ConferencesScreen),
  pages: [{ id: 'conference', path: '/conferences/$id' }],
}
