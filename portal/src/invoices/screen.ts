// What the portal knows of Invoices without loading it.
import { FileText } from 'lucide-react'
import { recordsScreen } from '../navigation/screen.ts'

export const invoices = recordsScreen({
  names: ['invoice', 'invoices'],
  icon: FileText,
  key: 'i',
  hint: 'What is owed',
  list: () => import('./invoices_screen.tsx').then(module => module.InvoicesScreen),
  page: () => import('./invoice_page.tsx').then(module => module.InvoicePage),
})
