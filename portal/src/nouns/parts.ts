// Parts of lists and pages that stand only once somebody asks for them: no screen needs them to be shown. The editor of a field and the
// bar of what is selected are no such parts: letters that are typed at once would be lost, and rows move under the pointer.
import { readyPart } from '../ui/lazy_part.tsx'

export const AttachedTab = readyPart(() => import('./attached/attached_tab.tsx').then(module => module.AttachedTab))
export const RecordTags = readyPart(() => import('./attached/tags.tsx').then(module => module.Tags))
export const ListTools = readyPart(() => import('./list_tools.tsx').then(module => module.ListTools))
export const ManyDialog = readyPart(() => import('../messages/many/many_dialog.tsx').then(module => module.ManyDialog))
export const MergeDialog = readyPart(() => import('./merging/merge_dialog.tsx').then(module => module.MergeDialog))
export const TagsDialog = readyPart(() => import('./tagging/tags_dialog.tsx').then(module => module.TagsDialog))
export const TagsFilter = readyPart(() => import('./tagging/tags_filter.tsx').then(module => module.TagsFilter))
export const TagFilterChips = readyPart(() => import('./tagging/tags_filter.tsx').then(module => module.TagFilterChips))
export const Board = readyPart(() => import('./board.tsx').then(module => module.Board))
export const CreateForm = readyPart(() => import('./form.tsx').then(module => module.CreateForm))
export const DeveloperTab = readyPart(() => import('./developer_tab.tsx').then(module => module.DeveloperTab))
export const DuplicatesNote = readyPart(() => import('./duplicates.tsx').then(module => module.DuplicatesNote))
export const EditForm = readyPart(() => import('./form.tsx').then(module => module.EditForm))
export const History = readyPart(() => import('./history.tsx').then(module => module.History))
export const MissingRecord = readyPart(() => import('../data/record_states.tsx').then(module => module.MissingRecord))
export const RelatedList = readyPart(() => import('./related_list.tsx').then(module => module.RelatedList))
