// What the portal knows of Home without loading it: address, place in the navigation, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const home: ScreenEntry = {
  id: 'home',
  path: '/home',
  entries: ['home'],
  load: () => import('./home_screen.tsx').then(module => module.HomeScreen),
}
