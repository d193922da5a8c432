// What the portal knows of teams without loading them.
import { recordsScreen } from '../navigation/screen.ts'

export const teams = recordsScreen({
  names: ['team', 'teams'],
  setting: 'people',
  create: 'teams:manage',
  list: () => import('./teams_screen.tsx').then(module => module.TeamsScreen),
  page: () => import('./team_page.tsx').then(module => module.TeamScreen),
})
