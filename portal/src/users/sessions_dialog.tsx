// What a person has open in the organization, and its end.
import type { Member } from '@tandem/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { programOf } from '../account/program.ts'
import { useApi } from '../session/api.ts'
import { Button, Dialog, ErrorNote, ErrorState, LoadingRows, Time, toast } from '../ui/index.ts'
import { useMembersChanged } from './member.ts'
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
      toast({ text: `${name} was logged out of ${endedSessions === 1 ? 'one session' : `${endedSessions} sessions`}.` })
      onClose()
    },
  })
  const sessions = query.data?.sessions ?? []
  return (
    <Dialog
      open
      onOpenChange={open => !open && onClose()}
      title={`Sessions of ${name}`}
      description="What they have open in this organization. They can log in again; what they have open elsewhere goes on."
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {sessions.length > 0 && (
            <Button variant="danger" busy={end.isPending} onClick={() => end.mutate()}>
              End all
            </Button>
          )}
        </>
      }
    >
      {end.error !== null && <ErrorNote text={end.error.message} />}
      {query.isPending ? (
        <LoadingRows label="Loading sessions" rows={3} />
      ) : query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : sessions.length === 0 ? (
        <p>Nothing is open.</p>
      ) : (
        <ul className={styles['rows']} aria-label={`Sessions of ${name}`}>
          {sessions.map(({ sessionId, userAgent, ip, lastUsedAt }) => (
            <li key={sessionId}>
              <div>
                {programOf(userAgent)}
                <small>
                  {ip !== null && `${ip} · `}last used <Time iso={lastUsedAt} />
                </small>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
