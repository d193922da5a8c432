// A text field with a list of choices under it, after the combobox pattern of the ARIA Authoring Practices: focus stays in
// the field, the active choice is named by aria-activedescendant.
import { ChevronDown } from 'lucide-react'
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { classes } from './button.tsx'
import styles from './combobox.module.css'
import { enterDoes } from './combobox_enter.ts'
import { unlessComposing } from './input_method.ts'
import { t } from './texts.ts'

export type ComboboxOption = {
  value: string
  /** Shown in the field and searched. */
  label: string
  /** Faint, at the right. */
  hint?: string
  group?: string
  /** Searched besides the label. */
  keywords?: string
  /** Drawn instead of the label in the list. */
  content?: ReactNode
}

export type ComboboxProps = {
  label: string
  hideLabel?: boolean
  options: readonly ComboboxOption[]
  value: string
  onChange(value: string): void
  placeholder?: string
  className?: string
  hint?: string
  error?: string
  /** What is typed and is none of the options is taken as it is, with Enter or by going on. */
  freeText?: boolean
  /** The options are still on their way: Enter waits for them, for what was typed may turn out to be one. */
  isLoading?: boolean
  /** Hears what is typed, for options that are fetched; '' when one was chosen. */
  onTyped?(text: string): void
  /** Replaces the plain "contains each word" filter. */
  filter?(options: readonly ComboboxOption[], typed: string): readonly ComboboxOption[]
}

/** Options that contain each word, those with the words as they were typed first: "get a lead" before lists of leads by GET. */
function containing(options: readonly ComboboxOption[], typed: string): readonly ComboboxOption[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const textOf = (option: ComboboxOption) => `${option.label} ${option.keywords ?? ''}`.toLowerCase()
  const found = options.filter(option => words.every(word => textOf(option).includes(word)))
  const phrase = words.join(' ')
  const { whole = [], parts = [] } = Object.groupBy(found, option =>
    textOf(option).includes(phrase) ? 'whole' : 'parts',
  )
  return [...whole, ...parts]
}

export function Combobox(props: ComboboxProps) {
  const { label, hideLabel, options, value, onChange, placeholder, className, filter = containing } = props
  const { hint, error, freeText = false, isLoading = false, onTyped } = props
  const id = useId()
  const [open, setOpen] = useState(false)
  // What is typed; undefined while the field shows the chosen label.
  const [typed, setTyped] = useState<string>()
  const [active, setActive] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const chosen = options.find(option => option.value === value)
  const found = useMemo(
    () => (typed === undefined || typed.trim() === '' ? options : filter(options, typed)),
    [options, typed, filter],
  )
  const current = found[active]

  useInSight(list, open ? active : undefined)
  const place = usePlaceInDialog(list, open, () => setOpen(false))

  const show = () => {
    if (open) return
    setOpen(true)
    const at = options.findIndex(option => option.value === value)
    setActive(Math.max(0, at))
  }
  const hide = () => {
    setOpen(false)
    setTyped(undefined)
    onTyped?.('')
  }
  const takeTyped = () => {
    if (freeText && typed !== undefined) onChange(typed.trim())
    hide()
  }
  const choose = (option: ComboboxOption) => {
    onChange(option.value)
    hide()
  }
  // Only what was typed in full, or what no option begins to be: of others nobody has seen what they would take.
  const keepEnter = useEarlyEnter(isLoading, typed, () => {
    const exact = options.find(option => option.label.toLowerCase() === typed?.trim().toLowerCase())
    if (exact !== undefined) choose(exact)
    else if (freeText && found.length === 0) takeTyped()
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!open) return show()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActive(index => (found.length === 0 ? 0 : (index + step + found.length) % found.length))
    } else if (event.key === 'Enter' && open) {
      event.preventDefault()
      const does = { wait: keepEnter, take: takeTyped, choose: () => current !== undefined && choose(current) }
      does[enterDoes(typed, { isLoading, active, found: found.length })]()
    } else if (event.key === 'Escape' && open) {
      event.preventDefault()
      event.stopPropagation()
      hide()
    } else if (event.key === 'Home' && open) setActive(0)
    else if (event.key === 'End' && open) setActive(Math.max(0, found.length - 1))
  }

  return (
    <div className={classes(styles['box'], className)}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : styles['label']}>
        {label}
      </label>
      <div className={styles['control']}>
        <input
          id={id}
          className={styles['input']}
          role="combobox"
          aria-expanded={open}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={open && current !== undefined ? `${id}-${active}` : undefined}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={[hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined}
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholder}
          value={typed ?? chosen?.label ?? (freeText ? value : '')}
          onChange={event => {
            setTyped(event.target.value)
            onTyped?.(event.target.value)
            setOpen(true)
            setActive(0)
          }}
          onClick={show}
          onFocus={event => event.target.select()}
          onBlur={takeTyped}
          onKeyDown={unlessComposing(onKeyDown)}
        />
        <ChevronDown className={styles['chevron']} size={16} aria-hidden="true" />
        <div
          id={`${id}-list`}
          ref={list}
          className={styles['list']}
          style={place}
          role="listbox"
          aria-label={label}
          hidden={!open}
        >
          {open &&
            found.map((option, index) => (
              <OptionRow
                key={option.value}
                id={`${id}-${index}`}
                index={index}
                option={option}
                heading={option.group !== undefined && option.group !== found[index - 1]?.group}
                active={index === active}
                selected={option.value === value}
                onPoint={() => setActive(index)}
                onChoose={() => choose(option)}
              />
            ))}
          {open && found.length === 0 && (
            <NoneFound text={t(isLoading ? 'loading' : freeText ? 'freeText' : 'noMatch')} />
          )}
        </div>
      </div>
      <Below id={id} hint={hint} error={error} />
    </div>
  )
}

function NoneFound({ text }: { text: string }) {
  return (
    <div className={styles['none']} role="option" aria-selected="false" aria-disabled="true" tabIndex={-1}>
      {text}
    </div>
  )
}

/** Scrolls the list to the active choice. */
function useInSight(list: { current: HTMLElement | null }, active: number | undefined): void {
  useEffect(() => {
    if (active !== undefined)
      list.current?.querySelector(`[data-index="${active}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [list, active])
}

/** An Enter that came before the options: kept until they are there, or until something else is typed. */
function useEarlyEnter(isLoading: boolean, typed: string | undefined, take: () => void): () => void {
  // What was typed when it came.
  const [kept, setKept] = useState<string>()
  const latest = useRef(take)
  latest.current = take
  useEffect(() => {
    if (kept === undefined || (kept === typed && isLoading)) return
    setKept(undefined)
    if (kept === typed) latest.current()
  }, [kept, typed, isLoading])
  return () => setKept(typed)
}

type BelowProps = { id: string; hint: string | undefined; error: string | undefined }
function Below({ id, hint, error }: BelowProps) {
  return (
    <>
      {hint !== undefined && (
        <span id={`${id}-hint`} className={styles['below']}>
          {hint}
        </span>
      )}
      {error !== undefined && (
        <span id={`${id}-error`} className={styles['error']} role="alert">
          {error}
        </span>
      )}
    </>
  )
}

/** Room that the list needs below its field; with less it stands above. */
const roomPx = 180
const maxPx = 320

/**
 * A dialog scrolls what it holds and would cut the list off: there it is fixed over the dialog, and goes when that scrolls.
 * Elsewhere the style sheet places it.
 */
function usePlaceInDialog(list: { current: HTMLElement | null }, open: boolean, hide: () => void) {
  const [place, setPlace] = useState<CSSProperties>()
  const latest = useRef(hide)
  latest.current = hide
  useLayoutEffect(() => {
    const box = list.current?.parentElement
    const frame = box?.closest<HTMLElement>('[role="dialog"]')
    if (!open || box == null || frame == null) return undefined
    const field = box.getBoundingClientRect()
    setPlace(placeOver(frame, field))
    // The event of a scroll that brought the focus here comes a frame later, and a long text scrolls within its field: neither moves it.
    const onScroll = () => {
      const now = box.getBoundingClientRect()
      if (now.top !== field.top || now.left !== field.left) latest.current()
    }
    frame.addEventListener('scroll', onScroll, true)
    return () => frame.removeEventListener('scroll', onScroll, true)
  }, [list, open])
  return open ? place : undefined
}

/** What is fixed counts from the corner of a transformed ancestor, and else from that of the window. */
function placeOver(frame: HTMLElement, field: DOMRect): CSSProperties {
  const inner = frame.getBoundingClientRect()
  const isOrigin = getComputedStyle(frame).transform !== 'none'
  const corner = isOrigin
    ? { top: inner.top + frame.clientTop, left: inner.left + frame.clientLeft, bottom: inner.bottom - frame.clientTop }
    : { top: 0, left: 0, bottom: window.innerHeight }
  const below = window.innerHeight - field.bottom - 12
  const across = { position: 'fixed' as const, left: field.left - corner.left, width: field.width, minWidth: 0 }
  if (below >= roomPx) return { ...across, top: field.bottom - corner.top + 4, maxHeight: Math.min(maxPx, below) }
  return { ...across, top: 'auto', bottom: corner.bottom - field.top + 4, maxHeight: Math.min(maxPx, field.top - 12) }
}

type OptionRowProps = {
  id: string
  index: number
  option: ComboboxOption
  heading: boolean
  active: boolean
  selected: boolean
  onPoint(): void
  onChoose(): void
}
function OptionRow({ id, index, option, heading, active, selected, onPoint, onChoose }: OptionRowProps) {
  return (
    <>
      {heading && (
        <div className={styles['group']} role="presentation">
          {option.group}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard stays in the field */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: active by aria-activedescendant */}
      <div
        id={id}
        role="option"
        aria-selected={selected}
        data-active={active}
        data-index={index}
        className={styles['option']}
        onPointerMove={onPoint}
        // Keeps the focus, and with it the open list, until the press has chosen.
        onPointerDown={event => event.preventDefault()}
        onClick={onChoose}
      >
        <span>{option.content ?? option.label}</span>
        {option.hint !== undefined && <span className={styles['hint']}>{option.hint}</span>}
      </div>
    </>
  )
}
