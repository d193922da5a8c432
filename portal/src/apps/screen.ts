// What the portal knows of apps, of authorizations and of clients of others without loading them.
import type { ScreenEntry } from '../navigation/screen.ts'

export const apps: ScreenEntry = {
  id: 'apps',
  path: '/apps',
  entries: ['keys'],
  setting: 'programs',
  needs: 'apps:read',
  actions: [{ id: 'register_app', search: { create: '1' }, needs: 'apps:manage' }],
  load: () => import('./apps_screen.tsx').then(module => module.AppsScreen),
  pages: [{ id: 'app', path: '/apps/$id', load: () => import('./app_page.tsx').then(module => module.AppScreen) }],
}

export const authorizations: ScreenEntry = {
  id: 'authorizations',
  path: '/authorizations',
  setting: 'programs',
  load: () => import('./authorizations_screen.tsx').then(module => module.AuthorizationsScreen),
}

export const oauthClients: ScreenEntry = {
  id: 'oauth_clients',
  path: '/clients',
  setting: 'programs',
  needs: 'apps:read',
  load: () => import('./clients_screen.tsx').then(module => module.ClientsScreen),
}
