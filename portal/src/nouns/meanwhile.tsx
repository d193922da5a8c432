// What somebody else changed in a record while it is edited: field by field, with who it was, and a way to keep theirs.
import { useQuery } from '@tanstack/react-query'
import { Fragment, useEffect, useRef } from 'react'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/index.ts'
import { useNounApi } from './api.ts'
import { spoken } from './described/spoken.ts'
import { fieldsOf, fieldValue, type NounDescription, type NounField, type NounRecord, within } from './noun.ts'
import styles from './nouns.module.css'
import { t } from './texts.ts'
import { UserName } from './user_name.tsx'
import { FieldValue } from './values.tsx'

export type MeanwhileProps = {
  noun: NounDescription
  /** The record as it was when the first of it was typed. */
  begun: NounRecord
  stored: NounRecord
  /** Fields that the form holds otherwise than they are stored. */
  typed: readonly string[]
  /** Whether a saving was refused for it. */
  isRefused: boolean
  /** Drops what was typed into a field. */
  onTakeTheirs?(name: string): void
}

const isOther = (a: unknown, b: unknown) => JSON.stringify(a ?? null) !== JSON.stringify(b ?? null)

/** Nothing where nobody changed it. */
export function Meanwhile({ noun: described, begun, stored, typed, isRefused, onTakeTheirs }: MeanwhileProps) {
  const noun = spoken(described)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isRefused) box.current?.scrollIntoView({ block: 'nearest' })
  }, [isRefused])
  const others = fieldsOf(noun).filter(
    field => field.name !== 'updated_at' && isOther(fieldValue(field, begun), fieldValue(field, stored)),
  )
  if (others.length === 0 && !isRefused) return null
  return (
    <div ref={box} className={styles['meanwhile']} role="alert">
      <p>
        {t.rich(others.length === 0 ? 'meanwhile.other' : 'meanwhile.changed', {
          who: () => <Who noun={noun} begun={begun} stored={stored} />,
        })}
      </p>
      {others.length > 0 && (
        <ul>
          {others.map(field => (
            <li key={field.name}>
              <Change field={field} begun={begun} stored={stored} />
              {onTakeTheirs !== undefined && typed.includes(field.name) && (
                <>
                  {'. '}
                  {t('meanwhile.differs')}{' '}
                  <Button
                    size="sm"
                    aria-label={t('meanwhile.keepOf', { field: within(field.label) })}
                    onClick={() => onTakeTheirs(field.name)}
                  >
                    {t('meanwhile.keep')}
                  </Button>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      <p>{t(typed.length > 0 ? 'meanwhile.typed' : 'meanwhile.same')}</p>
    </div>
  )
}

function Change({ field, begun, stored }: { field: NounField; begun: NounRecord; stored: NounRecord }) {
  return t.rich('meanwhile.change', {
    field: field.label,
    now: () => <Value field={field} record={stored} />,
    before: () => <Value field={field} record={begun} />,
  })
}

function Value({ field, record }: { field: NounField; record: NounRecord }) {
  const value = fieldValue(field, record)
  const isEmpty = value == null || value === '' || (Array.isArray(value) && value.length === 0)
  return isEmpty ? t('empty') : <FieldValue field={field} value={value} compact />
}

/** Who it was, by the history of the record, where it has one. */
function Who({ noun, begun, stored }: Pick<MeanwhileProps, 'noun' | 'begun' | 'stored'>) {
  const own = useNounApi(noun)
  const { mode } = useSession()
  const query = useQuery({
    queryKey: [mode, noun.one, String(stored.id), 'history', stored.version],
    queryFn: ({ signal }) => own.history(stored.id, signal),
    enabled: noun.verbs.includes('history'),
  })
  const since = (query.data ?? []).filter(({ version }) => version > begun.version && version <= stored.version)
  const users = [...new Set(since.map(({ user_id: userId }) => userId))]
  if (users.length === 0) return t('meanwhile.somebody')
  return users.map((id, at) => (
    <Fragment key={String(id)}>
      {at > 0 && ', '}
      {id === null ? 'Tandem' : <UserName id={id} />}
    </Fragment>
  ))
}
