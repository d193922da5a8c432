// What the portal knows of what the organization asks of logins without loading it.
import type { ScreenEntry } from '../navigation/screen.ts'

export const security: ScreenEntry = {
  id: 'security',
  path: '/security',
  setting: 'security',
  needs: 'security:manage',
  load: () => import('./security_screen.tsx').then(module => module.SecurityScreen),
}
