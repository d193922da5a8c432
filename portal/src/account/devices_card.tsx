// Browsers that the person logged in with, to forget one or all.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../session/api.ts'
import { Button, Card, Chip, EmptyState, ErrorState, LoadingRows, Time, toast } from '../ui/index.ts'
import styles from './account.module.css'
import { programOf } from './program.ts'

const queryKey = ['live', 'own_devices']

export function DevicesCard() {
  const api = useApi()
  const cache = useQueryClient()
  const query = useQuery({ queryKey, queryFn: ({ signal }) => api.ownDevices.list({}, { signal }) })
  const done = (text: string) => {
    void cache.invalidateQueries({ queryKey })
    toast({ text })
  }
  const refused = (error: Error) => toast({ text: error.message, tone: 'bad' })
  const forget = useMutation({
    mutationFn: (deviceId: string) => api.ownDevices.delete({ deviceId }),
    onSuccess: () => done('The browser was forgotten.'),
    onError: refused,
  })
  const forgetAll = useMutation({
    mutationFn: () => api.ownDevices.deleteAll({}),
    onSuccess: () => done('All browsers were forgotten.'),
    onError: refused,
  })
  if (query.isPending) return <LoadingRows label="Loading your browsers" />
  if (query.data === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const { devices } = query.data
  return (
    <Card
      title="Browsers"
      actions={
        devices.length > 1 && (
          <Button busy={forgetAll.isPending} onClick={() => forgetAll.mutate()}>
            Forget all
          </Button>
        )
      }
    >
      {devices.length === 0 ? (
        <EmptyState
          title="No browser is known"
          text="The next login is that of a new one, and you get a mail about it."
        />
      ) : (
        <ul className={styles['rows']}>
          {devices.map(({ deviceId, userAgent, ip, trustedUntil, lastSeenAt }) => (
            <li key={deviceId}>
              <div>
                {programOf(userAgent)} {trustedUntil !== null && <Chip tone="ok">Trusted</Chip>}
                <small>
                  {ip} · last login <Time iso={lastSeenAt} />
                  {trustedUntil !== null && (
                    <>
                      {' · not asked for a code until '}
                      <Time iso={trustedUntil} />
                    </>
                  )}
                </small>
              </div>
              <Button
                aria-label={`Forget ${programOf(userAgent)} at ${ip ?? 'an unknown address'}`}
                busy={forget.isPending && forget.variables === deviceId}
                onClick={() => forget.mutate(deviceId)}
              >
                Forget
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
