// The editor of JSON bodies as a component. Until its bundle has come, and where it cannot come, a plain text field stands
// in its place: what is written is never at risk.
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { pageNonce } from '../../session/nonce.ts'
import type { EditorFacts, EditorHandle, Fault, Found, Range } from './code_editor.ts'
import styles from './editor.module.css'

/** Fetches the editor's bundle ahead. */
export const loadCodeEditor = () => import('./code_editor.ts')

export type JsonEditorHandle = { showField(field: string): void; showRange(range: Range): void; focus(): void }
/** Keeps what the editor knows beyond its text while it is not shown. */
export type JsonEditorMemory = { get(): unknown; set(saved: unknown): void }
export type JsonEditorProps = {
  value: string
  onChange(value: string): void
  label: string
  facts: EditorFacts
  found: Found
  memory: JsonEditorMemory
  onFaults(faults: readonly Fault[]): void
  onFind(): void
  ref?: Ref<JsonEditorHandle>
}

export function JsonEditor(props: JsonEditorProps) {
  const { value, onChange, label, facts, found, memory, ref } = props
  const host = useRef<HTMLDivElement>(null)
  const plain = useRef<HTMLTextAreaElement>(null)
  const [editor, setEditor] = useState<EditorHandle>()
  // The editor outlives renders: it asks for what is current.
  const latest = useRef(props)
  latest.current = props

  useEffect(() => {
    let handle: EditorHandle | undefined
    let gone = false
    loadCodeEditor()
      .then(({ createEditor }) => {
        if (gone || host.current === null) return
        handle = createEditor({
          parent: host.current,
          text: latest.current.value,
          saved: memory.get(),
          label,
          nonce: pageNonce(),
          facts: () => latest.current.facts,
          onChange: text => latest.current.onChange(text),
          onFaults: faults => latest.current.onFaults(faults),
          onFind: () => latest.current.onFind(),
        })
        const hadFocus = document.activeElement === plain.current
        setEditor(handle)
        if (hadFocus) requestAnimationFrame(() => handle?.focus())
      })
      .catch(() => undefined)
    return () => {
      gone = true
      if (handle !== undefined) memory.set(handle.save())
      handle?.destroy()
      setEditor(undefined)
    }
  }, [label, memory])

  useEffect(() => editor?.setText(value), [editor, value])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor reads the facts itself, on refresh
  useEffect(() => editor?.refresh(), [editor, facts.schema, facts.variables, facts.serverFaults])
  const { matches, current } = found
  useEffect(() => editor?.showMatches({ matches, current }), [editor, matches, current])
  useImperativeHandle(
    ref,
    () => ({
      showField: field => editor?.showField(field),
      showRange: range => editor?.showRange(range),
      focus: () => (editor ?? plain.current)?.focus(),
    }),
    [editor],
  )

  return (
    <div className={styles['editor']}>
      <div ref={host} className={styles['host']} hidden={editor === undefined} />
      {editor === undefined && (
        <textarea
          ref={plain}
          className={styles['plain']}
          aria-label={label}
          spellCheck={false}
          value={value}
          onChange={event => onChange(event.target.value)}
        />
      )}
    </div>
  )
}
