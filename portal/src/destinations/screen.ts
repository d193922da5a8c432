// What the portal knows of Destinations without loading it: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const destinations: ScreenEntry = {
  id: 'destinations',
  path: '/destinations',
  name: 'Destinations',
  entries: ['voice'],
  setting: 'Phone and text messages',
  key: 'y',
  needs: 'destinations:read',
  actions: [{ name: 'Ask whether a number may be called', needs: 'destinations:read' }],
  load: () => import('./destinations_screen.tsx').then(module => module.DestinationsScreen),
}
