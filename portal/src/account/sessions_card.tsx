// All that the person has open, to end one or all others.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../session/api.ts'
import { faultText } from '../ui/faults.ts'
import { Button, Card, Chip, ErrorState, LoadingRows, Time, toast } from '../ui/index.ts'
import { listText } from '../words/format.ts'
import styles from './account.module.css'
import { programOf } from './program.ts'
import { t } from './texts.ts'

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
    onSuccess: () => done(t('sessionEnded')),
    onError: error => toast({ text: faultText(error), tone: 'bad' }),
  })
  const endOthers = useMutation({
    mutationFn: () => api.ownSessions.endOthers({}),
    onSuccess: () => done(t('sessionsEnded')),
    onError: error => toast({ text: faultText(error), tone: 'bad' }),
  })
  if (query.isPending) return <LoadingRows label={t('loading')} />
  if (query.data === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const { sessions } = query.data
  return (
    <Card
      title={t('sessions')}
      actions={
        sessions.length > 1 && (
          <Button busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            {t('sessionsEnd')}
          </Button>
        )
      }
    >
      <ul className={styles['rows']}>
        {sessions.map(session => (
          <li key={session.sessionId}>
            <div>
              {programOf(session.userAgent)} {session.isCurrent && <Chip tone="ok">{t('sessionThis')}</Chip>}
              <small>
                {[session.ip, listText(session.organizations)].filter(Boolean).join(' · ')} ·{' '}
                {t.rich('lastUsed', { time: () => <Time iso={session.lastUsedAt} /> })}
              </small>
            </div>
            {!session.isCurrent && (
              <Button
                aria-label={t('sessionEndOne', {
                  program: programOf(session.userAgent),
                  address: session.ip ?? 'none',
                })}
                busy={end.isPending && end.variables === session.sessionId}
                onClick={() => end.mutate(session.sessionId)}
              >
                {t('sessionEnd')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
