// What the portal knows of Leads without loading it.
import { recordsScreen } from '../navigation/screen.ts'

export const leads = recordsScreen({
  names: ['lead', 'leads'],
  entries: ['leads'],
  key: 'a',
  list: () => import('./leads_screen.tsx').then(module => module.LeadsScreen),
  page: () => import('./lead_page.tsx').then(module => module.LeadPage),
})
