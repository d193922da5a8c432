// What a person has open in the organization, and its end.
import type { Member } from '@tandem/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { programOf } from '../account/program.ts'
import { useApi } from '../session/api.ts'
import { faultText } from '../ui/faults.ts'
import { Button, Dialog, ErrorNote, ErrorState, LoadingRows, Time, toast } from '../ui/index.ts'
import { useMembersChanged } from './member.ts'
import { t } from './texts.ts'
import styles from './users.module.css'

type SessionsDialogProps = { member: Member; onClose(): void }

export function SessionsDialog({ member: { userId, name }, onClose }: SessionsDialogProps) {
  const api = useApi()
  const changed = useMembersChanged()
  const id = userId ?? 0
  const query = useQuery({
    queryKey: ['live', 'member', id, 'sessions'],
    queryFn: ({ signal }) => api.users.sessions({ id }, { signal }),
    gcTime: 0,
  })
  const end = useMutation({
    mutationFn: () => api.users.endSessions({ id }),
    onSuccess({ endedSessions }) {
      changed()
      toast({ text: t('sessionsEnded', { name, count: endedSessions }) })
      onClose()
    },
  })
  const sessions = query.data?.sessions ?? []
  return (
    <Dialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('sessionsOf', { name })}
      description={t('sessionsText')}
      footer={
        <>
          <Button onClick={onClose}>{t('close')}</Button>
          {sessions.length > 0 && (
            <Button variant="danger" busy={end.isPending} onClick={() => end.mutate()}>
              {t('sessionsEnd')}
            </Button>
          )}
        </>
      }
    >
      {end.error !== null && <ErrorNote text={faultText(end.error)} />}
      {query.isPending ? (
        <LoadingRows label={t('sessionsLoading')} rows={3} />
      ) : query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : sessions.length === 0 ? (
        <p>{t('sessionsNone')}</p>
      ) : (
        <ul className={styles['rows']} aria-label={t('sessionsOf', { name })}>
          {sessions.map(({ sessionId, userAgent, ip, lastUsedAt }) => (
            <li key={sessionId}>
              <div>
                {programOf(userAgent)}
                <small>
                  {ip === null
                    ? t.rich('sessionUsed', { time: () => <Time iso={lastUsedAt} /> })
                    : t.rich('sessionUsedAt', { address: ip, time: () => <Time iso={lastUsedAt} /> })}
                </small>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
