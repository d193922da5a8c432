// Pages that the links of mails open, apart from those of passwords and invitations: each takes what is behind the # of its address, by a
// button, for programs that look through mails open links as well.
import type { ScreenEntry } from '../navigation/screen.ts'

export const signIn: ScreenEntry = {
  id: 'sign_in',
  path: '/sign-in',
  public: true,
  load: () => import('./mailed_screens.tsx').then(module => module.SignInScreen),
}

export const confirmEmail: ScreenEntry = {
  id: 'confirm_email',
  path: '/confirm-email',
  public: true,
  load: () => import('./mailed_screens.tsx').then(module => module.ConfirmEmailScreen),
}

export const undoEmail: ScreenEntry = {
  id: 'undo_email',
  path: '/undo-email',
  public: true,
  load: () => import('./mailed_screens.tsx').then(module => module.UndoEmailScreen),
}
