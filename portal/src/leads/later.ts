// What a press opens, and no screen of leads needs to be shown.
import { readyPart } from '../navigation/lazy_screen.tsx'

export const MoveDialog = readyPart(() => import('./move_dialog.tsx').then(module => module.MoveDialog))
export const ResourceEvents = readyPart(() =>
  import('../data/resource_events.tsx').then(module => module.ResourceEvents),
)
