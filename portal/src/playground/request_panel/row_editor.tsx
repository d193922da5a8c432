// Names and values in rows: query parameters and headers. The last row is always empty and becomes a real one when it is
// written to; a row can be switched off without being lost.
import type { Field } from '@tandem/catalog'
import { newIdempotencyKey } from '@tandem/sdk'
import { Plus, X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { classes, IconButton } from '../../ui/index.ts'
import type { Row } from '../request/request.ts'
import styles from './rows.module.css'
import { t } from './texts.ts'

export type RowNote = { text: ReactNode; tone: 'hint' | 'warn' | 'bad' }

export type RowKind = 'header' | 'query' | 'form'
export type RowEditorProps = {
  /** What one row is, for the names of its fields. */
  what: RowKind
  rows: readonly Row[]
  onChange(rows: readonly Row[]): void
  /** Names the endpoint documents, with their rules. */
  fields: readonly Field[]
  /** Names offered while typing, besides those of `fields`. */
  names?: readonly string[]
  noteOf?(row: Row): RowNote | undefined
}

export function RowEditor({ what, rows, onChange, fields, names = [], noteOf }: RowEditorProps) {
  const id = useId()
  const all: readonly Row[] = [...rows, { name: '', value: '', enabled: true }]
  const change = (index: number, patch: Partial<Row>) => {
    const next = all.map((row, at) => (at === index ? { ...row, ...patch } : row))
    onChange(next.filter((row, at) => at < rows.length || row.name !== '' || row.value !== ''))
  }
  const used = new Set(rows.map(row => row.name.toLowerCase()))
  const unused = fields.filter(field => !used.has(field.name.toLowerCase()))
  return (
    <div className={styles['rows']}>
      <datalist id={`${id}-names`}>
        {[...fields.map(field => field.name), ...names].map(name => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <ul className={styles['list']}>
        {all.map((row, index) => (
          <EditableRow
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place; names may repeat
            key={index}
            what={what}
            number={index + 1}
            row={row}
            isNew={index === rows.length}
            listId={`${id}-names`}
            field={fields.find(field => field.name.toLowerCase() === row.name.toLowerCase())}
            note={noteOf?.(row)}
            onChange={patch => change(index, patch)}
            onRemove={() => onChange(rows.filter((_, at) => at !== index))}
          />
        ))}
      </ul>
      {unused.length > 0 && (
        <div className={styles['offers']}>
          <span>{t('documented')}</span>
          {unused.map(field => (
            <button
              key={field.name}
              type="button"
              className={styles['offer']}
              title={[field.description, field.rules].filter(Boolean).join('\n')}
              aria-label={t('addNamed', { name: field.name })}
              onClick={() => onChange([...rows, { name: field.name, value: startValue(field), enabled: true }])}
            >
              <Plus size={11} aria-hidden="true" />
              {field.name}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

function startValue(field: Field): string {
  // A new one for each request one means again.
  if (field.name === 'Idempotency-Key') return newIdempotencyKey()
  const value = field.example ?? field.default
  return value === undefined || value === null ? '' : String(value)
}

type EditableRowProps = {
  what: RowKind
  number: number
  row: Row
  isNew: boolean
  listId: string
  field: Field | undefined
  note: RowNote | undefined
  onChange(patch: Partial<Row>): void
  onRemove(): void
}
function EditableRow({ what, number, row, isNew, listId, field, note, onChange, onRemove }: EditableRowProps) {
  const id = useId()
  const values = valuesOf(field)
  const hint: RowNote | undefined = note ?? (field === undefined ? undefined : { text: hintOf(field), tone: 'hint' })
  const shownName = row.name === '' ? String(number) : row.name
  return (
    <li className={classes(styles['row'], !row.enabled && styles['off'])}>
      <input
        type="checkbox"
        className={classes(isNew && styles['hidden'])}
        disabled={isNew}
        aria-label={t(`row.send.${what}`, { name: shownName })}
        checked={row.enabled}
        onChange={event => onChange({ enabled: event.target.checked })}
      />
      <input
        className={styles['name']}
        aria-label={isNew ? t(`row.newName.${what}`) : t(`row.name.${what}`, { number })}
        list={listId}
        placeholder={t('name')}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        value={row.name}
        onChange={event => onChange({ name: event.target.value })}
      />
      <input
        className={styles['value']}
        aria-label={isNew ? t(`row.newValue.${what}`) : t(`row.value.${what}`, { name: shownName })}
        aria-describedby={hint === undefined ? undefined : `${id}-note`}
        list={values.length > 0 ? `${id}-values` : undefined}
        placeholder={t('value')}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        value={row.value}
        onChange={event => onChange({ value: event.target.value })}
      />
      <IconButton
        className={classes(isNew && styles['hidden'])}
        disabled={isNew}
        size="sm"
        label={t(`row.remove.${what}`, { name: shownName })}
        icon={<X size={14} />}
        onClick={onRemove}
      />
      {values.length > 0 && (
        <datalist id={`${id}-values`}>
          {values.map(value => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
      {hint !== undefined && hint.text !== '' && (
        <p id={`${id}-note`} className={classes(styles['note'], styles[hint.tone])}>
          {hint.text}
        </p>
      )}
    </li>
  )
}

function hintOf({ description, rules }: Field): string {
  const rule = rules === '' ? '' : `${rules.charAt(0).toUpperCase()}${rules.slice(1)}.`
  return [description, rule].filter(Boolean).join(' ')
}

function valuesOf(field: Field | undefined): string[] {
  if (field === undefined) return []
  const { schema } = field
  const items = schema.enum ?? schema.examples ?? (schema.type === 'boolean' ? [true, false] : [])
  return items.filter(value => value !== null).map(String)
}
