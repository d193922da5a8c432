// What the portal knows of Members without loading the screen. The page of a person is that of a user.
import type { ScreenEntry } from '../navigation/screen.ts'

export const users: ScreenEntry = {
  id: 'users',
  path: '/users',
  setting: 'people',
  key: 'z',
  needs: 'users:read',
  actions: [
    { id: 'invite_people', search: { invite: '1' }, needs: 'users:manage' },
    { id: 'create_user', search: { create: '1' }, needs: 'users:manage' },
  ],
  load: () => import('./members_screen.tsx').then(module => module.MembersScreen),
  pages: [{ id: 'user', path: '/users/$id', load: () => import('./user_page.tsx').then(module => module.UserPage) }],
}
