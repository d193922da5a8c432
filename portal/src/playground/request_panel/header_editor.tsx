// The headers of a request: those one writes, those the Playground adds (locked, with who adds them), and those a browser
// will not send, each with the reason.
import type { Field } from '@tandem/catalog'
import { Lock } from 'lucide-react'
import { whyNotSent } from '../request/browser_headers.ts'
import { maskCredential } from '../request/credential.ts'
import type { Effective, Row } from '../request/request.ts'
import { RowEditor, type RowNote } from './row_editor.tsx'
import styles from './rows.module.css'
import { t } from './texts.ts'

const usual = ['Accept', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match', 'X-Request-Id']

export type HeaderEditorProps = {
  rows: readonly Row[]
  onChange(rows: readonly Row[]): void
  fields: readonly Field[]
  effective: Effective
}
export function HeaderEditor({ rows, onChange, fields, effective }: HeaderEditorProps) {
  const added = effective.headers.filter(header => header.origin !== 'you')
  return (
    <>
      {added.length > 0 && (
        <ul className={styles['rows']} aria-label={t('addedHeaders')}>
          {added.map(header => (
            <li key={header.name} className={styles['locked']}>
              <Lock size={13} aria-hidden="true" />
              <span>{header.name}</span>
              <span>{header.origin === 'credential' ? maskBearer(header.value) : header.value}</span>
              <small>{t(header.origin === 'credential' ? 'byCredential' : 'byPlayground')}</small>
            </li>
          ))}
        </ul>
      )}
      <RowEditor
        what="header"
        rows={rows}
        onChange={onChange}
        fields={fields}
        names={usual}
        noteOf={row => noteOf(row, effective)}
      />
    </>
  )
}

function maskBearer(value: string): string {
  return `Bearer ${maskCredential(value.replace(/^Bearer /, ''))}`
}

function noteOf(row: Row, effective: Effective): RowNote | undefined {
  if (!row.enabled || (row.name === '' && row.value === '')) return undefined
  const why = whyNotSent(row.name, row.value)
  if (why !== undefined) return { text: t('notSentWhy', { why }), tone: 'warn' }
  const name = row.name.trim()
  const note = effective.notes.find(each => each.where === 'headers' && each.name === name)
  if (note !== undefined) return { text: note.message, tone: 'bad' }
  if (name.toLowerCase() === 'authorization') {
    return { text: t('ownHeaderNote'), tone: 'hint' }
  }
  return undefined
}
