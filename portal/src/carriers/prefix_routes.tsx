// Where a carrier takes traffic to, one line a prefix. What stands beside the prefix (what it costs, how much of it a line
// takes) is the business of who asks for it.
import { Plus, Trash2 } from 'lucide-react'
import { decimalText } from '../forms/number_text.ts'
import { Button, IconButton, TextField } from '../ui/index.ts'
import styles from './carriers.module.css'
import { t } from './texts.ts'

export type PrefixColumn<Row> = {
  name: keyof Row & string
  label: string
  placeholder?: string
  mono?: boolean
  inputMode?: 'numeric' | 'decimal'
}

/** Blanks are for people; the + that is left out is meant. */
export function plainPrefix(prefix: string): string {
  return prefix.replace(/\s/g, '').replace(/^(?=\d)/, '+')
}

/** What a segment or a minute costs, as the API takes it; what can be read in two ways stays as it was typed: the server says so. */
export const plainCost = (text: string) => decimalText(text, 6)

/** What is no whole number stays as it was typed: the server says so beside the field. */
export function plainNumber(text: string): number {
  return Number.isNaN(Number(text)) || text.trim() === '' ? (text as unknown as number) : Number(text)
}

/** The fields that can show an error of their own. */
export function prefixPaths(rows: readonly object[], names: readonly string[]): string[] {
  return ['routes', ...rows.flatMap((_, index) => names.map(name => `routes[${index}].${name}`))]
}

export type PrefixRoutesProps<Row> = {
  value: readonly Row[]
  columns: readonly PrefixColumn<Row>[]
  /** How routes are chosen. */
  hint: string
  /** What a new line begins with. */
  first: Row
  faults: Readonly<Record<string, string>>
  onChange(value: readonly Row[], field: string): void
}
export function PrefixRoutes<Row extends Readonly<Record<string, string>>>(props: PrefixRoutesProps<Row>) {
  const { value, columns, hint, first, faults, onChange } = props
  return (
    <div className={styles['rows']}>
      <p className={styles['hint']}>{hint}</p>
      {value.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: routes have no identity but their place
        <div key={index} className={styles['row']}>
          {columns.map(({ name, label, ...look }) => {
            const field = `routes[${index}].${name}`
            return (
              <TextField
                key={name}
                {...look}
                label={`${label} (${index + 1})`}
                name={field}
                value={row[name] ?? ''}
                error={faults[field]}
                onChange={({ target }) =>
                  onChange(
                    value.map((old, at) => (at === index ? { ...old, [name]: target.value } : old)),
                    field,
                  )
                }
              />
            )
          })}
          <IconButton
            label={t('removeRoute', { number: index + 1 })}
            icon={<Trash2 size={16} />}
            onClick={() =>
              onChange(
                value.filter((_route, at) => at !== index),
                'routes',
              )
            }
          />
        </div>
      ))}
      <Button size="sm" icon={<Plus size={14} />} onClick={() => onChange([...value, first], 'routes')}>
        {t('addRoute')}
      </Button>
    </div>
  )
}
