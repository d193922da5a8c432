// What the portal knows of Services without loading it: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const services: ScreenEntry = {
  id: 'services',
  path: '/services',
  name: 'Services',
  entries: ['messaging'],
  setting: 'Phone and text messages',
  key: 's',
  needs: 'messages:read',
  actions: [{ name: 'Create a messaging service', search: { create: '1' }, needs: 'messages:manage' }],
  load: () => import('./services_screen.tsx').then(module => module.ServicesScreen),
  pages: [{ id: 'service', path: '/services/$id' }],
}
