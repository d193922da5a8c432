// An import that runs or is over: how far it is, what came of its rows, the way to what was imported, and its undo.
import type { Import } from '@tandem/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type NounDescription, pathOf, permissionOf } from '../nouns/noun.ts'
import { useMayImport } from '../nouns/rights.ts'
import { UserName } from '../nouns/user_name.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { ButtonLink, Card, ErrorNote, PageHeader, Time } from '../ui/index.ts'
import { CancelButton } from './cancel_button.tsx'
import { importKey, useBatch, useChanged } from './data.ts'
import { nameOf } from './draft_view.tsx'
import styles from './imports.module.css'
import { Faults, Outcome, Progress } from './outcome.tsx'
import { t } from './texts.ts'
import { UndoButton } from './undo.tsx'
import { UndoneCard } from './undone_card.tsx'

export function ResultView({ found, noun }: { found: Import; noun: NounDescription }) {
  const undo = useBatch(found.reverted_by)
  const changed = useChanged()
  const mayRun = useMayImport(noun)
  const was = useRef(found.state)
  useEffect(() => {
    // Lists that are opened next show what came.
    if (was.current === 'running' && found.state !== 'running') changed(found.noun)
    was.current = found.state
  })
  const { batch_id: batchId, state, created, updated } = found
  const isRunning = state === 'running'
  const isDiscarded = state === 'canceled' && batchId === null
  return (
    <>
      <PageHeader
        title={isDiscarded ? t('discarded') : t('importOf', { things: noun.words.many })}
        description={t.rich('importedBy', {
          name: nameOf(found, noun),
          who: () => <UserName id={found.user_id} />,
          time: () => <Time iso={found.created_at} />,
        })}
        actions={
          <>
            {isRunning && mayRun && <Cancel found={found} />}
            <UndoButton noun={noun} entry={{ kind: 'import', record: found }} label={t('undoImport')} />
            {mayRun && (
              <ButtonLink to={pathOf(noun) as '/leads'} search={{ import: '1' }}>
                {t('importAnother')}
              </ButtonLink>
            )}
          </>
        }
      />
      <div className={styles['stack']}>
        {undo.data !== undefined && <UndoneCard batch={undo.data} noun={noun} />}
        {!isDiscarded && (
          <Card title={t.of('result', state)}>
            <div className={styles['stack']}>
              {isRunning ? <Progress found={found} doing="running" /> : <Outcome noun={noun} found={found} />}
              {found.problem !== null && <ErrorNote text={found.problem} />}
              {state === 'canceled' && <p>{t('canceledText')}</p>}
              <ShowRecords found={found} noun={noun} shown={created + updated > 0 && found.reverted_by === null} />
              {!isRunning && <Faults found={found} />}
            </div>
          </Card>
        )}
        {isDiscarded && <p>{t('discardedText')}</p>}
      </div>
    </>
  )
}

function ShowRecords({ found, noun, shown }: { found: Import; noun: NounDescription; shown: boolean }) {
  const { permissions } = useSession()
  if (!shown || found.batch_id === null || !permissions.has(permissionOf(noun, 'read'))) return null
  return (
    <div className={styles['actions']}>
      <ButtonLink to={pathOf(noun) as '/leads'} search={{ batch_id: found.batch_id }}>
        {t('showImported', { things: noun.words.many })}
      </ButtonLink>
    </div>
  )
}

function Cancel({ found }: { found: Import }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  return (
    <CancelButton
      label={t('stopImport')}
      cancel={async () => (await api.imports.cancel({ id: found.id })).import}
      onDone={canceled => cache.setQueryData(importKey(mode, found.id), canceled)}
    />
  )
}
