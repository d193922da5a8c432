// What the portal knows of the page of all settings without loading it.
import type { ScreenEntry } from '../navigation/screen.ts'

export const settings: ScreenEntry = {
  id: 'settings',
  path: '/settings',
  entries: ['settings'],
  key: ',',
  load: () => import('./settings_screen.tsx').then(module => module.SettingsScreen),
}
