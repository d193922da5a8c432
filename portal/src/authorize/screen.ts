// What the portal knows of the pages on which people let programs in, without loading them. They stand by themselves: who answers
// here came from somewhere else, and goes back there.
import type { ScreenEntry } from '../navigation/screen.ts'

export const authorize: ScreenEntry = {
  id: 'authorize',
  path: '/authorize/$uid',
  bare: true,
  load: () => import('./authorize_screen.tsx').then(module => module.AuthorizeScreen),
}

export const device: ScreenEntry = {
  id: 'device',
  path: '/device',
  bare: true,
  load: () => import('./device_screen.tsx').then(module => module.DeviceScreen),
}
