// What the portal knows of Companies without loading it.
import { recordsScreen } from '../navigation/screen.ts'

export const companies = recordsScreen({
  names: ['company', 'companies'],
  entries: ['companies'],
  key: 'b',
  list: () => import('./companies_screen.tsx').then(module => module.CompaniesScreen),
  page: () => import('./company_page.tsx').then(module => module.CompanyPage),
})
