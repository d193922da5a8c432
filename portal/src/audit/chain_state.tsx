// How far the log is sealed, and what that is worth.
import { useQuery } from '@tanstack/react-query'
import { usePolled } from '../data/polled.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { CopyButton } from '../ui/code.tsx'
import { Card, DescriptionList, Time } from '../ui/index.ts'
import styles from './audit.module.css'
import { KeptCard } from './kept_card.tsx'
import { StreamsCard } from './streams_card.tsx'
import { t } from './texts.ts'

export function ChainState() {
  const api = useApi()
  const { mode } = useSession()
  const seals = useQuery({
    queryKey: [mode, 'audit seals'],
    queryFn: async ({ signal }) => (await api.auditSeals.list({ limit: 1 }, { signal })).items[0] ?? null,
  })
  usePolled({ query: seals }, 30_000)
  const seal = seals.data
  return (
    <div className={styles['below']}>
      <Card title={t('proof')}>
        <div className={styles['text']}>
          {seal === undefined || seal === null ? (
            <p>{t('proofSoon')}</p>
          ) : (
            <DescriptionList
              items={[
                { term: t('sealed'), detail: t('sealedCount', { count: seal.to }) },
                { term: t('sealedLast'), detail: <Time iso={seal.at} /> },
                {
                  term: t('head'),
                  detail: (
                    <span className={styles['hash']}>
                      <code>{seal.head}</code>
                      <CopyButton text={seal.head} label={t('hashCopy')} />
                    </span>
                  ),
                },
              ]}
            />
          )}
          <p className={styles['note']}>{t.rich('proofText')}</p>
        </div>
      </Card>
      <StreamsCard />
      <KeptCard />
    </div>
  )
}
