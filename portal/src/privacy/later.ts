// What pages of people open by a press, fetched then.
import { readyPart } from '../ui/lazy_part.tsx'

export const PersonMenu = readyPart(() => import('./person_menu.tsx').then(module => module.PersonMenu))
