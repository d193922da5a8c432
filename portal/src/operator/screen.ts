// The console of those who run the installation; reached by its address and by the palette.
import { ShieldCheck } from 'lucide-react'
import type { ScreenEntry } from '../navigation/screen.ts'

export const operator: ScreenEntry = {
  id: 'operator',
  path: '/operator',
  name: 'Operator console',
  icon: ShieldCheck,
  hint: 'For those who run this installation: organizations, operators',
  load: () => import('./operator_screen.tsx').then(module => module.OperatorScreen),
}
