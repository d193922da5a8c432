// What the portal knows of Events without loading it: address, place in the navigation, permission, words for the palette.
import { Activity } from 'lucide-react'
import type { ScreenEntry } from '../navigation/screen.ts'

export const events: ScreenEntry = {
  id: 'events',
  path: '/events',
  name: 'Events',
  icon: Activity,
  section: 'Observe',
  key: 'v',
  hint: 'What happened',
  needs: 'events:read',
  load: () => import('./events_screen.tsx').then(module => module.EventsScreen),
}
