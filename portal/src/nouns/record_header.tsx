// The head of a record's page: who or what it is, in which state, whose, how much, and what to do next. One thing is for pressing; what
// else can be done is quiet, and what is done seldom stands in a menu.
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Chip, PageTitle, StatusChip, TextLink } from '../ui/index.ts'
import { Initials } from '../ui/initials.tsx'
import { useName } from './names.ts'
import { fieldValue, type NounDescription, type NounRecord, pathOf, titleOf, upper, wordOf } from './noun.ts'
import own from './record_header.module.css'
import { t } from './texts.ts'
import { UserName } from './user_name.tsx'

export type RecordHeaderProps = {
  noun: NounDescription
  /** Undefined while it is read, and where it is not there. */
  record: NounRecord | undefined
  /** The mark before its name. */
  mark?: 'person' | 'company'
  /** What stands under its name first: the company of a person. */
  about?: ReactNode
  tags?: ReactNode
  actions?: ReactNode
}

export function RecordHeader({ noun, record, mark, about, tags, actions }: RecordHeaderProps) {
  const title = record === undefined ? upper(noun.words.one) : titleOf(noun, record)
  return (
    <header className={own['header']}>
      <TextLink className={own['back'] ?? ''} to={pathOf(noun) as '/leads'}>
        <ArrowLeft size={14} aria-hidden="true" />
        {t('allMany', { many: noun.words.many })}
      </TextLink>
      <div className={own['line']}>
        {mark !== undefined && record !== undefined && <Initials name={title} size="lg" shape={mark} />}
        <div className={own['who']}>
          <PageTitle title={title} className={own['name'] ?? ''} />
          {record !== undefined && (
            <div className={own['about']}>
              {about}
              <State noun={noun} record={record} />
              <Owner noun={noun} record={record} />
              {tags}
            </div>
          )}
        </div>
        {actions !== undefined && <div className={own['actions']}>{actions}</div>}
      </div>
    </header>
  )
}

function State({ noun, record }: { noun: NounDescription; record: NounRecord }) {
  const field = noun.fields.find(({ kind }) => kind === 'state')
  const state = field === undefined ? undefined : fieldValue(field, record)
  return (
    <>
      {state != null && <StatusChip status={String(state)} label={field && wordOf(field, String(state))} />}
      {record.deleted_at != null && <Chip tone="warn">{t('inTrash')}</Chip>}
    </>
  )
}

/** Whose it is, where records of the noun have an owner. */
function Owner({ noun: { rows, fields }, record }: { noun: NounDescription; record: NounRecord }) {
  const field = fields.find(({ name, kind }) => kind === 'user' && name === rows?.owner)
  const id = field === undefined ? null : (record[field.name] as number | null)
  const name = useName('user', id)
  if (field === undefined) return null
  if (id === null) return <span className={own['nobody']}>{t('noOwner')}</span>
  return (
    <span className={own['owner']} title={field.label}>
      <Initials name={name ?? '…'} size="sm" />
      <span className="visually-hidden">{t('ownerIs', { field: field.label })} </span>
      <UserName id={id} />
    </span>
  )
}
