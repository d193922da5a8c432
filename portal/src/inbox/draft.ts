// What is typed in a conversation and not sent yet.
import { useFormDraft, useFormerDraft } from '../forms/form_draft.ts'
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
  /** Go with the mail. */
  attached: readonly File[]
}

const nameOf = (conversationId: string) => `inbox ${conversationId}`

/** @param former the conversation that became part of this one while one wrote in it */
export function useDraft({ conversationId, lastActivity }: One, former?: string) {
  const empty: Draft = {
    tab: lastActivity.kind === 'mail' ? 'mail' : 'text',
    ...{ text: '', sender: '', subject: '', mail: '', note: '', mentioned: [], files: [], attached: [] },
  }
  useFormerDraft(former && nameOf(former), nameOf(conversationId), empty, withTyped)
  const draft = useFormDraft(nameOf(conversationId), empty)
  return {
    ...draft,
    /** After sending; what is typed in the other tabs stays, and so does what is no longer as it was sent. */
    clear(tab: Draft['tab'], sent: Draft) {
      draft.attempts.forget()
      draft.change(old => withoutSent(old, tab, sent))
    },
  }
}

const both = (own: string, typed: string) => [own, typed].filter(text => text.trim() !== '').join('\n\n')

/** A draft with what was typed in a conversation that became part of this one: behind what stood here, if anything did. */
export function withTyped(own: Draft, typed: Draft): Draft {
  return {
    tab: typed.tab,
    text: both(own.text, typed.text),
    sender: own.sender || typed.sender,
    subject: own.subject || typed.subject,
    mail: both(own.mail, typed.mail),
    note: both(own.note, typed.note),
    mentioned: [...own.mentioned, ...typed.mentioned],
    files: [...own.files, ...typed.files],
    attached: [...own.attached, ...typed.attached],
  }
}

/** A draft without what was sent of it, unless that was changed meanwhile. */
export function withoutSent(now: Draft, tab: Draft['tab'], sent: Draft): Draft {
  if (now[tab] !== sent[tab]) return now
  if (tab === 'text') return { ...now, text: '' }
  const without = (files: readonly File[], gone: readonly File[]) => files.filter(file => !gone.includes(file))
  if (tab === 'mail') {
    const attached = without(now.attached, sent.attached)
    return { ...now, mail: '', attached, ...(now.subject === sent.subject && { subject: '' }) }
  }
  return { ...now, note: '', mentioned: [], files: without(now.files, sent.files) }
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
