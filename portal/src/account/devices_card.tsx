// Browsers that the person logged in with, to forget one or all.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../session/api.ts'
import { faultText } from '../ui/faults.ts'
import { Button, Card, Chip, EmptyState, ErrorState, LoadingRows, Time, toast } from '../ui/index.ts'
import styles from './account.module.css'
import { programOf } from './program.ts'
import { t } from './texts.ts'

const queryKey = ['live', 'own_devices']

export function DevicesCard() {
  const api = useApi()
  const cache = useQueryClient()
  const query = useQuery({ queryKey, queryFn: ({ signal }) => api.ownDevices.list({}, { signal }) })
  const done = (text: string) => {
    void cache.invalidateQueries({ queryKey })
    toast({ text })
  }
  const refused = (error: Error) => toast({ text: faultText(error), tone: 'bad' })
  const forget = useMutation({
    mutationFn: (deviceId: string) => api.ownDevices.delete({ deviceId }),
    onSuccess: () => done(t('deviceForgotten')),
    onError: refused,
  })
  const forgetAll = useMutation({
    mutationFn: () => api.ownDevices.deleteAll({}),
    onSuccess: () => done(t('devicesForgotten')),
    onError: refused,
  })
  if (query.isPending) return <LoadingRows label={t('loading')} />
  if (query.data === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const { devices } = query.data
  return (
    <Card
      title={t('devices')}
      actions={
        devices.length > 1 && (
          <Button busy={forgetAll.isPending} onClick={() => forgetAll.mutate()}>
            {t('forgetAll')}
          </Button>
        )
      }
    >
      {devices.length === 0 ? (
        <EmptyState title={t('devicesNone')} text={t('devicesNoneText')} />
      ) : (
        <ul className={styles['rows']}>
          {devices.map(({ deviceId, userAgent, ip, trustedUntil, lastSeenAt }) => (
            <li key={deviceId}>
              <div>
                {programOf(userAgent)} {trustedUntil !== null && <Chip tone="ok">{t('trusted')}</Chip>}
                <small>
                  {t.rich('lastLogin', { address: ip ?? '–', time: () => <Time iso={lastSeenAt} /> })}
                  {trustedUntil !== null && (
                    <>
                      {' · '}
                      {t.rich('trustedUntil', { time: () => <Time iso={trustedUntil} /> })}
                    </>
                  )}
                </small>
              </div>
              <Button
                aria-label={t('forgetOne', { program: programOf(userAgent), address: ip ?? 'none' })}
                busy={forget.isPending && forget.variables === deviceId}
                onClick={() => forget.mutate(deviceId)}
              >
                {t('forget')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
