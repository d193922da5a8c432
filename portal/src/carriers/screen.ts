// What the portal knows of Carriers without loading it: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const carriers: ScreenEntry = {
  id: 'carriers',
  path: '/carriers',
  name: 'Carriers',
  entries: ['messaging'],
  setting: 'Phone and text messages',
  key: 'r',
  needs: 'carriers:read',
  actions: [{ name: 'Create a carrier', search: { create: '1' }, needs: 'carriers:manage' }],
  load: () => import('./carriers_screen.tsx').then(module => module.CarriersScreen),
  pages: [{ id: 'carrier', path: '/carriers/$id' }],
}
