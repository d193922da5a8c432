// What was changed in a record, when and by whom, field by field; the newest first.
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../session/session.ts'
import { Card, EmptyState, ErrorState, IdLink, LoadingRows, Timeline } from '../ui/index.ts'
import { listText } from '../words/format.ts'
import { type FieldChange, type HistoryEntry, useNounApi } from './api.ts'
import { fieldNamed, type NounDescription } from './noun.ts'
import styles from './nouns.module.css'
import { t } from './texts.ts'
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
    <Card title={t('tab.history')}>
      {query.isPending ? (
        <LoadingRows label={t('history.loading')} rows={3} />
      ) : query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : changes.length === 0 ? (
        <EmptyState title={t('history.none')} text={t('history.noneText')} />
      ) : (
        <Timeline
          label={t('history.label', { one: noun.words.one })}
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

/** Who did it; the server empties fields when what they name is removed for good. */
function Who({ id }: { id: number | null }) {
  return id === null ? 'Tandem' : <UserName id={id} />
}

function What({ change }: { change: HistoryEntry }) {
  const { version, fields, source, user_id: userId, key_id: keyId } = change
  const deleted = fields.find(({ field }) => field === 'deleted_at')
  const merged = fields.find(({ field }) => field === 'merged')?.to as readonly { title: string }[] | undefined
  const who = () => <Who id={userId} />
  if (merged !== undefined)
    return (
      <>
        {t.rich('history.merged', { who, names: listText(merged.map(({ title }) => title)) })}
        <WithKey id={keyId} />
      </>
    )
  const verb =
    deleted === undefined ? (version === 1 ? 'created' : 'changed') : deleted.to === null ? 'restored' : 'deleted'
  const cause = t.of('source', source)
  return (
    <>
      {t.rich(`history.${verb}`, { who })}
      {cause !== undefined && ` · ${cause}`}
      <WithKey id={keyId} />
    </>
  )
}

function WithKey({ id }: { id: string | null }) {
  if (id === null) return null
  return (
    <>
      {' · '}
      {t.rich('withKey', { key: () => <IdLink id={id} /> })}
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
    return t('longText', { count: Number(value.length) })
  return value === null ? t('empty') : <FieldValue field={field} value={value} compact />
}
