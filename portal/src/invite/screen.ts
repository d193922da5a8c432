// What the portal knows of answering an invitation without loading the screen; it is reached from a mail.
import type { ScreenEntry } from '../navigation/screen.ts'

export const invite: ScreenEntry = {
  id: 'invite',
  path: '/invite',
  public: true,
  load: () => import('./invite_screen.tsx').then(module => module.InviteScreen),
}
