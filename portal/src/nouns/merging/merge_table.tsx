// Records side by side, field by field: first what differs, each value to be chosen; what is the same is folded. Lists have all entries.
import { ChevronDown, ChevronRight, X } from 'lucide-react'
import { useId, useState } from 'react'
import { Button, IconButton, Time } from '../../ui/index.ts'
import { useName } from '../names.ts'
import { type Entry, type NounDescription, type NounField, type NounRecord, titleOf } from '../noun.ts'
import { t as tNouns } from '../texts.ts'
import { UserName } from '../user_name.tsx'
import { addressText, FieldValue } from '../values.tsx'
import styles from './merging.module.css'
import { broughtBy, type Choices, choosable, comparedFields, isUnited, keptFrom, unitedCount } from './rules.ts'
import { t } from './texts.ts'

export type MergeTableProps = {
  noun: NounDescription
  records: readonly NounRecord[]
  survivor: string
  choices: Choices
  onSurvivor(id: string): void
  onChoose(field: string, id: string): void
  /** Not of two. */
  onLeaveOut?(id: string): void
}

export function MergeTable(props: MergeTableProps) {
  const { noun, records } = props
  const [isOpen, setOpen] = useState(false)
  const group = useId()
  const { different, same } = comparedFields(noun, records)
  return (
    // A region that scrolls must be reachable by the keyboard (WCAG 2.1.1).
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className={styles['frame']} aria-label={t('table', { many: noun.words.many })} tabIndex={0}>
      <table className={styles['table']}>
        <caption className="visually-hidden">{t('caption')}</caption>
        <thead>
          <tr>
            <th scope="col">{tNouns('field')}</th>
            {records.map(record => (
              <Head key={record.id} {...props} record={record} group={group} />
            ))}
          </tr>
        </thead>
        <tbody>
          {different.map(field => (
            <Row key={field.name} {...props} field={field} group={group} />
          ))}
          {different.length === 0 && (
            <tr>
              <td colSpan={records.length + 1}>{t('same')}</td>
            </tr>
          )}
        </tbody>
        <tbody>
          {same.length > 0 && (
            <tr>
              <td colSpan={records.length + 1}>
                <Button
                  size="sm"
                  variant="ghost"
                  aria-expanded={isOpen}
                  icon={isOpen ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
                  onClick={() => setOpen(!isOpen)}
                >
                  {t('sameFields', { count: same.length })}
                </Button>
              </td>
            </tr>
          )}
          {isOpen && same.map(field => <SameRow key={field.name} noun={noun} records={records} field={field} />)}
        </tbody>
      </table>
    </section>
  )
}

function Head({ noun, record, survivor, group, onSurvivor, onLeaveOut }: MergeTableProps & PartProps) {
  const id = String(record.id)
  const title = titleOf(noun, record)
  return (
    <th scope="col" data-kept={id === survivor || undefined}>
      <span className={styles['title']}>
        {title}
        {onLeaveOut !== undefined && (
          <IconButton
            size="sm"
            label={t('leaveOut', { name: title })}
            icon={<X size={12} />}
            onClick={() => onLeaveOut(id)}
          />
        )}
      </span>
      <span className={styles['faint']}>{t.rich('created', { time: () => <Time iso={record.created_at} /> })}</span>
      <label className={styles['pick']}>
        <input type="radio" name={`${group} survivor`} checked={id === survivor} onChange={() => onSurvivor(id)} />
        <span>
          {t.rich('keepNamed', {
            name: title,
            hidden: text => <span className="visually-hidden">{text}</span>,
          })}
        </span>
      </label>
    </th>
  )
}

type PartProps = { record: NounRecord; group: string }

function Row({ field, group, ...props }: MergeTableProps & { field: NounField; group: string }) {
  const { noun, records, survivor, choices, onChoose } = props
  const ids = records.map(({ id }) => String(id))
  const kept = keptFrom(noun, field, records, survivor, choices)
  const among = choosable(field, records)
  if (isUnited(field)) return <ListRow noun={noun} records={records} field={field} />
  return (
    <tr>
      <th scope="row">{field.label}</th>
      {records.map(record => {
        const id = String(record.id)
        return (
          <td key={id} data-kept={id === kept || undefined}>
            <label className={styles['pick']}>
              <input
                type="radio"
                name={`${group} ${field.name}`}
                checked={id === kept}
                disabled={!among.includes(record)}
                onChange={() => onChoose(field.name, id)}
              />
              <span>
                <span className="visually-hidden">
                  {t('valueOf', { field: field.label, name: titleOf(noun, record) })}{' '}
                </span>
                <Plain field={field} value={broughtBy(noun, field, record, ids)} />
              </span>
            </label>
          </td>
        )
      })}
    </tr>
  )
}

type FieldRowProps = { noun: NounDescription; records: readonly NounRecord[]; field: NounField }

function ListRow({ noun, records, field }: FieldRowProps) {
  const ids = records.map(({ id }) => String(id))
  const { count, left } = unitedCount(field, records)
  return (
    <tr>
      <th scope="row">
        {field.label}
        <span className={styles['faint']}>
          {left === 0 ? t('allKept', { count }) : t('firstKept', { count, left })}
        </span>
      </th>
      {records.map(record => (
        <td key={record.id} data-kept>
          <Plain field={field} value={broughtBy(noun, field, record, ids)} />
        </td>
      ))}
    </tr>
  )
}

function SameRow({ noun, records, field }: FieldRowProps) {
  const [first] = records
  const ids = records.map(({ id }) => String(id))
  return (
    <tr>
      <th scope="row">{field.label}</th>
      <td colSpan={records.length}>
        {first !== undefined && <Plain field={field} value={broughtBy(noun, field, first, ids)} />}
      </td>
    </tr>
  )
}

/** A value without the links that lead away from here. */
function Plain({ field, value }: { field: NounField; value: unknown }) {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0))
    return <span className={styles['faint']}>{t('empty')}</span>
  if (field.kind === 'user') return <UserName id={Number(value)} />
  if (field.kind === 'ref') return <Name of={field.of ?? ''} id={String(value)} />
  if (!isUnited(field)) return <FieldValue field={field} value={value} />
  return (
    <ul>
      {(value as Entry[]).map(entry => (
        <li key={JSON.stringify(entry.value)}>
          {field.kind === 'refs' ? (
            <Name of={field.of ?? ''} id={String(entry.value)} />
          ) : field.kind === 'addresses' ? (
            addressText(entry.value as Parameters<typeof addressText>[0])
          ) : (
            String(entry.value)
          )}
          {entry.label !== null && <span className={styles['faint']}>{` ${entry.label}`}</span>}
        </li>
      ))}
    </ul>
  )
}

function Name({ of, id }: { of: string; id: string }) {
  const name = useName(of, id)
  return <>{name === undefined ? '…' : (name ?? tNouns('hiddenRecord'))}</>
}
