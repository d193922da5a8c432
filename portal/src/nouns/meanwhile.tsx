// What somebody else changed in a record while it is edited: field by field, with who it was, and a way to keep theirs.
import { useQuery } from '@tanstack/react-query'
import { Fragment, useEffect, useRef } from 'react'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/index.ts'
import { useNounApi } from './api.ts'
import { fieldsOf, fieldValue, type NounDescription, type NounField, type NounRecord } from './noun.ts'
import styles from './nouns.module.css'
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
export function Meanwhile({ noun, begun, stored, typed, isRefused, onTakeTheirs }: MeanwhileProps) {
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
        <Who noun={noun} begun={begun} stored={stored} />
        {others.length === 0 ? ' changed what does not stand in this form meanwhile.' : ' changed it meanwhile:'}
      </p>
      {others.length > 0 && (
        <ul>
          {others.map(field => (
            <li key={field.name}>
              <Change field={field} begun={begun} stored={stored} />
              {onTakeTheirs !== undefined && typed.includes(field.name) && (
                <>
                  {'. You typed otherwise. '}
                  <Button
                    size="sm"
                    aria-label={`Keep theirs of ${field.label.toLowerCase()}`}
                    onClick={() => onTakeTheirs(field.name)}
                  >
                    Keep theirs
                  </Button>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      <p>
        {typed.length > 0
          ? 'What you typed is still here; save it if it is to hold.'
          : 'Nothing of yours differs from it.'}
      </p>
    </div>
  )
}

function Change({ field, begun, stored }: { field: NounField; begun: NounRecord; stored: NounRecord }) {
  return (
    <>
      {`${field.label}: `}
      <Value field={field} record={stored} />
      {' (before: '}
      <Value field={field} record={begun} />
      {')'}
    </>
  )
}

function Value({ field, record }: { field: NounField; record: NounRecord }) {
  const value = fieldValue(field, record)
  const isEmpty = value == null || value === '' || (Array.isArray(value) && value.length === 0)
  return isEmpty ? 'empty' : <FieldValue field={field} value={value} compact />
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
  if (users.length === 0) return 'Somebody'
  return users.map((id, at) => (
    <Fragment key={String(id)}>
      {at > 0 && ' and '}
      {id === null ? 'Tandem' : <UserName id={id} />}
    </Fragment>
  ))
}
