// The file of an import as it is read: separator, encoding, how many rows, and the first of them.
import type { Import } from '@tandem/sdk'
import { DataTable } from '../ui/data_table.tsx'
import { Card, countText, DescriptionList, SelectField, sizeText } from '../ui/index.ts'
import styles from './imports.module.css'
import type { Choices } from './rules.ts'

const delimiters = [
  { value: 'comma', label: 'Comma' },
  { value: 'semicolon', label: 'Semicolon' },
  { value: 'tab', label: 'Tab' },
]
const encodings = [
  { value: 'utf-8', label: 'UTF-8' },
  { value: 'windows-1252', label: 'Windows-1252 (Western Europe)' },
  { value: 'utf-16le', label: 'UTF-16' },
]

export type PartProps = { found: Import; mayChange: boolean; onChange(patch: Choices): void }

export function FileCard({ found, mayChange, onChange }: PartProps) {
  const { columns, rows, delimiter, encoding } = found
  return (
    <Card title="The file">
      <div className={styles['stack']}>
        <div className={styles['form']}>
          <SelectField
            label="Between the columns"
            options={delimiters}
            value={delimiter}
            disabled={!mayChange}
            onChange={event => onChange({ delimiter: event.target.value as Import['delimiter'] })}
          />
          <SelectField
            label="Encoding"
            options={encodings}
            value={encoding}
            disabled={!mayChange}
            onChange={event => onChange({ encoding: event.target.value as Import['encoding'] })}
          />
          <DescriptionList
            items={[
              { term: 'Size', detail: sizeText(found.size_bytes) },
              { term: 'Rows', detail: rows === null ? 'Counted by the check' : countText(rows) },
              { term: 'Columns', detail: countText(columns.length) },
            ]}
          />
        </div>
        <p className={styles['faint']}>
          The first rows as they are read. Where they look wrong, choose another separator or encoding.
        </p>
      </div>
      <FirstRows columns={columns} />
    </Card>
  )
}

type Row = { at: number; cells: readonly string[] }

function FirstRows({ columns }: Pick<Import, 'columns'>) {
  const count = Math.max(0, ...columns.map(({ cells }) => cells.length))
  const rows = Array.from(
    { length: count },
    (_, at): Row => ({ at, cells: columns.map(({ cells }) => cells[at] ?? '') }),
  )
  return (
    <DataTable
      caption="The first rows of the file"
      rows={rows}
      rowKey={({ at }) => String(at)}
      columns={columns.map(({ name }, place) => ({
        key: String(place),
        header: name,
        nowrap: true,
        render: ({ cells }: Row) => cells[place] || '–',
      }))}
    />
  )
}
