// What the portal knows of Contacts without loading it.
import { recordsScreen } from '../navigation/screen.ts'

export const contacts = recordsScreen({
  names: ['contact', 'contacts'],
  entries: ['contacts'],
  key: 'j',
  list: () => import('./contacts_screen.tsx').then(module => module.ContactsScreen),
  page: () => import('./contact_page.tsx').then(module => module.ContactPage),
})
