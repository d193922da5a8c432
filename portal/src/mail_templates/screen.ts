// What the portal knows of mail templates without loading them: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const mailTemplates: ScreenEntry = {
  id: 'mail_templates',
  path: '/mail-templates',
  entries: ['mail'],
  setting: 'mail',
  needs: 'mail:read',
  actions: [{ id: 'create_mail_template', search: { create: '1' }, needs: 'mail:manage' }],
  load: () => import('./templates_screen.tsx').then(module => module.MailTemplatesScreen),
}
