// CodeMirror as a reader of answers, as a component; rows of our own until its bundle has come.
import { useEffect, useRef, useState } from 'react'
import { pageNonce } from '../../session/nonce.ts'
import type { ReaderHandle } from '../editor/code_editor.ts'
import styles from '../editor/editor.module.css'
import { loadCodeEditor } from '../editor/json_editor.tsx'
import { BigText, type BigTextProps } from './big_text.tsx'

export type ReaderProps = BigTextProps & { wrap: boolean }

export function Reader(props: ReaderProps) {
  const { rows, isJson, label, wrap, matches, current } = props
  const host = useRef<HTMLDivElement>(null)
  const [reader, setReader] = useState<ReaderHandle>()
  const latest = useRef(props)
  latest.current = props
  const shown = useRef('')

  useEffect(() => {
    let handle: ReaderHandle | undefined
    let gone = false
    loadCodeEditor()
      .then(({ createReader }) => {
        if (gone || host.current === null) return
        shown.current = latest.current.rows.text
        handle = createReader({
          parent: host.current,
          text: shown.current,
          label,
          nonce: pageNonce(),
          isJson,
          wrap: latest.current.wrap,
          onPlace: offset => latest.current.onPlace(offset),
          onId: id => latest.current.onId(id),
          onFind: () => latest.current.onFind(),
        })
        setReader(handle)
      })
      .catch(() => undefined)
    return () => {
      gone = true
      handle?.destroy()
      setReader(undefined)
    }
  }, [isJson, label])

  useEffect(() => {
    if (reader === undefined || shown.current === rows.text) return
    reader.setText(rows.text)
    shown.current = rows.text
  }, [reader, rows])
  useEffect(() => reader?.setWrap(wrap), [reader, wrap])
  useEffect(() => reader?.showMatches({ matches, current }), [reader, matches, current])

  return (
    <>
      <div ref={host} className={styles['host']} hidden={reader === undefined} />
      {reader === undefined && <BigText {...props} />}
    </>
  )
}
