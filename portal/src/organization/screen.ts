// What the portal knows of the settings of the organization without loading them.
import { Settings } from 'lucide-react'
import type { ScreenEntry } from '../navigation/screen.ts'

export const organization: ScreenEntry = {
  id: 'organization',
  path: '/organization',
  name: 'Settings',
  icon: Settings,
  section: 'Organization',
  hint: 'Of the organization: name, time zone, currency, country, numbering',
  needs: 'organization:read',
  load: () => import('./organization_screen.tsx').then(module => module.OrganizationScreen),
}
