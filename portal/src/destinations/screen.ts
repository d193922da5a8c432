// What the portal knows of Destinations without loading it: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const destinations: ScreenEntry = {
  id: 'destinations',
  path: '/destinations',
  entries: ['voice'],
  setting: 'phone',
  key: 'y',
  needs: 'destinations:read',
  actions: [{ id: 'check_number', needs: 'destinations:read' }],
  load: () => import('./destinations_screen.tsx').then(module => module.DestinationsScreen),
}
