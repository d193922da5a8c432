// What the portal knows of retention, personal data and legal holds without loading it.
import type { ScreenEntry } from '../navigation/screen.ts'

export const privacy: ScreenEntry = {
  id: 'privacy',
  path: '/privacy',
  setting: 'security',
  needs: 'privacy_requests:read',
  load: () => import('./privacy_screen.tsx').then(module => module.PrivacyScreen),
}
