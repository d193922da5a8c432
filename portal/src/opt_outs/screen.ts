// What the portal knows of Opt-outs without loading it: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const optOuts: ScreenEntry = {
  id: 'opt_outs',
  path: '/opt-outs',
  entries: ['messaging'],
  setting: 'phone',
  key: 'o',
  needs: 'messages:read',
  actions: [{ id: 'create_opt_out', search: { create: '1' }, needs: 'messages:manage' }],
  load: () => import('./opt_outs_screen.tsx').then(module => module.OptOutsScreen),
}
