// The live texts that nobody carried, since the organization has no carrier: what would have gone to real phones, marked as not sent.
import { useQuery } from '@tanstack/react-query'
import { useLive } from '../data/live.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { ButtonLink, Card } from '../ui/index.ts'
import styles from './handset.module.css'
import { TextEventList } from './text_events.tsx'
import { t } from './texts.ts'

export function NotSent() {
  const api = useApi()
  const { mode, permissions } = useSession()
  const query = useQuery({
    queryKey: [mode, 'texts not sent'],
    queryFn: ({ signal }) => api.messages.list({ carrier: 'none', limit: 8 }, { signal }),
  })
  useLive(
    [{ events: ['message.failed'] }],
    message => {
      if (message.event === 'event') void query.refetch()
    },
    permissions.has('events:read'),
  )
  const texts = query.data?.items ?? []
  if (texts.length === 0) return null
  return (
    <Card
      title={t('notSent')}
      flush
      actions={
        <ButtonLink to="/carriers" size="sm">
          {t('carriers')}
        </ButtonLink>
      }
    >
      <p className={styles['quiet']}>{t('notSentText')}</p>
      <TextEventList label={t('notSentList')} texts={texts} />
    </Card>
  )
}
