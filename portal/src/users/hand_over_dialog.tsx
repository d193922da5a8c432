// How far it is that all of a person who left goes to another one.
import type { HandOver } from '@tandem/sdk'
import { useQuery } from '@tanstack/react-query'
import { usePolled } from '../data/polled.ts'
import { UserName } from '../nouns/user_name.tsx'
import { useApi } from '../session/api.ts'
import { Button, countText, Dialog, ErrorState, LoadingRows } from '../ui/index.ts'
import { useMembersChanged } from './member.ts'
import styles from './users.module.css'

/** `saved_views` as people read it. */
export const kindText = (kind: string) => kind.replaceAll('_', ' ')

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
      title="Hand-over"
      {...(handOver !== undefined && {
        description: (
          <>
            What <UserName id={handOver.fromUserId} /> owned {isRunning ? 'is going' : 'went'} to{' '}
            <UserName id={handOver.toUserId} />.{isRunning && ' That goes on when this is closed.'}
          </>
        ),
      })}
      footer={
        <Button variant="primary" onClick={done}>
          {isRunning ? 'Close' : 'Done'}
        </Button>
      }
    >
      {handOver !== undefined ? (
        <HandOverProgress handOver={handOver} />
      ) : query.isPending ? (
        <LoadingRows label="Loading the hand-over" rows={3} />
      ) : (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      )}
    </Dialog>
  )
}

export function HandOverProgress({ handOver: { kinds, state } }: { handOver: HandOver }) {
  if (kinds.length === 0)
    return <p role="status">{state === 'running' ? 'It begins.' : 'There was nothing to hand over.'}</p>
  return (
    <>
      <ul className={styles['progress']} aria-label="What is handed over">
        {kinds.map(({ kind, mode, total, given }) => {
          const name = `${kindText(kind)}, ${mode}`
          return (
            <li key={kind + mode}>
              <span>{name}</span>
              <progress aria-label={name} value={given} max={total} />
              <span>
                {countText(given)} of {countText(total)}
              </span>
            </li>
          )
        })}
      </ul>
      <p role="status">{state === 'running' ? 'At work.' : 'All is handed over.'}</p>
    </>
  )
}
