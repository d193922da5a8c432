// What the portal knows of Invoices without loading it.
import { recordsScreen } from '../navigation/screen.ts'

export const invoices = recordsScreen({
  names: ['invoice', 'invoices'],
  entries: ['invoices'],
  key: 'i',
  list: () => import('./invoices_screen.tsx').then(module => module.InvoicesScreen),
  page: () => import('./invoice_page.tsx').then(module => module.InvoicePage),
})
