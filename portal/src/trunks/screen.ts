// What the portal knows of Trunks without loading it: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const trunks: ScreenEntry = {
  id: 'trunks',
  path: '/trunks',
  entries: ['voice'],
  setting: 'phone',
  key: 't',
  needs: 'trunks:read',
  actions: [{ id: 'create_trunk', search: { create: '1' }, needs: 'trunks:manage' }],
  load: () => import('./trunks_screen.tsx').then(module => module.TrunksScreen),
  pages: [{ id: 'trunk', path: '/trunks/$id' }],
}
