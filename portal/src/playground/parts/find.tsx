// Finding text in a body, in the request's editor and in the answer alike.
import { ChevronDown, ChevronUp } from 'lucide-react'
import { type Ref, useDeferredValue, useMemo, useState } from 'react'
import { IconButton } from '../../ui/index.ts'
import { isComposing } from '../../ui/input_method.ts'
import { countText } from '../../words/format.ts'
import { findIn, type Match } from '../body/body_work.ts'
import { t } from '../texts.ts'
import styles from './response.module.css'

export type Find = {
  query: string
  setQuery(query: string): void
  matches: readonly Match[]
  index: number
  current: Match | undefined
  step(by: number): void
}
const nothing: readonly Match[] = []

/** Finds in `text`; letter case counts only when the query has capitals. */
export function useFind(text: string): Find {
  const [query, setQuery] = useState('')
  const [index, setIndex] = useState(0)
  const wanted = useDeferredValue(query)
  const matches = useMemo(() => (wanted === '' ? nothing : findIn(text, wanted)), [text, wanted])
  const shown = Math.min(index, Math.max(0, matches.length - 1))
  return {
    query,
    setQuery(next) {
      setQuery(next)
      setIndex(0)
    },
    matches,
    index: shown,
    current: matches[shown],
    step: by => setIndex(matches.length === 0 ? 0 : (shown + by + matches.length) % matches.length),
  }
}

export type FindFieldProps = { find: Find; label: string; ref?: Ref<HTMLInputElement>; onClose?(): void }
export function FindField({ find, label, ref, onClose }: FindFieldProps) {
  const { query, setQuery, matches, index, step } = find
  const count = countText(Math.min(matches.length, 10_000), matches.length < 10_000)
  return (
    <span className={styles['find']}>
      <input
        ref={ref}
        type="search"
        aria-label={label}
        placeholder={label}
        spellCheck={false}
        value={query}
        onChange={event => setQuery(event.target.value)}
        onKeyDown={event => {
          if (isComposing(event)) return
          if (event.key === 'Escape' && onClose !== undefined) {
            event.preventDefault()
            onClose()
          }
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
          event.preventDefault()
          step(event.shiftKey ? -1 : 1)
        }}
      />
      {query !== '' && (
        <>
          <span className={styles['findCount']} role="status">
            {matches.length === 0 ? t('findNone') : t('findOf', { index: index + 1, count })}
          </span>
          <IconButton size="sm" label={t('previousMatch')} icon={<ChevronUp size={14} />} onClick={() => step(-1)} />
          <IconButton size="sm" label={t('nextMatch')} icon={<ChevronDown size={14} />} onClick={() => step(1)} />
        </>
      )}
    </span>
  )
}
