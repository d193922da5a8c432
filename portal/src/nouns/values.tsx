// Values of records as people read them, by the kind of their field.
import { Fragment, type ReactNode } from 'react'
import { PhoneNumber } from '../people/phone_number.tsx'
import { Chip, countText, Day, Moment, Money, StatusChip, TextLink, Time } from '../ui/index.ts'
import { nameOfCode } from '../words/format.ts'
import { knownNoun } from './known.ts'
import { useName } from './names.ts'
import { type Address, type Entry, type MoneyValue, type NounField, ownIdOf, wordOf } from './noun.ts'
import styles from './nouns.module.css'
import { TagChips } from './tagging/tag_chip.tsx'
import type { AssignedTag } from './tagging/use_tags.ts'
import { t } from './texts.ts'
import { UserLink } from './user_name.tsx'

/** A record that another names, by what it is called, with the way to it. */
export function RecordName({ of: one, id }: { of: string; id: string | number }) {
  const name = useName(one, id)
  const noun = knownNoun(one)
  if (one === 'user') return <UserLink id={Number(id)} />
  if (name === undefined) return '…'
  if (name === null || noun === undefined) return <span title={String(id)}>{t('hiddenRecord')}</span>
  return (
    <TextLink to={`/${noun.many}/$id` as '/leads/$id'} params={{ id: String(ownIdOf({ one, ...noun }, id)) }}>
      {name}
    </TextLink>
  )
}

export function addressText(address: Address): string {
  const { street, postal_code: code, city, region, country } = address
  return [street, [code, city].filter(Boolean).join(' '), region, country].filter(Boolean).join(', ')
}

function entryText(field: NounField, value: unknown): ReactNode {
  if (field.kind === 'phones') return <PhoneNumber number={String(value)} />
  if (field.kind === 'refs') return <RecordName of={field.of ?? ''} id={value as string} />
  return field.kind === 'addresses' ? addressText(value as Address) : String(value)
}

/** All entries of a list, the primary one first, with what each is for. */
function Entries({ field, entries }: { field: NounField; entries: readonly Entry[] }) {
  return (
    <ul className={styles['entries']}>
      {[...entries]
        .sort((a, b) => Number(b.is_primary) - Number(a.is_primary))
        .map((entry, at) => (
          <li key={JSON.stringify(entry.value)}>
            {entryText(field, entry.value)}
            {entry.label !== null && <span className={styles['faint']}> {entry.label}</span>}
            {at === 0 && entries.length > 1 && <span className={styles['faint']}> {t('primaryMark')}</span>}
          </li>
        ))}
    </ul>
  )
}

export type FieldValueProps = {
  field: NounField
  value: unknown
  /** In one line: of lists only the primary entry, of times how long ago. */
  compact?: boolean
}

export function FieldValue({ field, value, compact = false }: FieldValueProps): ReactNode {
  if (value === null || value === undefined || value === '') return field.kind === 'user' ? t('nobody') : '–'
  if (Array.isArray(value) && value.length === 0) return '–'
  switch (field.kind) {
    case 'choice':
    case 'state':
      return <StatusChip status={String(value)} label={wordOf(field, String(value))} />
    case 'boolean':
      if (field.words !== undefined) return <StatusChip status={field.words[value === true ? 'true' : 'false']} />
      return value === true ? <Chip tone="ok">{t('yes')}</Chip> : t('no')
    case 'date':
      return <Day date={String(value)} />
    case 'moment':
      return compact ? <Time iso={String(value)} /> : <Moment iso={String(value)} />
    case 'money':
      return <Money {...(value as MoneyValue)} />
    case 'integer':
      return countText(Number(value))
    case 'tags':
      return <TagChips tags={value as AssignedTag[]} />
    case 'phone':
      return <PhoneNumber number={String(value)} />
    case 'language':
      return nameOfCode('language', String(value))
    case 'user':
    case 'ref':
      return <RecordName of={field.of ?? 'user'} id={value as string} />
    case 'long_text':
      return compact ? (
        String(value)
      ) : (
        <span className={styles['long']} dir="auto">
          {String(value)}
        </span>
      )
    case 'emails':
    case 'phones':
    case 'addresses':
    case 'refs':
      return compact ? (
        <Primary field={field} entries={value as Entry[]} />
      ) : (
        <Entries field={field} entries={value as Entry[]} />
      )
    default:
      return <span dir="auto">{String(value)}</span>
  }
}

function Primary({ field, entries }: { field: NounField; entries: readonly Entry[] }) {
  const first = entries.find(entry => entry.is_primary) ?? entries[0]
  if (first === undefined) return '–'
  return (
    <Fragment>
      {entryText(field, first.value)}
      {entries.length > 1 && <span className={styles['faint']}> +{entries.length - 1}</span>}
    </Fragment>
  )
}
