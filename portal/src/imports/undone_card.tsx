// How far an undo is, and what stayed as it was, with the reason.
import type { Batch } from '@tandem/sdk'
import type { ReactNode } from 'react'
import type { NounDescription } from '../nouns/noun.ts'
import { UserName } from '../nouns/user_name.tsx'
import { RecordName } from '../nouns/values.tsx'
import { DataTable } from '../ui/data_table.tsx'
import { Card, ErrorNote, TextLink, Time } from '../ui/index.ts'
import styles from './imports.module.css'
import { t } from './texts.ts'

type BatchProps = { batch: Batch; noun: NounDescription }

export function UndoneCard({ batch, noun }: BatchProps) {
  return (
    <Card title={t(`undone.${batch.state}`)}>
      <div className={styles['stack']}>
        <p>
          {t.rich('undoneBy', {
            who: () => <UserName id={batch.user_id} />,
            time: () => <Time iso={batch.created_at} />,
            link: linkTo(batch.id),
          })}
        </p>
        {batch.reverted_by !== null && <p>{t.rich('undoneTwice', { link: linkTo(batch.reverted_by) })}</p>}
        <BatchCounts batch={batch} noun={noun} />
      </div>
    </Card>
  )
}

const linkTo = (id: string) => (text: ReactNode) => (
  <TextLink to="/imports/$id" params={{ id }}>
    {text}
  </TextLink>
)

/** How far a change of many is, what came of it, and which records stayed as they were. */
export function BatchCounts({ batch, noun }: BatchProps) {
  const { state, total, changed, unchanged, failed, failures = [], problem, source } = batch
  const { words } = noun
  const isUndo = source === 'revert'
  return (
    <>
      {state === 'running' && (
        <progress
          className={styles['progress']}
          aria-label={t(isUndo ? 'undoing' : 'changing')}
          max={Math.max(total, 1)}
          value={changed + unchanged + failed}
        />
      )}
      <ul className={styles['texts']} aria-live="polite">
        <li>{t(isUndo ? 'restoredOf' : 'changedOf', { changed, total, ...words })}</li>
        {unchanged > 0 && <li>{t('unchanged', { count: unchanged, ...words })}</li>}
        {failed > 0 && <li>{t('stayed', { count: failed, ...words })}</li>}
      </ul>
      {problem !== null && <ErrorNote text={problem} />}
      {failures.length > 0 && (
        <DataTable
          caption={t('stayedList')}
          rows={failures.slice(0, maxNamed)}
          rowKey={({ id }) => id}
          columns={[
            { key: 'record', header: t('record'), render: ({ id }) => <RecordName of={noun.one} id={id} /> },
            { key: 'message', header: t('why'), render: ({ message }) => message },
          ]}
        />
      )}
      {failures.length > maxNamed && (
        <p className={styles['faint']}>{t('stayedSome', { shown: maxNamed, all: failed })}</p>
      )}
    </>
  )
}

/** Each is asked for by itself. */
const maxNamed = 20
