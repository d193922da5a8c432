// What the portal knows of mailboxes without loading them: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const mailboxes: ScreenEntry = {
  id: 'mailboxes',
  path: '/mailboxes',
  entries: ['mail'],
  setting: 'mail',
  needs: 'mail:read',
  actions: [{ id: 'add_mailbox', search: { create: '1' }, needs: 'mail:manage' }],
  load: () => import('./mailboxes_screen.tsx').then(module => module.MailboxesScreen),
}
