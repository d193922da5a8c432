// What the portal knows of Handset without loading it: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const handset: ScreenEntry = {
  id: 'handset',
  path: '/handset',
  entries: ['messaging'],
  key: 'h',
  needs: 'messages:read',
  actions: [{ id: 'write_on_handset', search: { with: 'new' }, needs: 'messages:send' }],
  load: () => import('./handset_screen.tsx').then(module => module.HandsetScreen),
}
