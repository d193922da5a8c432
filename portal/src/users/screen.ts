// What the portal knows of Users without loading it.
import { Users } from 'lucide-react'
import { recordsScreen } from '../navigation/screen.ts'

export const users = recordsScreen({
  names: ['user', 'users'],
  icon: Users,
  section: 'Organization',
  create: 'users:manage',
  key: 'z',
  hint: 'People who log in, and what they may do',
  list: () => import('./users_screen.tsx').then(module => module.UsersScreen),
  page: () => import('./user_page.tsx').then(module => module.UserPage),
})
