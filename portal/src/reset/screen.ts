// What the portal knows of forgotten passwords without loading the screen; it is reached from the login and from a mail.
import type { ScreenEntry } from '../navigation/screen.ts'

export const reset: ScreenEntry = {
  id: 'reset',
  path: '/reset',
  public: true,
  load: () => import('./reset_screen.tsx').then(module => module.ResetScreen),
}
