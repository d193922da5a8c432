// What the portal knows of mail domains without loading them: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const mailDomains: ScreenEntry = {
  id: 'mail_domains',
  path: '/mail-domains',
  name: 'Mail domains',
  entries: ['mail'],
  setting: 'Mail',
  needs: 'mail:read',
  actions: [{ name: 'Add a mail domain', search: { create: '1' }, needs: 'mail:manage' }],
  load: () => import('./domains_screen.tsx').then(module => module.MailDomainsScreen),
}
