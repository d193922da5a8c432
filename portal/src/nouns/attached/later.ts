// The panels of the composer: each is fetched at the first sign of somebody.
import { readyPart } from '../../ui/lazy_part.tsx'

export const TextPanel = readyPart(() => import('./text_panel.tsx').then(module => module.TextPanel))
export const CallPanel = readyPart(() => import('./call_panel.tsx').then(module => module.CallPanel))
export const NotePanel = readyPart(() => import('./note_panel.tsx').then(module => module.NotePanel))
export const TaskPanel = readyPart(() => import('./task_panel.tsx').then(module => module.TaskPanel))
export const MailPanel = readyPart(() => import('./mail_panel.tsx').then(module => module.MailPanel))
