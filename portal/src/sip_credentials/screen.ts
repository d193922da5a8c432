// What the portal knows of SIP phones without loading it: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const phones: ScreenEntry = {
  id: 'phones',
  path: '/phones',
  entries: ['voice'],
  setting: 'phone',
  key: 'f',
  needs: 'sip_credentials:read',
  actions: [{ id: 'create_phone', search: { create: '1' }, needs: 'sip_credentials:manage' }],
  load: () => import('./phones_screen.tsx').then(module => module.PhonesScreen),
}
