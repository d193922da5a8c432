// What the portal knows of mail senders without loading them: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const mailSenders: ScreenEntry = {
  id: 'mail_senders',
  path: '/mail-senders',
  entries: ['mail'],
  setting: 'mail',
  needs: 'mail:read',
  actions: [{ id: 'add_mail_sender', search: { create: '1' }, needs: 'mail:manage' }],
  load: () => import('./senders_screen.tsx').then(module => module.MailSendersScreen),
}
