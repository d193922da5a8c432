// What the portal knows of Carriers without loading it: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const carriers: ScreenEntry = {
  id: 'carriers',
  path: '/carriers',
  entries: ['messaging'],
  setting: 'phone',
  key: 'r',
  needs: 'carriers:read',
  actions: [{ id: 'create_carrier', search: { create: '1' }, needs: 'carriers:manage' }],
  load: () => import('./carriers_screen.tsx').then(module => module.CarriersScreen),
  pages: [{ id: 'carrier', path: '/carriers/$id' }],
}
