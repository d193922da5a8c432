// Says that the person looks at a conversation, or writes an answer, for as long as they do.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { t } from './texts.ts'
import { conversationKey } from './use_inbox.ts'
import type { One } from './views.ts'

const everyMs = 15_000

export function usePresence(conversationId: string, isComposing: boolean): void {
  const api = useApi()
  const cache = useQueryClient()
  const { mode } = useSession()
  useEffect(() => {
    const stop = new AbortController()
    const say = async () => {
      if (document.hidden) return
      try {
        const state = isComposing ? 'composing' : 'viewing'
        const { presence } = await api.conversations.presence({ conversationId, state }, { signal: stop.signal })
        cache.setQueryData<One>(conversationKey(mode, conversationId), old => old && { ...old, presence })
      } catch {
        // It is said again in a moment.
      }
    }
    void say()
    const timer = setInterval(() => void say(), everyMs)
    document.addEventListener('visibilitychange', say)
    return () => {
      stop.abort()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', say)
    }
  }, [api, cache, mode, conversationId, isComposing])
  useEffect(
    () => () => void api.conversations.presence({ conversationId, state: 'away' }).catch(() => undefined),
    [api, conversationId],
  )
}

/** "Kenji is writing an answer", "Kenji and Mia are looking at this". */
export function presenceText(presence: One['presence']): string | undefined {
  const writing = presence.filter(({ state }) => state === 'composing')
  const shown = writing.length > 0 ? writing : presence
  const [first, second] = shown
  if (first === undefined) return undefined
  const does = writing.length > 0 ? 'composing' : 'viewing'
  const { name } = first
  if (second === undefined) return t(`presence.${does}.one`, { name })
  if (shown.length === 2) return t(`presence.${does}.two`, { name, other: second.name })
  return t(`presence.${does}.more`, { name, count: shown.length - 1 })
}
