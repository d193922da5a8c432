// What the portal knows of mail transports without loading them: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const mailTransports: ScreenEntry = {
  id: 'mail_transports',
  path: '/mail-transports',
  name: 'Mail servers',
  entries: ['mail'],
  setting: 'Mail',
  needs: 'mail:read',
  actions: [{ name: 'Add a mail server', search: { create: '1' }, needs: 'mail:manage' }],
  load: () => import('./transports_screen.tsx').then(module => module.MailTransportsScreen),
}
