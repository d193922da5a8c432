// A body that is a form: its fields in rows. What is switched off stays here as long as the request does.
import type { Field } from '@tandem/catalog'
import { useState } from 'react'
import { lintParameter } from '../json/json_schema_lint.ts'
import { formRows, textOfRows } from '../request/form.ts'
import type { Row } from '../request/request.ts'
import { RowEditor, type RowNote } from './row_editor.tsx'

export type FormEditorProps = {
  body: string
  onChange(body: string): void
  /** The documented fields; undefined when the path is not in the catalog. */
  fields: readonly Field[] | undefined
}

export function FormEditor({ body, onChange, fields }: FormEditorProps) {
  const [written, setWritten] = useState<readonly Row[]>(() => formRows(body))
  // Another body came from elsewhere: an example, a command, the history.
  const rows = textOfRows(written) === body ? written : formRows(body)
  const change = (next: readonly Row[]) => {
    setWritten(next)
    onChange(textOfRows(next))
  }
  const noteOf = (row: Row): RowNote | undefined => {
    const field = fields?.find(({ name }) => name === row.name)
    if (field === undefined || !row.enabled || row.value.includes('{{')) return undefined
    const wrong = lintParameter(row.name, row.value, field.schema)
    return wrong === undefined ? undefined : { text: wrong, tone: 'warn' }
  }
  return <RowEditor what="form" rows={rows} onChange={change} fields={fields ?? []} noteOf={noteOf} />
}
