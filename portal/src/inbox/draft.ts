// What is typed in a conversation and not sent yet.
import { useFormDraft } from '../forms/form_draft.ts'
import type { Words } from '../mails/template_words.ts'
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
    /** After sending; what is typed in the other tabs stays, and so does what is no longer as it was sent. */
    clear(tab: Draft['tab'], sent: Draft) {
      draft.attempts.forget()
      draft.change(old => withoutSent(old, tab, sent))
    },
  }
}

/** A draft without what was sent of it, unless that was changed meanwhile. */
export function withoutSent(now: Draft, tab: Draft['tab'], sent: Draft): Draft {
  if (now[tab] !== sent[tab]) return now
  if (tab === 'text') return { ...now, text: '' }
  if (tab === 'mail') return { ...now, mail: '', ...(now.subject === sent.subject && { subject: '' }) }
  return { ...now, note: '', mentioned: [], files: now.files.filter(file => !sent.files.includes(file)) }
}

/** A draft with the words of a template in the tab that is written in; a text has no subject. */
export function withTemplate(now: Draft, tab: Draft['tab'], next: (now: Words) => Words): Draft {
  const { subject, text } = next({ subject: now.subject, text: tab === 'text' ? now.text : now.mail })
  return tab === 'text' ? { ...now, text } : { ...now, subject, mail: text }
}

export const isEmpty = (values: Draft, tab: Draft['tab']) => values[tab].trim() === ''

/** Who of those that were chosen is still named. */
export function mentionsIn(note: string, mentioned: readonly Mention[]): number[] {
  return [...new Set(mentioned.filter(({ name }) => note.includes(`@${name}`)).map(({ userId }) => userId))]
}
