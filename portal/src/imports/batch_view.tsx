// A change of many records, or an undo: what it did to how many, what stayed as it was, and its own undo.
import type { Batch } from '@tandem/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { type NounDescription, pathOf, permissionOf } from '../nouns/noun.ts'
import { UserName } from '../nouns/user_name.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { ButtonLink, Card, PageHeader, Time } from '../ui/index.ts'
import { CancelButton } from './cancel_button.tsx'
import { useBatch } from './data.ts'
import styles from './imports.module.css'
import { batchText } from './rules.ts'
import { t } from './texts.ts'
import { UndoButton } from './undo.tsx'
import { BatchCounts, UndoneCard } from './undone_card.tsx'

export function BatchView({ batch, noun }: { batch: Batch; noun: NounDescription }) {
  const { permissions } = useSession()
  const undo = useBatch(batch.reverted_by)
  const isUndo = batch.source === 'revert'
  const by = {
    who: () => <UserName id={batch.user_id} />,
    time: () => <Time iso={batch.created_at} />,
  }
  const maySee = permissions.has(permissionOf(noun, 'read')) && batch.changed > 0
  return (
    <>
      <PageHeader
        title={t(isUndo ? 'undoIn' : 'changeOf', { things: noun.words.many })}
        description={isUndo ? t.rich('startedBy', by) : t.rich('doneBy', { ...by, what: batchText(batch, noun) })}
        actions={
          <>
            {batch.state === 'running' && permissions.has('batches:revert') && <Cancel batch={batch} />}
            <UndoButton
              noun={noun}
              entry={{ kind: 'batch', record: batch }}
              label={t(isUndo ? 'undoUndo' : 'undoChange')}
            />
          </>
        }
      />
      <div className={styles['stack']}>
        {undo.data !== undefined && <UndoneCard batch={undo.data} noun={noun} />}
        <Card title={t(`batch.${batch.state}`)}>
          <div className={styles['stack']}>
            <BatchCounts batch={batch} noun={noun} />
            {maySee && (
              <div className={styles['actions']}>
                <ButtonLink to={pathOf(noun) as '/leads'} search={{ batch_id: batch.id }}>
                  {t('showChanged', { things: noun.words.many })}
                </ButtonLink>
              </div>
            )}
          </div>
        </Card>
      </div>
    </>
  )
}

function Cancel({ batch }: { batch: Batch }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  return (
    <CancelButton
      label={t('stop')}
      cancel={() => api.batches.cancel({ id: batch.id })}
      onSettled={() => void cache.invalidateQueries({ queryKey: [mode, 'batch', batch.id] })}
    />
  )
}
