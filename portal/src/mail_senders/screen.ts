// What the portal knows of mail senders without loading them: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const mailSenders: ScreenEntry = {
  id: 'mail_senders',
  path: '/mail-senders',
  name: 'Mail senders',
  entries: ['mail'],
  setting: 'Mail',
  needs: 'mail:read',
  actions: [{ name: 'Add a mail sender', search: { create: '1' }, needs: 'mail:manage' }],
  load: () => import('./senders_screen.tsx').then(module => module.MailSendersScreen),
}
