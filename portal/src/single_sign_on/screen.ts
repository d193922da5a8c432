// What the portal knows of single sign-on without loading it: domains, identity providers, and members kept by SCIM.
import type { ScreenEntry } from '../navigation/screen.ts'

export const organizationDomains: ScreenEntry = {
  id: 'organization_domains',
  path: '/domains',
  name: 'Domains',
  setting: 'Security',
  needs: 'sso:manage',
  actions: [{ name: 'Add a domain', search: { create: '1' }, needs: 'sso:manage' }],
  load: () => import('./domains_screen.tsx').then(module => module.DomainsScreen),
}

export const singleSignOn: ScreenEntry = {
  id: 'single_sign_on',
  path: '/single-sign-on',
  name: 'Single sign-on',
  setting: 'Security',
  needs: 'sso:manage',
  actions: [{ name: 'Add an identity provider', search: { create: '1' }, needs: 'sso:manage' }],
  load: () => import('./connections_screen.tsx').then(module => module.ConnectionsScreen),
}

export const scim: ScreenEntry = {
  id: 'scim',
  path: '/scim-set-up',
  name: 'SCIM',
  setting: 'Security',
  needs: 'scim:manage',
  load: () => import('./scim_screen.tsx').then(module => module.ScimScreen),
}
