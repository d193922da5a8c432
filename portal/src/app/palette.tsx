// The palette: from anywhere to any person, company, invoice, page, action, endpoint or id, with a few keys. In the workspace records come
// first and endpoints last, with the developer tools it is the other way round.
import { createSearch } from '@tandem/catalog'
import { useNavigate } from '@tanstack/react-router'
import { Dialog } from 'radix-ui'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { t as tInspected } from '../inspector/texts.ts'
import { useOffered } from '../navigation/access.ts'
import { actionName, hintOf, otherWordsOf } from '../navigation/finding/finding.ts'
import { kindOfId } from '../navigation/ids.ts'
import { useInspect } from '../navigation/inspect.ts'
import { type NamedScreen, type SideId, sides } from '../navigation/screen.ts'
import { ScreenIcon } from '../navigation/screen_icon.tsx'
import { endpointAddress, endpoints } from '../session/catalog.ts'
import { setMode, useSession } from '../session/session.ts'
import { setTheme, useTheme } from '../session/theme.ts'
import { dial } from '../softphone/actions.ts'
import { openDialer } from '../softphone/store.ts'
import { looksDialled } from '../softphone/words.ts'
import { MethodBadge, useFocusReturn } from '../ui/index.ts'
import { isComposing } from '../ui/input_method.ts'
import styles from './palette.module.css'
import { useFoundRecords } from './palette_records.ts'
import { t } from './texts.ts'

type Item = {
  key: string
  group: 'id' | 'actions' | 'pages' | 'endpoints' | 'records'
  /** What is said before the name, where that is not the group. */
  kind?: string
  name: string
  method?: string
  hint?: string
  run(): void
}

const search = createSearch(endpoints)
const shownEndpoints = 8

function containing(typed: string, ...texts: (string | undefined)[]): boolean {
  const text = texts.join(' ').toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every(word => text.includes(word))
}

/** What can be done from anywhere, and begun on the screens. */
function useActions(screens: readonly NamedScreen[], onHelp: () => void): { name: string; run(): void }[] {
  const navigate = useNavigate()
  const { mode, permissions, logOut } = useSession()
  const { resolved } = useTheme()
  const otherMode = mode === 'live' ? 'test' : 'live'
  const otherTheme = resolved === 'dark' ? 'light' : 'dark'
  return [
    ...screens.flatMap(({ path, actions = [] }) =>
      actions
        .filter(({ needs }) => needs === undefined || permissions.has(needs))
        .map(action => ({
          name: actionName(action),
          run: () => void navigate({ to: path as '/', search: action.search ?? {} }),
        })),
    ),
    ...(permissions.has('phone:use') ? [{ name: t('callNumber'), run: openDialer }] : []),
    {
      name: t('sendSms'),
      run: () => void navigate({ to: '/playground', search: { endpoint: 'messages.sms.send' } }),
    },
    { name: t(`switchTo.${otherMode}`), run: () => setMode(otherMode) },
    { name: t(`theme.${otherTheme}`), run: () => setTheme(otherTheme) },
    { name: t('shortcuts'), run: onHelp },
    { name: t('logOut'), run: () => void logOut() },
  ]
}

/** What a text names outright: an id to inspect, a number to call. */
function useNamed(text: string): Item[] {
  const { inspect } = useInspect()
  const { permissions } = useSession()
  const items: Item[] = []
  const kind = kindOfId(text)
  if (kind !== undefined) {
    const hint = tInspected.of('kind', kind) ?? kind.replaceAll('_', ' ')
    items.push({ key: text, group: 'id', name: t('inspect', { id: text }), hint, run: () => inspect(text) })
  }
  if (looksDialled(text) && permissions.has('phone:use')) {
    items.push({ key: 'call', group: 'actions', name: t('call', { number: text }), run: () => void dial({ to: text }) })
  }
  return items
}

function useItems(screens: readonly NamedScreen[], side: SideId, typed: string, onHelp: () => void): Item[] {
  const text = typed.trim()
  const navigate = useNavigate()
  const offered = useOffered(screens)
  const found = useFoundRecords(text)
  const begun = useActions(screens, onHelp)
  const named = useNamed(text)
  const go = (address: string) => void navigate({ to: address as '/' })
  const pages = (text === '' ? ofSideFirst(offered, side) : offered)
    .filter(screen => containing(text, screen.name, hintOf(screen), otherWordsOf(screen)))
    .map(({ id, name, key, path }) => ({
      key: id,
      group: 'pages' as const,
      name,
      ...(key !== undefined && { hint: `g ${key}` }),
      run: () => go(path),
    }))
  const actions = begun
    .filter(({ name }) => containing(text, name))
    .map(action => ({ ...action, key: action.name, group: 'actions' as const }))
  const matches = useMemo(() => (text === '' ? [] : search(text).slice(0, shownEndpoints)), [text]).map(entry => ({
    key: entry.id,
    group: 'endpoints' as const,
    name: entry.name,
    method: entry.method,
    hint: entry.path,
    run: () => go(endpointAddress(entry)),
  }))
  const records = found.map(({ address, ...record }) => ({
    ...record,
    group: 'records' as const,
    run: () => go(address),
  }))
  return [...named, ...inOrder(side, text, { pages, actions, matches, records })]
}

/** Before anything is typed: what one is among already. */
function ofSideFirst(screens: readonly NamedScreen[], side: SideId): NamedScreen[] {
  const own: readonly string[] = sides[side].entries
  const isOwn = ({ entries = [] }: NamedScreen) => entries.some(entry => own.includes(entry))
  return [...screens.filter(isOwn), ...screens.filter(screen => !isOwn(screen))]
}

type Kinds = Record<'pages' | 'actions' | 'matches' | 'records', Item[]>

/** What is named in full comes before all that merely contains the words; what then, the side says. */
function inOrder(side: SideId, text: string, { pages, actions, matches, records }: Kinds): Item[] {
  const lower = text.toLowerCase()
  const isNamed = ({ name }: Item) => name.toLowerCase() === lower
  const begins = ({ name }: Item) => name.toLowerCase().startsWith(lower)
  const phrased = lower.includes(' ') && !matches.some(begins) ? actions.filter(begins) : []
  const first = [...new Set([...pages.filter(isNamed), ...actions.filter(isNamed), ...phrased])]
  const left = (of: Item[]) => of.filter(item => !first.includes(item))
  if (text === '') return [...pages, ...actions]
  return side === 'workspace'
    ? [...first, ...records, ...left(actions), ...left(pages), ...matches]
    : [...first, ...matches, ...records, ...left(pages), ...left(actions)]
}

/** Radix would select what was typed before the palette stood, and the next key replace it. */
function focusBehindText(event: Event): void {
  event.preventDefault()
  const field = (event.currentTarget as HTMLElement).querySelector('input')
  field?.focus()
  field?.setSelectionRange(field.value.length, field.value.length)
}

/** The item that arrow keys or the pointer chose, the first where they chose none. What is found later changes no choice. */
function useChoice(items: readonly Item[]) {
  const [chosen, setChosen] = useState<string>()
  const at = items.findIndex(item => keyOf(item) === chosen)
  return {
    active: Math.max(0, at),
    setActive: (index: number) => setChosen(items[index] && keyOf(items[index])),
    clear: () => setChosen(undefined),
  }
}

const keyOf = ({ group, key }: Item) => `${group} ${key}`

type PaletteProps = {
  /** The side that is shown. */
  side: SideId
  /** Those of the navigation; handed in, so that the palette's bundle shares nothing with theirs. */
  screens: readonly NamedScreen[]
  /** What was typed before it stood. */
  start: string
  onClose(): void
  onHelp(): void
}
export function Palette({ screens, side, start, onClose, onHelp }: PaletteProps) {
  const id = useId()
  const [typed, setTyped] = useState(start)
  const items = useItems(screens, side, typed, onHelp)
  const { active, setActive, clear } = useChoice(items)
  const focus = useFocusReturn(focusBehindText)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector(`[data-index="${active}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [active])
  const choose = (item: Item | undefined) => {
    if (item === undefined) return
    onClose()
    item.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && items.length > 0) {
      event.preventDefault()
      setActive((active + step + items.length) % items.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      choose(items[active])
    }
  }
  return (
    <Dialog.Root open onOpenChange={open => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles['overlay']} />
        <Dialog.Content className={styles['palette']} aria-describedby={undefined} {...focus}>
          <Dialog.Title className="visually-hidden">{t('search')}</Dialog.Title>
          <input
            className={styles['input']}
            role="combobox"
            aria-label={t('paletteLabel')}
            aria-expanded="true"
            aria-controls={`${id}-list`}
            aria-activedescendant={items[active] === undefined ? undefined : `${id}-${active}`}
            aria-autocomplete="list"
            placeholder={t(`paletteHint.${side}`)}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={event => {
              setTyped(event.target.value)
              clear()
            }}
            onKeyDown={onKeyDown}
          />
          <div ref={list} id={`${id}-list`} className={styles['list']} role="listbox" aria-label={t('results')}>
            {items.map((item, index) => (
              <PaletteOption
                key={keyOf(item)}
                id={`${id}-${index}`}
                index={index}
                item={item}
                heading={item.group !== items[index - 1]?.group}
                active={index === active}
                onPoint={() => setActive(index)}
                onChoose={() => choose(item)}
              />
            ))}
          </div>
          {items.length === 0 && (
            <p className={styles['none']} role="status">
              {t(`nothing.${side}`)}
            </p>
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

type PaletteOptionProps = {
  id: string
  index: number
  item: Item
  heading: boolean
  active: boolean
  onPoint(): void
  onChoose(): void
}
function PaletteOption({ id, index, item, heading, active, onPoint, onChoose }: PaletteOptionProps) {
  return (
    <>
      {heading && (
        <div className={styles['group']} role="presentation">
          {t(`group.${item.group}`)}{' '}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard stays in the field */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: active by aria-activedescendant */}
      <div
        id={id}
        data-index={index}
        role="option"
        aria-selected={active}
        className={styles['option']}
        onPointerMove={onPoint}
        onClick={onChoose}
      >
        {item.method === undefined ? <Kind of={item} /> : <MethodBadge method={item.method} />}
        <span className={styles['name']} dir="auto">
          {item.name}
        </span>
        <span className={item.kind === undefined ? styles['faint'] : styles['hint']}>{item.hint}</span>
      </div>
    </>
  )
}

/** What an item is, before its name: a page by its icon. */
function Kind({ of: { group, key, kind } }: { of: Item }) {
  const word = kind ?? t.of('kind', group)
  if (group !== 'pages') return <span className={styles['hint']}>{word}</span>
  return (
    <span className={styles['icon']}>
      <ScreenIcon id={key} size={16} />
      <span className="visually-hidden">{word}</span>
    </span>
  )
}
