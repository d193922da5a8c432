// The list of endpoints: by category while nothing is searched, else best first, with what was found marked. Rows are plain
// links, so that hundreds of them are drawn within a frame; the list opens them for the router.
import { Lock } from 'lucide-react'
import {
  type MouseEvent,
  memo,
  type RefObject,
  type SyntheticEvent,
  useDeferredValue,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { byCategory, endpointAddress, endpointById, type IndexEntry, preloadEndpoint } from '../session/catalog.ts'
import { Button, MethodBadge } from '../ui/index.ts'
import styles from './explorer.module.css'
import { pieces, typedWords } from './highlight.ts'
import { type Caller, isOpenTo } from './may_call.ts'
import { t } from './texts.ts'

export type EndpointListProps = {
  /** All that the filters leave, in the order of the catalog. */
  browsed: readonly IndexEntry[]
  /** What of it the search finds, best first; undefined while nothing is typed. */
  found: readonly IndexEntry[] | undefined
  typed: string
  /** The ? part of links, without and with the search. */
  suffixes: { browsed: string; found: string }
  opened: IndexEntry | undefined
  self: Caller
  onOpen(entry: IndexEntry): void
}

/** So many are drawn at once: who looks for something does not read further than this. */
const drawn = 50
// Outlives the list, which is made again when another screen was between.
let keptTop = 0

export function EndpointList({ browsed, found, typed, suffixes, opened, self, onOpen }: EndpointListProps) {
  const scroller = useRef<HTMLElement>(null)
  useListPlace(scroller, opened, typed)
  // A list that begins at its top shows its first screenful first.
  const entries = useDeferredValue(browsed, keptTop === 0 && opened === undefined ? browsed.slice(0, drawn) : browsed)
  const pressed = (event: MouseEvent) => {
    const entry = entryOf(event)
    if (entry === undefined || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onOpen(entry)
  }
  const pointed = (event: SyntheticEvent) => {
    const entry = entryOf(event)
    if (entry !== undefined) preloadEndpoint(entry.id)
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the links inside are what is pressed; Enter presses them
    <nav
      ref={scroller}
      className={styles['list']}
      aria-label={t('list')}
      onClick={pressed}
      onPointerOver={pointed}
      onFocus={pointed}
      onScroll={event => {
        keptTop = event.currentTarget.scrollTop
      }}
    >
      {(found ?? browsed).length === 0 && <p className={styles['none']}>{t('noneFound')}</p>}
      {/* It stays while results stand before it, so that a key costs only the results. */}
      <div hidden={found !== undefined}>
        <Browsed entries={entries} suffix={suffixes.browsed} openedId={opened?.id} self={self} locked={t('locked')} />
      </div>
      {found !== undefined && found.length > 0 && (
        <Found
          entries={found}
          typed={typed}
          suffix={suffixes.found}
          openedId={opened?.id}
          self={self}
          locked={t('locked')}
        />
      )}
    </nav>
  )
}

/** Keeps the list where it was, the opened row in sight, and new results at their best. */
function useListPlace(scroller: RefObject<HTMLElement | null>, opened: IndexEntry | undefined, typed: string): void {
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    element.scrollTop = keptTop
    if (opened !== undefined) showRow(element, opened.id)
  }, [scroller, opened])
  const lastTyped = useRef(typed)
  useLayoutEffect(() => {
    if (lastTyped.current !== typed && scroller.current !== null) scroller.current.scrollTop = 0
    lastTyped.current = typed
  }, [scroller, typed])
}

type RowsProps = {
  entries: readonly IndexEntry[]
  suffix: string
  openedId: string | undefined
  self: Caller
  /** Said of those that the person may not call. */
  locked: string
}

const Browsed = memo(function Browsed({ entries, ...rest }: RowsProps) {
  return byCategory(entries).map(([category, own]) => (
    <section key={category} aria-label={category}>
      <div className={styles['group']}>{category}</div>
      <Rows entries={own} words={noWords} {...rest} />
    </section>
  ))
})

const noWords: readonly string[] = []

function Found({ entries, typed, ...rest }: RowsProps & { typed: string }) {
  const [allOf, setAllOf] = useState<string>()
  const words = useMemo(() => typedWords(typed), [typed])
  const shown = allOf === typed ? entries : entries.slice(0, drawn)
  return (
    <section aria-label={t('results')}>
      <Rows entries={shown} words={words} {...rest} />
      {shown.length < entries.length && (
        <Button size="sm" variant="ghost" onClick={() => setAllOf(typed)}>
          {t('showAll', { count: entries.length })}
        </Button>
      )}
    </section>
  )
}

function Rows({ entries, words, suffix, openedId, self, locked }: RowsProps & { words: readonly string[] }) {
  return (
    <ul>
      {entries.map(entry => (
        <Row
          key={entry.id}
          entry={entry}
          words={words}
          suffix={suffix}
          isOpen={entry.id === openedId}
          locked={isOpenTo(entry, self) ? undefined : locked}
        />
      ))}
    </ul>
  )
}

function entryOf(event: SyntheticEvent): IndexEntry | undefined {
  const link = (event.target as Element).closest<HTMLElement>('a[data-id]')
  return link === null ? undefined : endpointById(link.dataset['id'] ?? '')
}

/** Scrolls the list itself, never the page, until the row can be seen. */
function showRow(list: HTMLElement, id: string): void {
  const row = list.querySelector<HTMLElement>(`:scope > :not([hidden]) a[data-id="${id}"]`)
  if (row === null) return
  const outer = list.getBoundingClientRect()
  const inner = row.getBoundingClientRect()
  // Below the sticky name of its category.
  const above = inner.top - outer.top - 32
  const below = inner.bottom - outer.bottom + 8
  if (above < 0) list.scrollTop += above
  else if (below > 0) list.scrollTop += below
}

type RowProps = {
  entry: IndexEntry
  words: readonly string[]
  suffix: string
  isOpen: boolean
  locked: string | undefined
}

const Row = memo(function Row({ entry, words, suffix, isOpen, locked }: RowProps) {
  const { id, method, name, path, version, category } = entry
  return (
    <li>
      <a
        href={endpointAddress(entry) + suffix}
        data-id={id}
        className={styles['row']}
        aria-current={isOpen ? 'page' : undefined}
        title={`${method} ${path}`}
      >
        <MethodBadge method={method} />
        <span className={styles['name']}>
          <Marked text={name} words={words} />
        </span>
        {locked !== undefined && <Lock size={12} role="img" aria-label={locked} className={styles['lock']} />}
        <span className={styles['version']}>{version}</span>
        {words.length > 0 && (
          <span className={styles['where']}>
            <Marked text={path} words={words} />
            <span> {category}</span>
          </span>
        )}
      </a>
    </li>
  )
})

function Marked({ text, words }: { text: string; words: readonly string[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, in its order
  return pieces(text, words).map(({ text: part, hit }, index) => (hit ? <mark key={index}>{part}</mark> : part))
}
