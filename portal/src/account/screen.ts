// What the portal knows of a person's own account without loading it; it is reached from the menu of the person.
import type { ScreenEntry } from '../navigation/screen.ts'

export const account: ScreenEntry = {
  id: 'account',
  path: '/account',
  setting: 'you',
  load: () => import('./account_screen.tsx').then(module => module.AccountScreen),
}
