// The file of an import as it is read: separator, encoding, how many rows, and the first of them.
import type { Import } from '@tandem/sdk'
import { DataTable } from '../ui/data_table.tsx'
import { Card, countText, DescriptionList, SelectField, sizeText } from '../ui/index.ts'
import styles from './imports.module.css'
import type { Choices } from './rules.ts'
import { t } from './texts.ts'

const delimiters = ['comma', 'semicolon', 'tab'] as const
const encodings = ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be']

export type PartProps = { found: Import; mayChange: boolean; onChange(patch: Choices): void }

export function FileCard({ found, mayChange, onChange }: PartProps) {
  const { columns, rows, delimiter, encoding } = found
  return (
    <Card title={t('file')}>
      <div className={styles['stack']}>
        <div className={styles['form']}>
          <SelectField
            label={t('delimiter')}
            options={delimiters.map(one => ({ value: one, label: t(`delimiter.${one}`) }))}
            value={delimiter}
            disabled={!mayChange}
            onChange={event => onChange({ delimiter: event.target.value as Import['delimiter'] })}
          />
          <SelectField
            label={t('encoding')}
            options={encodings.map(one => ({ value: one, label: t.of('encoding', one) ?? one.toUpperCase() }))}
            value={encoding}
            disabled={!mayChange}
            onChange={event => onChange({ encoding: event.target.value as Import['encoding'] })}
          />
          <DescriptionList
            items={[
              { term: t('size'), detail: sizeText(found.size_bytes) },
              { term: t('rows'), detail: rows === null ? t('notCounted') : countText(rows) },
              { term: t('columns'), detail: countText(columns.length) },
            ]}
          />
        </div>
        <p className={styles['faint']}>{t('firstRowsText')}</p>
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
      caption={t('firstRows')}
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
