// What the portal knows of Numbers without loading it: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const numbers: ScreenEntry = {
  id: 'numbers',
  path: '/numbers',
  entries: ['messaging'],
  setting: 'phone',
  key: 'n',
  needs: 'numbers:read',
  actions: [{ id: 'add_number', search: { create: '1' }, needs: 'numbers:manage' }],
  load: () => import('./numbers_screen.tsx').then(module => module.NumbersScreen),
}
