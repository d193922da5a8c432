// Which field each column of the file becomes: guessed, with values of the file beside it, to be chosen otherwise or left out.
import type { Import } from '@tandem/sdk'
import type { Faults } from '../forms/faults.ts'
import { DataTable } from '../ui/data_table.tsx'
import { Card, SelectField } from '../ui/index.ts'
import { listText } from '../words/format.ts'
import type { PartProps } from './file_card.tsx'
import styles from './imports.module.css'
import { mappingFault, type Target } from './rules.ts'
import { t } from './texts.ts'

const maxSamples = 3

type MappingProps = PartProps & { faults: Faults }

type Row = Import['columns'][number] & { at: number }

export function MappingTable({ found, faults, mayChange, onChange }: MappingProps) {
  const { columns, mapping, targets = [] } = found
  const rows = columns.map((column, at): Row => ({ ...column, at }))
  const left = columns.filter((_, at) => mapping[at] === null)
  const choose = (at: number, name: string) =>
    onChange({ mapping: mapping.map((old, place) => (place === at ? name || null : old)) })
  return (
    <Card title={t('columns')} flush>
      <DataTable
        caption={t('mapping')}
        rows={rows}
        rowKey={({ at }) => String(at)}
        columns={[
          { key: 'column', header: t('columnOfFile'), render: ({ name }) => <strong>{name}</strong> },
          { key: 'samples', header: t('values'), hideOnNarrow: true, render: row => <Samples row={row} /> },
          {
            key: 'field',
            header: t('field'),
            render: ({ name, at }) => (
              <TargetSelect
                column={name}
                targets={targets}
                value={mapping[at] ?? ''}
                error={mappingFault(found, targets, at) ?? faults.fields[`mapping[${at}]`]}
                disabled={!mayChange}
                onChange={next => choose(at, next)}
              />
            ),
          },
        ]}
        subline={row => row.samples.slice(0, maxSamples).join(', ')}
      />
      <p className={styles['note']}>
        {left.length === 0
          ? t('allColumns')
          : t('columnsLeft', { columns: listText(left.map(({ name }) => name)), count: left.length })}
      </p>
    </Card>
  )
}

function Samples({ row: { samples } }: { row: Row }) {
  if (samples.length === 0) return <span className={styles['faint']}>{t('emptyColumn')}</span>
  return (
    <ul className={styles['samples']}>
      {samples.slice(0, maxSamples).map((sample, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: values of a file stay where they are
        <li key={at}>{sample}</li>
      ))}
    </ul>
  )
}

type TargetSelectProps = {
  column: string
  targets: readonly Target[]
  value: string
  error: string | undefined
  disabled: boolean
  onChange(name: string): void
}

function TargetSelect({ column, targets, value, error, disabled, onChange }: TargetSelectProps) {
  const target = targets.find(({ name }) => name === value)
  return (
    <SelectField
      label={t('fieldOf', { column })}
      hideLabel
      options={[{ value: '', label: t('leaveOut') }, ...targets.map(({ name, label }) => ({ value: name, label }))]}
      value={value}
      disabled={disabled}
      {...(target !== undefined && { title: target.about })}
      {...(error !== undefined && { error })}
      onChange={event => onChange(event.target.value)}
    />
  )
}
