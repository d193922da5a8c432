// What the portal knows of signing up without loading the screen; it is reached from the login and from a mail.
import type { ScreenEntry } from '../navigation/screen.ts'

export const signUp: ScreenEntry = {
  id: 'sign_up',
  path: '/sign-up',
  public: true,
  load: () => import('./sign_up_screen.tsx').then(module => module.SignUpScreen),
}
