// What arrives on the phone while one looks: which conversations have something unread, and a sentence for a screen reader
// about what arrives elsewhere than in the open conversation.
import { useEffect, useRef, useState } from 'react'
import { t } from './texts.ts'
import { standingOf, type Text } from './threads.ts'

const none: ReadonlySet<string> = new Set()

/**
 * @param texts undefined until they are read
 * @param open the conversation one looks at
 */
export function useArrivals(texts: readonly Text[] | undefined, open: string | undefined) {
  const [unread, setUnread] = useState(none)
  const [announcement, setAnnouncement] = useState('')
  const known = useRef<ReadonlyMap<string, string>>(undefined)
  useEffect(() => {
    if (texts === undefined) return
    const before = known.current
    known.current = new Map(texts.map(text => [text.messageId, standingOf(text)]))
    if (before === undefined) return
    const newest = [...before.keys()].sort().at(-1) ?? ''
    // Older texts that were fetched just now arrived long ago.
    const fresh = texts.filter(text => {
      const was = before.get(text.messageId)
      return standingOf(text) === 'arrived' && (was === 'coming' || (was === undefined && text.messageId > newest))
    })
    const elsewhere = fresh.filter(({ from }) => from !== open)
    if (elsewhere.length === 0) return
    setUnread(old => new Set([...old, ...elsewhere.map(({ from }) => from)]))
    const last = elsewhere.at(-1)
    setAnnouncement(last === undefined ? '' : t('newFrom', { number: last.from, text: last.body ?? '' }))
  }, [texts, open])
  useEffect(() => {
    if (open !== undefined) setUnread(old => (old.has(open) ? new Set([...old].filter(one => one !== open)) : old))
  }, [open])
  return { unread, announcement }
}
