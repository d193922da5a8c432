// Chooses the columns of a list and their order.
import { ArrowDown, ArrowUp } from 'lucide-react'
import { Button, CheckboxField, Dialog, IconButton } from '../ui/index.ts'
import type { ColumnsProps } from './columns.ts'
import styles from './lists.module.css'
import { t } from './texts.ts'

export function ColumnsDialog({ set, columns, onChoose, onClose }: ColumnsProps & { onClose(): void }) {
  const chosen = columns.map(({ name }) => name)
  const others = set.columns.filter(({ name }) => !chosen.includes(name))
  const move = (at: number, by: number) => {
    const next = [...columns]
    const [moved] = next.splice(at, 1)
    if (moved !== undefined) next.splice(at + by, 0, moved)
    onChoose(next)
  }
  return (
    <Dialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('columns')}
      description={t('columnsHint')}
      footer={
        <>
          <Button onClick={() => onChoose(undefined)}>{t('columnsReset')}</Button>
          <Button variant="primary" onClick={onClose}>
            {t('columnsDone')}
          </Button>
        </>
      }
    >
      <ul className={styles['columns']}>
        {columns.map(({ name }, at) => {
          const label = set.columns.find(column => column.name === name)?.label ?? name
          return (
            <li key={name}>
              <CheckboxField
                label={label}
                checked
                disabled={columns.length === 1}
                onChange={() => onChoose(columns.filter(column => column.name !== name))}
              />
              <IconButton
                label={t('columnUp', { column: label })}
                size="sm"
                icon={<ArrowUp size={14} />}
                disabled={at === 0}
                onClick={() => move(at, -1)}
              />
              <IconButton
                label={t('columnDown', { column: label })}
                size="sm"
                icon={<ArrowDown size={14} />}
                disabled={at === columns.length - 1}
                onClick={() => move(at, 1)}
              />
            </li>
          )
        })}
        {others.map(({ name, label }) => (
          <li key={name}>
            <CheckboxField label={label} checked={false} onChange={() => onChoose([...columns, { name }])} />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
