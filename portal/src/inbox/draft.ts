// What is typed in a conversation and not sent yet.
import { useFormDraft } from '../forms/form_draft.ts'
import type { One } from './views.ts'

export type Mention = { userId: number; name: string }
export type Draft = {
  tab: 'text' | 'mail' | 'note'
  text: string
  sender: string
  subject: string
  mail: string
  note: string
  mentioned: readonly Mention[]
  /** Of the note: put on the record when it is sent. */
  files: readonly File[]
}

export function useDraft({ conversationId, lastActivity }: One) {
  const empty: Draft = {
    tab: lastActivity.kind === 'mail' ? 'mail' : 'text',
    ...{ text: '', sender: '', subject: '', mail: '', note: '', mentioned: [], files: [] },
  }
  const draft = useFormDraft(`inbox ${conversationId}`, empty)
  return {
    ...draft,
    /** After sending; what is typed in the other tabs stays. */
    clear(tab: Draft['tab']) {
      const gone: Partial<Draft> =
        tab === 'text'
          ? { text: '' }
          : tab === 'mail'
            ? { mail: '', subject: '' }
            : { note: '', mentioned: [], files: [] }
      draft.change(old => ({ ...old, ...gone }))
    },
  }
}

export const isEmpty = (values: Draft, tab: Draft['tab']) => values[tab].trim() === ''

/** Who of those that were chosen is still named. */
export function mentionsIn(note: string, mentioned: readonly Mention[]): number[] {
  return [...new Set(mentioned.filter(({ name }) => note.includes(`@${name}`)).map(({ userId }) => userId))]
}
