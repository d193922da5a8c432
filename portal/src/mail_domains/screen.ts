// What the portal knows of mail domains without loading them: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const mailDomains: ScreenEntry = {
  id: 'mail_domains',
  path: '/mail-domains',
  entries: ['mail'],
  setting: 'mail',
  needs: 'mail:read',
  actions: [{ id: 'add_mail_domain', search: { create: '1' }, needs: 'mail:manage' }],
  load: () => import('./domains_screen.tsx').then(module => module.MailDomainsScreen),
}
