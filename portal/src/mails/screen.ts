// What the portal knows of Mail without loading it: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const mails: ScreenEntry = {
  id: 'mails',
  path: '/mails',
  entries: ['inbox', 'mail'],
  needs: 'mail:read',
  load: () => import('./mails_screen.tsx').then(module => module.MailsScreen),
  pages: [{ id: 'mail', path: '/mails/$id', load: () => import('./mail_page.tsx').then(module => module.MailScreen) }],
}
