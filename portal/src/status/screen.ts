// What the portal knows of the status of the server without loading it.
import type { ScreenEntry } from '../navigation/screen.ts'

export const status: ScreenEntry = {
  id: 'status',
  path: '/status',
  setting: 'organization',
  needs: 'status:read',
  load: () => import('./status_screen.tsx').then(module => module.StatusScreen),
}
