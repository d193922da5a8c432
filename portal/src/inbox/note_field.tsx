// A note for colleagues: typing @ offers them by name, and files can be put with it.
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { noteFiles } from '../forms/file_limits.ts'
import { FilePicker } from '../forms/file_picker.tsx'
import { useDirectory } from '../nouns/names.ts'
import { useSession } from '../session/session.ts'
import { TextArea } from '../ui/index.ts'
import { isComposing } from '../ui/input_method.ts'
import styles from './composer.module.css'
import type { Draft, Mention } from './draft.ts'
import { t } from './texts.ts'

const most = 6
/** What is typed of a name, just before the caret. */
const beginning = /(?:^|\s)@([\p{L}\p{N}.'-]{0,40})$/u

export type NoteFieldProps = {
  values: Draft
  /** Files are put on a lead or contact. */
  mayAttach: boolean
  onChange(patch: Partial<Draft>): void
  /** It is there, for the first time. */
  onReady(): void
}

export function NoteField({ values: { note, mentioned, files }, mayAttach, onChange, onReady }: NoteFieldProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it has come
  useEffect(onReady, [])
  const [typed, setTyped] = useState<string>()
  const [active, setActive] = useState(0)
  const found = useColleagues(typed)
  const look = () => {
    const { value, selectionEnd } = field.current ?? { value: '', selectionEnd: 0 }
    setTyped(beginning.exec(value.slice(0, selectionEnd))?.[1])
    setActive(0)
  }
  // Before anything else is typed: a letter in front of the caret that is still to be set would end up behind the next ones.
  const wanted = useRef<{ text: string; caret: number }>(undefined)
  useLayoutEffect(() => {
    if (wanted.current?.text !== note) return
    const { caret } = wanted.current
    wanted.current = undefined
    field.current?.focus()
    field.current?.setSelectionRange(caret, caret)
  }, [note])
  const choose = (one: Mention) => {
    const end = field.current?.selectionEnd ?? note.length
    const start = end - (typed?.length ?? 0)
    const rest = note.slice(end)
    const name = `${one.name}${rest.startsWith(' ') ? '' : ' '}`
    const text = note.slice(0, start) + name + rest
    wanted.current = { text, caret: start + one.name.length + 1 }
    onChange({ note: text, mentioned: [...mentioned, one] })
    setTyped(undefined)
  }
  const isOpen = typed !== undefined && found.length > 0
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen || event.ctrlKey || event.metaKey || isComposing(event)) return
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const chosen = found[active]
    if (by !== 0) setActive((active + by + found.length) % found.length)
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen !== undefined) choose(chosen)
    else if (event.key === 'Escape') setTyped(undefined)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className={styles['noteField']}>
      <TextArea
        ref={field}
        label={t('note.field')}
        hideLabel
        placeholder={t('note.hint')}
        rows={2}
        dir="auto"
        className={styles['area']}
        value={note}
        aria-autocomplete="list"
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={isOpen ? `${id}-${active}` : undefined}
        onChange={({ target }) => {
          onChange({ note: target.value })
          look()
        }}
        onClick={look}
        onBlur={() => setTyped(undefined)}
        onKeyDown={onKeyDown}
        onPaste={event => {
          const pasted = [...event.clipboardData.files]
          if (!mayAttach || pasted.length === 0) return
          event.preventDefault()
          onChange({ files: [...files, ...pasted] })
        }}
      />
      {mayAttach && <FilePicker files={files} limits={noteFiles} onChange={next => onChange({ files: next })} />}
      {isOpen && <Colleagues id={id} found={found} active={active} onActive={setActive} onChoose={choose} />}
    </div>
  )
}

type ColleaguesProps = {
  id: string
  found: readonly Mention[]
  active: number
  onActive(index: number): void
  onChoose(one: Mention): void
}

function Colleagues({ id, found, active, onActive, onChoose }: ColleaguesProps) {
  return (
    <div id={`${id}-list`} className={styles['colleagues']} role="listbox" aria-label={t('colleagues')}>
      {found.map((one, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard stays in the field
        // biome-ignore lint/a11y/useFocusableInteractive: active by aria-activedescendant
        <div
          key={one.userId}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          className={styles['colleague']}
          dir="auto"
          onPointerMove={() => onActive(index)}
          onPointerDown={event => event.preventDefault()}
          onClick={() => onChoose(one)}
        >
          {one.name}
        </div>
      ))}
    </div>
  )
}

/** Colleagues with a word that begins so. */
function useColleagues(typed: string | undefined): readonly Mention[] {
  const { user } = useSession()
  const directory = useDirectory(typed !== undefined)
  if (typed === undefined) return []
  const wanted = typed.toLowerCase()
  return (directory.data ?? [])
    .filter(({ id, active, name }) => active && id !== user.id && beginsSo(name.toLowerCase(), wanted))
    .slice(0, most)
    .map(({ id, name }) => ({ userId: id, name }))
}

const beginsSo = (name: string, wanted: string) => name.split(/\s+/).some(word => word.startsWith(wanted))
