// What the portal knows of mail suppressions without loading them: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const mailSuppressions: ScreenEntry = {
  id: 'mail_suppressions',
  path: '/mail-suppressions',
  entries: ['mail'],
  setting: 'mail',
  needs: 'mail:read',
  actions: [{ id: 'suppress_address', search: { create: '1' }, needs: 'mail:manage' }],
  load: () => import('./suppressions_screen.tsx').then(module => module.MailSuppressionsScreen),
}
