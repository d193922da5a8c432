// The texts of one handset, kept up with what happens: read once, then updated by the stream. Without the right to read events
// they are read again every few seconds while the page is visible.
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useCursorList } from '../data/lists.ts'
import { useLive } from '../data/live.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { isOf, type Text } from './threads.ts'

const pollMs = 3_000

/** When a text was known to be so, by the clock of the page. */
type Known = Text & { knownMs: number }

export function useHandset(handset: string) {
  const api = useApi()
  const { permissions } = useSession()
  const mayHear = permissions.has('events:read')
  const [heard, setHeard] = useState<ReadonlyMap<string, Known>>(new Map())
  const take = (text: Text) =>
    setHeard(old => new Map(old).set(text.messageId, { ...text, knownMs: performance.now() }))
  const list = useCursorList<Known>('texts of a handset', { participant: handset }, async (cursor, signal) => {
    const knownMs = performance.now()
    const page = await api.messages.list(
      { participant: handset, limit: 100, ...(cursor === undefined ? {} : { cursor }) },
      { signal },
    )
    return { ...page, items: page.items.map(text => ({ ...text, knownMs })) }
  })
  const refetch = useRef(list.query.refetch)
  refetch.current = list.query.refetch
  const live = useLive(
    [{ events: ['message.*'] }],
    message => {
      if (message.event === 'gap') return void refetch.current()
      if (message.event !== 'event') return undefined
      // An event carries the whole record as it was then.
      const text = message.data.data as Text
      return isOf(handset, text) ? take(text) : undefined
    },
    mayHear,
  )
  // What happened between the first reading and the stream would be missed.
  useEffect(() => {
    if (live === 'open') void refetch.current()
  }, [live])
  useEffect(() => {
    if (mayHear) return undefined
    const timer = setInterval(() => document.visibilityState === 'visible' && void refetch.current(), pollMs)
    return () => clearInterval(timer)
  }, [mayHear])

  const texts = new Map(list.items.map(item => [item.messageId, item]))
  for (const [id, text] of heard) {
    const read = texts.get(id)
    if (isOf(handset, text) && (read === undefined || read.knownMs <= text.knownMs)) texts.set(id, text)
  }
  return { list, texts: [...texts.values()] as readonly Text[], take, mayHear, live }
}

/** Sends a text as if it were typed on the phone. */
export function useAnswer(handset: string, onSent: (text: Text) => void) {
  const api = useApi()
  return useMutation({
    mutationFn: ({ to, body }: { to: string; body: string }) => api.messages.testInbound({ from: handset, to, body }),
    onSuccess: onSent,
  })
}
