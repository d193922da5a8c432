// The console of those who run the installation; reached by its address and by the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const operator: ScreenEntry = {
  id: 'operator',
  path: '/operator',
  load: () => import('./operator_screen.tsx').then(module => module.OperatorScreen),
  pages: [
    {
      id: 'operator_status',
      path: '/operator/status',
      load: () => import('./operator_status.tsx').then(module => module.OperatorStatus),
    },
  ],
}
