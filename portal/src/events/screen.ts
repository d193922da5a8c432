// What the portal knows of Events without loading it: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const events: ScreenEntry = {
  id: 'events',
  path: '/events',
  entries: ['webhooks'],
  key: 'v',
  needs: 'events:read',
  load: () => import('./events_screen.tsx').then(module => module.EventsScreen),
}
