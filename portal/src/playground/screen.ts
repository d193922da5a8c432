// What the portal knows of Playground without loading it: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const playground: ScreenEntry = {
  id: 'playground',
  path: '/playground',
  entries: ['playground'],
  key: 'p',
  load: () => import('./playground_screen.tsx').then(module => module.PlaygroundScreen),
}

/** Where the window comes back to in which a person has let the Playground in. */
export const authorized: ScreenEntry = {
  id: 'authorized',
  path: '/playground/authorized',
  public: true,
  load: () => import('./authorized_screen.tsx').then(module => module.AuthorizedScreen),
}
