// What the portal knows of the audit log without loading it: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const audit: ScreenEntry = {
  id: 'audit',
  path: '/audit',
  setting: 'security',
  needs: 'audit:read',
  load: () => import('./audit_screen.tsx').then(module => module.AuditScreen),
  pages: [{ id: 'audit_event', path: '/audit/$id' }],
}
