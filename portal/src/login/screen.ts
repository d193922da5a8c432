// What the portal knows of Log in without loading it: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const login: ScreenEntry = {
  id: 'login',
  path: '/login',
  public: true,
  load: () => import('./login_screen.tsx').then(module => module.LoginScreen),
}
