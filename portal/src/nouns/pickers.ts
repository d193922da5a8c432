// The choices of a record and of a tag, fetched from the first sign of a person on: few cells and filters have one.
import { readyPart } from '../ui/lazy_part.tsx'

export const RecordPicker = readyPart(() => import('./picker.tsx').then(module => module.RecordPicker))
export const TagPicker = readyPart(() => import('./tagging/tag_picker.tsx').then(module => module.TagPicker))
