// What the portal knows of single sign-on without loading it: domains, identity providers, and members kept by SCIM.
import type { ScreenEntry } from '../navigation/screen.ts'

export const organizationDomains: ScreenEntry = {
  id: 'organization_domains',
  path: '/domains',
  setting: 'security',
  needs: 'sso:manage',
  actions: [{ id: 'add_domain', search: { create: '1' }, needs: 'sso:manage' }],
  load: () => import('./domains_screen.tsx').then(module => module.DomainsScreen),
}

export const singleSignOn: ScreenEntry = {
  id: 'single_sign_on',
  path: '/single-sign-on',
  setting: 'security',
  needs: 'sso:manage',
  actions: [{ id: 'add_identity_provider', search: { create: '1' }, needs: 'sso:manage' }],
  load: () => import('./connections_screen.tsx').then(module => module.ConnectionsScreen),
}

export const scim: ScreenEntry = {
  id: 'scim',
  path: '/scim-set-up',
  setting: 'security',
  needs: 'scim:manage',
  load: () => import('./scim_screen.tsx').then(module => module.ScimScreen),
}
