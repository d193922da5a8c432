// What the portal knows of SIP phones without loading it: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const phones: ScreenEntry = {
  id: 'phones',
  path: '/phones',
  name: 'SIP phones',
  entries: ['voice'],
  setting: 'Phone and text messages',
  key: 'f',
  needs: 'sip_credentials:read',
  actions: [{ name: 'Create a phone', search: { create: '1' }, needs: 'sip_credentials:manage' }],
  load: () => import('./phones_screen.tsx').then(module => module.PhonesScreen),
}
