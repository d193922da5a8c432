// What the portal knows of Services without loading it: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const services: ScreenEntry = {
  id: 'services',
  path: '/services',
  entries: ['messaging'],
  setting: 'phone',
  key: 's',
  needs: 'messages:read',
  actions: [{ id: 'create_service', search: { create: '1' }, needs: 'messages:manage' }],
  load: () => import('./services_screen.tsx').then(module => module.ServicesScreen),
  pages: [{ id: 'service', path: '/services/$id' }],
}
