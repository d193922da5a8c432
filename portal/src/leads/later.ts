// What a press opens, and no screen of leads needs to be shown.
import { readyPart } from '../ui/lazy_part.tsx'

export const MoveDialog = readyPart(() => import('./move_dialog.tsx').then(module => module.MoveDialog))
export const ResourceEvents = readyPart(() =>
  import('../data/resource_events.tsx').then(module => module.ResourceEvents),
)
