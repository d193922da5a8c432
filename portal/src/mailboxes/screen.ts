// What the portal knows of mailboxes without loading them: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const mailboxes: ScreenEntry = {
  id: 'mailboxes',
  path: '/mailboxes',
  name: 'Mailboxes',
  entries: ['mail'],
  setting: 'Mail',
  needs: 'mail:read',
  actions: [{ name: 'Add a mailbox', search: { create: '1' }, needs: 'mail:manage' }],
  load: () => import('./mailboxes_screen.tsx').then(module => module.MailboxesScreen),
}
