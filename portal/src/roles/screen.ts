// What the portal knows of roles without loading them.
import { recordsScreen } from '../navigation/screen.ts'

export const roles = {
  ...recordsScreen({
    names: ['role', 'roles'],
    setting: 'people',
    create: 'roles:manage',
    list: () => import('./roles_screen.tsx').then(module => module.RolesScreen),
    page: () => import('./role_page.tsx').then(module => module.RoleScreen),
  }),
  // Who sees users sees what their roles are.
  needs: 'users:read',
}
