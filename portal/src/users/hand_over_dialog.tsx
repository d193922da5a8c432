// How far it is that all of a person who left goes to another one.
import type { HandOver } from '@tandem/sdk'
import { useQuery } from '@tanstack/react-query'
import { usePolled } from '../data/polled.ts'
import { UserName } from '../nouns/user_name.tsx'
import { useApi } from '../session/api.ts'
import { Button, Dialog, ErrorState, LoadingRows } from '../ui/index.ts'
import { useMembersChanged } from './member.ts'
import { t } from './texts.ts'
import styles from './users.module.css'

/** `saved_views` as people read it. */
export const kindText = (kind: string) => t.of('owned', kind) ?? kind.replaceAll('_', ' ')

export function HandOverDialog({ id, onDone }: { id: string; onDone(): void }) {
  const api = useApi()
  const changed = useMembersChanged()
  const query = useQuery({
    queryKey: ['live', 'hand_over', id],
    queryFn: ({ signal }) => api.handOvers.get({ handOverId: id }, { signal }),
    gcTime: 0,
  })
  const handOver = query.data
  const isRunning = handOver?.state === 'running'
  // Once done it rests; the dialog may stand open for as long as it wants.
  usePolled({ query }, isRunning ? 1_000 : 3_600_000)
  const done = () => {
    changed()
    onDone()
  }
  return (
    <Dialog
      open
      onOpenChange={open => !open && done()}
      title={t('handOver')}
      {...(handOver !== undefined && {
        description: t.rich(isRunning ? 'handOverRunning' : 'handOverDone', {
          from: () => <UserName id={handOver.fromUserId} />,
          to: () => <UserName id={handOver.toUserId} />,
        }),
      })}
      footer={
        <Button variant="primary" onClick={done}>
          {t(isRunning ? 'close' : 'doneAction')}
        </Button>
      }
    >
      {handOver !== undefined ? (
        <HandOverProgress handOver={handOver} />
      ) : query.isPending ? (
        <LoadingRows label={t('handOverLoading')} rows={3} />
      ) : (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      )}
    </Dialog>
  )
}

export function HandOverProgress({ handOver: { kinds, state } }: { handOver: HandOver }) {
  if (kinds.length === 0) return <p role="status">{t(state === 'running' ? 'handOverBegins' : 'handOverNothing')}</p>
  return (
    <>
      <ul className={styles['progress']} aria-label={t('handOverList')}>
        {kinds.map(({ kind, mode, total, given }) => {
          const name = t('handOverKind', { kind: kindText(kind), mode: t(`mode.${mode}`) })
          return (
            <li key={kind + mode}>
              <span>{name}</span>
              <progress aria-label={name} value={given} max={total} />
              <span>{t('handOverCount', { given, total })}</span>
            </li>
          )
        })}
      </ul>
      <p role="status">{t(state === 'running' ? 'handOverWorking' : 'handOverAll')}</p>
    </>
  )
}
