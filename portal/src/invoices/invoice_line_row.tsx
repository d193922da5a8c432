// One line of an invoice that is being written. Where there is room only the first one shows the names of its fields, as a
// table does; screen readers hear them, with the number of the line, on each.
import { Trash2 } from 'lucide-react'
import { IconButton, TextField } from '../ui/index.ts'
import styles from './invoices.module.css'
import { t } from './texts.ts'

export const lineNames = ['description', 'quantity', 'unit_price', 'tax_rate'] as const
export type LineName = (typeof lineNames)[number]
/** Values as typed; `key` distinguishes lines while they come and go. */
export type Line = { key: number } & Record<LineName, string>

export type LineRowProps = {
  line: Line
  /** From 1. */
  number: number
  errorOf(name: LineName): string | undefined
  onChange(name: LineName, value: string): void
  onRemove(): void
}

export function LineRow({ line, number, errorOf, onChange, onRemove }: LineRowProps) {
  return (
    <div className={styles['line']}>
      {lineNames.map(name => (
        <TextField
          key={name}
          name={name}
          label={t.rich(`lineField.${name}`, {
            number,
            hidden: text => <span className="visually-hidden">{text}</span>,
          })}
          inputMode={name === 'description' ? 'text' : 'decimal'}
          value={line[name]}
          error={errorOf(name)}
          onChange={event => onChange(name, event.target.value)}
        />
      ))}
      <IconButton
        className={styles['remove']}
        label={t('lineRemove', { number })}
        icon={<Trash2 size={15} />}
        onClick={onRemove}
      />
    </div>
  )
}
