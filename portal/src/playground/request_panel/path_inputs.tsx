// The address of a request: the server, the path, and an input in the place of each of its tokens. The path itself can be
// written over, and a cURL command pasted into it fills everything.
import { Pencil } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react'
import { CopyButton } from '../../ui/code.tsx'
import { classes, IconButton, MethodBadge } from '../../ui/index.ts'
import { isComposing } from '../../ui/input_method.ts'
import type { Draft, Effective } from '../request/request.ts'
import styles from './address.module.css'
import { t } from './texts.ts'

export type PathInputsProps = {
  draft: Draft
  origin: string
  effective: Effective
  onValue(name: string, value: string): void
  /** A whole path was written. */
  onPath(path: string): void
  /** Text that begins with curl was pasted. */
  onCurl(text: string): void
}

export function PathInputs({ draft, origin, effective, onValue, onPath, onCurl }: PathInputsProps) {
  const [written, setWritten] = useState<string>()
  const editButton = useRef<HTMLButtonElement>(null)
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text')
    if (!/^\s*(?:[$>%]\s+)?curl(?:\.exe)?\s/i.test(text)) return
    event.preventDefault()
    setWritten(undefined)
    onCurl(text)
  }
  const finish = () => {
    if (written !== undefined && written.trim() !== '' && written !== draft.path) onPath(written.trim())
    setWritten(undefined)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    if (event.ctrlKey || event.metaKey || isComposing(event)) return
    event.preventDefault()
    if (event.key === 'Enter') finish()
    else setWritten(undefined)
    requestAnimationFrame(() => editButton.current?.focus())
  }
  return (
    <div className={styles['bar']} onPaste={onPaste}>
      <MethodBadge method={draft.method} />
      <span className={styles['origin']}>{origin.replace(/^https?:\/\//, '')}</span>
      {written === undefined ? (
        <span className={styles['path']}>
          {draft.path.split(/(?<!\{)(\{[A-Za-z_]\w*\})(?!\})/).map((piece, index) =>
            index % 2 === 0 ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one path, by their place
              <span key={index}>{piece}</span>
            ) : (
              <PathInput
                // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one path, by their place
                key={index}
                name={piece.slice(1, -1)}
                value={draft.pathValues.find(({ name }) => name === piece.slice(1, -1))?.value ?? ''}
                fault={effective.notes.find(note => note.where === 'path' && note.name === piece.slice(1, -1))?.message}
                onChange={onValue}
              />
            ),
          )}
        </span>
      ) : (
        <input
          className={styles['written']}
          aria-label={t('pathOrCurl')}
          // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was pressed
          autoFocus
          spellCheck={false}
          value={written}
          onChange={event => setWritten(event.target.value)}
          onBlur={finish}
          onKeyDown={onKeyDown}
        />
      )}
      <span className={styles['tools']}>
        <IconButton
          ref={editButton}
          size="sm"
          label={t('writePath')}
          icon={<Pencil size={14} />}
          onClick={() => setWritten(written === undefined ? draft.path : undefined)}
        />
        <CopyButton text={effective.url} label={t('copyAddress')} />
      </span>
    </div>
  )
}

type PathInputProps = {
  name: string
  value: string
  fault: string | undefined
  onChange(name: string, value: string): void
}
function PathInput({ name, value, fault, onChange }: PathInputProps) {
  return (
    <input
      className={classes(styles['token'], fault !== undefined && styles['empty'])}
      aria-label={t('pathValue', { name })}
      data-path-value={name}
      aria-invalid={fault === undefined ? undefined : true}
      title={fault ?? name}
      placeholder={name}
      size={Math.min(40, Math.max(name.length, value.length, 4))}
      spellCheck={false}
      autoComplete="off"
      autoCapitalize="off"
      value={value}
      onChange={event => onChange(name, event.target.value)}
    />
  )
}
