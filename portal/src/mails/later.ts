// What a press opens, and no screen needs to be shown.
import { readyPart } from '../ui/lazy_part.tsx'

export const Composer = readyPart(() => import('./composer.tsx').then(module => module.Composer))
