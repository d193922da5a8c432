// The query parameters of a request, with those the endpoint documents at hand.
import type { Field } from '@tandem/catalog'
import { lintParameter } from '../json/json_schema_lint.ts'
import styles from '../parts/screen.module.css'
import type { Row } from '../request/request.ts'
import { RowEditor, type RowNote } from './row_editor.tsx'
import { t } from './texts.ts'

export type QueryEditorProps = {
  rows: readonly Row[]
  onChange(rows: readonly Row[]): void
  /** The documented parameters; undefined when the path is not in the catalog. */
  fields: readonly Field[] | undefined
  /** Faults the server found in the parameters of the last request. */
  faults: ReadonlyMap<string, string>
}
export function QueryEditor({ rows, onChange, fields, faults }: QueryEditorProps) {
  const noteOf = (row: Row): RowNote | undefined => {
    const fault = faults.get(row.name)
    if (fault !== undefined) return { text: `${row.name} ${fault}`, tone: 'bad' }
    if (!row.enabled || row.name === '' || row.name.includes('{{') || fields === undefined) return undefined
    const field = fields.find(each => each.name === row.name)
    if (field !== undefined) {
      const wrong = row.value.includes('{{') ? undefined : lintParameter(row.name, row.value, field.schema)
      return wrong === undefined ? undefined : { text: wrong, tone: 'warn' }
    }
    return { text: t('undocumented'), tone: 'warn' }
  }
  return (
    <>
      {fields?.length === 0 && rows.length === 0 && <p className={styles['quiet']}>{t('noQuery')}</p>}
      <RowEditor what="query" rows={rows} onChange={onChange} fields={fields ?? []} noteOf={noteOf} />
    </>
  )
}
