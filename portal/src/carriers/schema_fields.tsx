// A form drawn from a JSON Schema: headings, fields, hints and choices all come from the schema.
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, CheckboxField, IconButton, SelectField, TextArea, TextField } from '../ui/index.ts'
import styles from './carriers.module.css'
import {
  changedCount,
  choiceText,
  columnsOf,
  type FieldSchema,
  groupsOf,
  hintOf,
  isNullable,
  type ObjectSchema,
  plain,
  type Row,
  rowPath,
  shapeOf,
  type Typed,
  type TypedValues,
} from './schema_values.ts'
import { t } from './texts.ts'

export type SchemaFieldsProps = {
  schema: ObjectSchema
  values: TypedValues
  /** Names of the secrets that are stored. */
  secretsSet: readonly string[]
  /** Errors by field, `settings.port`. */
  faults: Readonly<Record<string, string>>
  onChange(name: string, value: Typed, field: string): void
}

const path = (name: string) => `settings.${name}`

/** The first two groups are what every carrier needs; the others stand closed until they are wanted or wrong. */
const openGroups = 2

export function SchemaFields(props: SchemaFieldsProps) {
  const { schema, values, faults } = props
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  return groupsOf(schema).map((group, index) => {
    const isWrong = group.fields.some(([name]) => Object.keys(faults).some(field => field.startsWith(path(name))))
    const changed = changedCount(group, values)
    const fields = (
      <div className={styles['fields']}>
        {group.fields.map(([name, field]) => (
          <SchemaField key={name} {...props} name={name} field={field} />
        ))}
      </div>
    )
    if (index < openGroups)
      return (
        <fieldset key={group.name} className={styles['group']}>
          <legend>{group.name}</legend>
          {fields}
        </fieldset>
      )
    return (
      <details
        key={group.name}
        className={styles['group']}
        open={isWrong || opened.has(group.name)}
        onToggle={event => {
          const { open } = event.currentTarget
          setOpened(old => new Set(open ? [...old, group.name] : [...old].filter(name => name !== group.name)))
        }}
      >
        <summary>
          {group.name}
          <small>{changed === 0 ? t('defaults') : t('changed', { count: changed })}</small>
        </summary>
        {fields}
      </details>
    )
  })
}

function rangeText({ minimum, maximum }: FieldSchema): string {
  return minimum === undefined || maximum === undefined ? '' : t('range', { from: minimum, to: maximum })
}

type SchemaFieldProps = SchemaFieldsProps & { name: string; field: FieldSchema }
function SchemaField({ schema, name, field, values, secretsSet, faults, onChange }: SchemaFieldProps) {
  const shape = shapeOf(field)
  const value = values[name]
  const put = (typed: Typed) => onChange(name, typed, path(name))
  const label = field.title ?? name
  const isOptional = !(schema.required ?? []).includes(name) && shape !== 'choice'
  const common = {
    label,
    hint: hintOf(field),
    name: path(name),
    error: faults[path(name)],
    optional: isOptional && (isNullable(field) || field.default === ''),
  }
  const text = typeof value === 'string' ? value : ''
  const typing = { value: text, onChange: (event: { target: { value: string } }) => put(event.target.value) }
  switch (shape) {
    case 'boolean':
      return (
        <CheckboxField
          label={label}
          hint={hintOf(field)}
          name={path(name)}
          checked={value === true}
          onChange={event => put(event.target.checked)}
        />
      )
    case 'choice':
      return (
        <SelectField
          {...common}
          {...typing}
          options={(field.enum ?? []).map(one => ({
            value: one ?? '',
            label: one === null ? t('none') : choiceText(field, one),
          }))}
        />
      )
    case 'number':
      return (
        <TextField
          {...common}
          {...typing}
          inputMode="decimal"
          hint={[hintOf(field) ?? '', rangeText(field)].join(' ').trim()}
          placeholder={field.default == null ? undefined : String(field.default)}
        />
      )
    case 'secret':
      return (
        <TextField
          {...common}
          {...typing}
          type="password"
          autoComplete="new-password"
          placeholder={secretsSet.includes(name) ? t('secretKept') : undefined}
        />
      )
    case 'long':
      return <TextArea {...common} {...typing} mono spellCheck={false} className={styles['long']} />
    case 'list':
      return (
        <RowsField
          label={label}
          hint={hintOf(field)}
          name={name}
          field={field}
          rows={Array.isArray(value) ? value : []}
          faults={faults}
          onChange={(rows, at) => onChange(name, rows, at)}
        />
      )
    default:
      return <TextField {...common} {...typing} mono={name === 'host'} />
  }
}

type RowsFieldProps = {
  label: string
  hint: string | undefined
  name: string
  field: FieldSchema
  rows: readonly Row[]
  faults: Readonly<Record<string, string>>
  onChange(rows: readonly Row[], field: string): void
}
/** A list of small objects or of plain values, one a line. */
function RowsField({ label, hint, name, field: list, rows, faults, onChange }: RowsFieldProps) {
  const items = columnsOf(list)
  const columns = Object.entries(items.properties)
  const required = items.required ?? []
  // Where no value may come twice, a new line begins with one that is not there yet.
  const firstOf = (part: string, { enum: choices }: FieldSchema) =>
    choices?.find(one => list.uniqueItems !== true || rows.every(row => row[part] !== one)) ?? ''
  const empty = Object.fromEntries(
    columns.map(([part, field]) => [part, required.includes(part) ? firstOf(part, field) : '']),
  )
  return (
    <div className={styles['rows']}>
      <span className={styles['label']}>{label}</span>
      {hint !== undefined && <span className={styles['hint']}>{hint}</span>}
      {faults[path(name)] !== undefined && (
        <span className={styles['bad']} role="alert">
          {faults[path(name)]}
        </span>
      )}
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
        <div key={index} className={styles['row']}>
          {columns.map(([part, field]) => {
            const at = rowPath(path(name), index, part)
            const common = {
              label: `${field.title ?? (part === plain ? label : part)} (${index + 1})`,
              error: faults[at],
              value: row[part] ?? '',
              onChange: (event: { target: { value: string } }) =>
                onChange(
                  rows.map((old, place) => (place === index ? { ...old, [part]: event.target.value } : old)),
                  at,
                ),
            }
            const none = required.includes(part) ? [] : [{ value: '', label: '–' }]
            return field.enum === undefined ? (
              <TextField key={part} {...common} />
            ) : (
              <SelectField
                key={part}
                {...common}
                options={[
                  ...none,
                  ...field.enum.map(one => ({
                    value: one ?? '',
                    label: one === null ? t('noneShort') : choiceText(field, one),
                  })),
                ]}
              />
            )
          })}
          <IconButton
            label={t('removeLine', { number: index + 1, of: label })}
            icon={<Trash2 size={16} />}
            onClick={() =>
              onChange(
                rows.filter((_, place) => place !== index),
                path(name),
              )
            }
          />
        </div>
      ))}
      {rows.length < (list.maxItems ?? Number.POSITIVE_INFINITY) && (
        <Button size="sm" icon={<Plus size={14} />} onClick={() => onChange([...rows, empty], path(name))}>
          {t('addLine')}
        </Button>
      )}
    </div>
  )
}
