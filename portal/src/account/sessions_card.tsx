// All that the person has open, to end one or all others.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../session/api.ts'
import { Button, Card, Chip, ErrorState, LoadingRows, Time, toast } from '../ui/index.ts'
import styles from './account.module.css'
import { programOf } from './program.ts'

const queryKey = ['live', 'own_sessions']

export function SessionsCard() {
  const api = useApi()
  const cache = useQueryClient()
  const query = useQuery({ queryKey, queryFn: ({ signal }) => api.ownSessions.list({}, { signal }) })
  const done = (text: string) => {
    void cache.invalidateQueries({ queryKey })
    toast({ text })
  }
  const end = useMutation({
    mutationFn: (sessionId: string) => api.ownSessions.end({ sessionId }),
    onSuccess: () => done('The session was ended.'),
    onError: error => toast({ text: error.message, tone: 'bad' }),
  })
  const endOthers = useMutation({
    mutationFn: () => api.ownSessions.endOthers({}),
    onSuccess: () => done('All other sessions were ended.'),
    onError: error => toast({ text: error.message, tone: 'bad' }),
  })
  if (query.isPending) return <LoadingRows label="Loading your sessions" />
  if (query.data === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const { sessions } = query.data
  return (
    <Card
      title="Sessions"
      actions={
        sessions.length > 1 && (
          <Button busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            End all others
          </Button>
        )
      }
    >
      <ul className={styles['rows']}>
        {sessions.map(session => (
          <li key={session.sessionId}>
            <div>
              {programOf(session.userAgent)} {session.isCurrent && <Chip tone="ok">This one</Chip>}
              <small>
                {[session.ip, session.organizations.join(', ')].filter(Boolean).join(' · ')} · last used{' '}
                <Time iso={session.lastUsedAt} />
              </small>
            </div>
            {!session.isCurrent && (
              <Button
                aria-label={`End the session of ${programOf(session.userAgent)} from ${session.ip ?? 'an unknown address'}`}
                busy={end.isPending && end.variables === session.sessionId}
                onClick={() => end.mutate(session.sessionId)}
              >
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
