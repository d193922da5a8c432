// What the portal knows of mail transports without loading them: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const mailTransports: ScreenEntry = {
  id: 'mail_transports',
  path: '/mail-transports',
  entries: ['mail'],
  setting: 'mail',
  needs: 'mail:read',
  actions: [{ id: 'add_mail_server', search: { create: '1' }, needs: 'mail:manage' }],
  load: () => import('./transports_screen.tsx').then(module => module.MailTransportsScreen),
}
