// What the portal knows of API keys without loading it: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const keys: ScreenEntry = {
  id: 'keys',
  path: '/keys',
  entries: ['keys'],
  setting: 'programs',
  key: 'k',
  actions: [{ id: 'create_key', search: { create: '1' } }],
  load: () => import('./keys_screen.tsx').then(module => module.KeysScreen),
}
