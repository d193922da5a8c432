// What was changed in a record, when and by whom, field by field; the newest first.
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../session/session.ts'
import { Card, EmptyState, ErrorState, IdLink, LoadingRows, Timeline } from '../ui/index.ts'
import { type FieldChange, type HistoryEntry, useNounApi } from './api.ts'
import { fieldNamed, type NounDescription } from './noun.ts'
import styles from './nouns.module.css'
import { UserName } from './user_name.tsx'
import { FieldValue } from './values.tsx'

export function History({ noun, id, version }: { noun: NounDescription; id: string; version: number }) {
  const own = useNounApi(noun)
  const { mode } = useSession()
  const query = useQuery({
    queryKey: [mode, noun.one, id, 'history', version],
    queryFn: ({ signal }) => own.history(id, signal),
  })
  const changes = query.data ?? []
  return (
    <Card title="History">
      {query.isPending ? (
        <LoadingRows label="Loading the history" rows={3} />
      ) : query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : changes.length === 0 ? (
        <EmptyState title="No changes" text="Nothing was changed since history is kept." />
      ) : (
        <Timeline
          label={`Changes of this ${noun.words.one}, newest first`}
          items={changes.map(change => ({
            key: String(change.version),
            at: change.at,
            title: <What change={change} />,
            detail: <Fields noun={noun} fields={change.fields} />,
          }))}
        />
      )}
    </Card>
  )
}

const sources: Record<string, string> = {
  bulk: ' with others',
  merge: ' by a merge',
  import: ' by an import',
  purge: ', because what it named is removed for good',
  revert: ' by taking a change back',
  inbound: ', because somebody wrote or called',
}

/** Who did it; the server empties fields when what they name is removed for good. */
function Who({ id }: { id: number | null }) {
  return id === null ? 'Tandem' : <UserName id={id} />
}

function What({ change }: { change: HistoryEntry }) {
  const { version, fields, source, user_id: userId, key_id: keyId } = change
  const deleted = fields.find(({ field }) => field === 'deleted_at')
  const merged = fields.find(({ field }) => field === 'merged')?.to as readonly { title: string }[] | undefined
  if (merged !== undefined)
    return (
      <>
        <Who id={userId} />
        {` merged ${merged.map(({ title }) => title).join(', ')} into it`}
        <WithKey id={keyId} />
      </>
    )
  const verb =
    deleted === undefined
      ? version === 1
        ? 'created it'
        : 'changed it'
      : deleted.to === null
        ? 'restored it'
        : 'deleted it'
  return (
    <>
      <Who id={userId} />
      {` ${verb}${sources[source] ?? ''}`}
      <WithKey id={keyId} />
    </>
  )
}

function WithKey({ id }: { id: string | null }) {
  if (id === null) return null
  return (
    <>
      {' with the key '}
      <IdLink id={id} />
    </>
  )
}

function Fields({ noun, fields }: { noun: NounDescription; fields: readonly FieldChange[] }) {
  const shown = fields.flatMap(change => {
    const field = fieldNamed(noun, change.field)
    return field === undefined ? [] : [{ ...change, field }]
  })
  if (shown.length === 0) return null
  return (
    <dl className={styles['changes']}>
      {shown.map(({ field, from, to }) => (
        <div key={field.name}>
          <dt>{field.label}</dt>
          <dd>
            <Value field={field} value={from} /> → <Value field={field} value={to} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Of long texts only the length is kept. */
function Value({ field, value }: Parameters<typeof FieldValue>[0]) {
  if (typeof value === 'object' && value !== null && 'length' in value && !Array.isArray(value))
    return <>{`a text of ${String(value.length)} characters`}</>
  return value === null ? <>empty</> : <FieldValue field={field} value={value} compact />
}
