// What the portal knows of Recordings without loading it: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const recordings: ScreenEntry = {
  id: 'recordings',
  path: '/recordings',
  entries: ['calls', 'voice'],
  key: 'q',
  needs: 'recordings:read',
  load: () => import('./recordings_screen.tsx').then(module => module.RecordingsScreen),
}
