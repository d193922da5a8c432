// What the portal knows of Dashboard without loading it: address, place in the navigation, permission, words for the palette.
import { Home } from 'lucide-react'
import type { ScreenEntry } from '../navigation/screen.ts'

export const dashboard: ScreenEntry = {
  id: 'dashboard',
  path: '/',
  name: 'Dashboard',
  icon: Home,
  section: 'Start',
  key: 'd',
  hint: 'What is going on',
  load: () => import('./dashboard_screen.tsx').then(module => module.DashboardScreen),
}
