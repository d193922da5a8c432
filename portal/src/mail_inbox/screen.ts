// What the portal knows of the inbox without loading it: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const mailInbox: ScreenEntry = {
  id: 'mail_inbox',
  path: '/mail-inbox',
  entries: ['inbox', 'mail'],
  needs: 'mail:read',
  load: () => import('./inbox_screen.tsx').then(module => module.MailInboxScreen),
  pages: [
    {
      id: 'inbound_mail',
      path: '/mail-inbox/$id',
      load: () => import('./inbound_page.tsx').then(module => module.InboundMailScreen),
    },
  ],
}
