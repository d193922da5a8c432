// Has the server fill in a template that was chosen to write with, and puts its words into what is being written.
// For the composers of mails and of conversations alike.
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useApi } from '../session/api.ts'
import { createLatest, type Words, withWords } from './template_words.ts'

export type TemplateWordsOptions = {
  /** Of whom it is written to. */
  name: string
  /** Changes what is being written. */
  onWords(next: (now: Words) => Words): void
  /** Where in the text the words are to stand; its end when undefined. */
  caret(): number | undefined
  onError?(error: Error): void
}

export function useTemplateWords({ name, onWords, caret, onError }: TemplateWordsOptions) {
  const api = useApi()
  const [choices] = useState(createLatest)
  const put = useRef<Words>(undefined)
  const fill = useMutation({
    gcTime: 0,
    mutationFn: async ({ turn, subject, text }: Words & { turn: number }) => ({
      turn,
      words: await api.mailTemplates.preview({ subject, text, data: { name } }),
    }),
    onSuccess({ turn, words: { subject, text } }) {
      if (!choices.isLatest(turn)) return
      const before = put.current
      const at = caret()
      put.current = { subject, text }
      onWords(now => withWords(now, { subject, text }, before, at))
    },
    onError: (error, { turn }) => choices.isLatest(turn) && onError?.(error),
  })
  return {
    error: fill.error,
    isPending: fill.isPending,
    choose: ({ subject, text }: Words) => fill.mutate({ turn: choices.begin(), subject, text }),
    /** No template after all: what is on its way is not put there. */
    chooseNone: () => void choices.begin(),
  }
}
