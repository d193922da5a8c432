// What the portal knows of the settings of the organization without loading them.
import type { ScreenEntry } from '../navigation/screen.ts'

export const organization: ScreenEntry = {
  id: 'organization',
  path: '/organization',
  setting: 'organization',
  needs: 'organization:read',
  load: () => import('./organization_screen.tsx').then(module => module.OrganizationScreen),
}
