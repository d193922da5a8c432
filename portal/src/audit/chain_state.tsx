// How far the log is sealed, and what that is worth.
import { useQuery } from '@tanstack/react-query'
import { usePolled } from '../data/polled.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { CopyButton } from '../ui/code.tsx'
import { Card, countText, DescriptionList, Time } from '../ui/index.ts'
import styles from './audit.module.css'
import { StreamsCard } from './streams_card.tsx'

export function ChainState() {
  const api = useApi()
  const { mode } = useSession()
  const seals = useQuery({
    queryKey: [mode, 'audit seals'],
    queryFn: async ({ signal }) => (await api.auditSeals.list({ limit: 1 }, { signal })).items[0] ?? null,
  })
  usePolled({ query: seals }, 30_000)
  const policy = useQuery({
    queryKey: [mode, 'audit policy'],
    queryFn: ({ signal }) => api.auditPolicy.get({}, { signal }),
  })
  const seal = seals.data
  return (
    <div className={styles['below']}>
      <Card title="Proof">
        <div className={styles['text']}>
          {seal === undefined || seal === null ? (
            <p>What is new is sealed within a minute.</p>
          ) : (
            <DescriptionList
              items={[
                { term: 'Sealed', detail: `${countText(seal.to)} events` },
                { term: 'Last seal', detail: <Time iso={seal.at} /> },
                {
                  term: 'Head',
                  detail: (
                    <span className={styles['hash']}>
                      <code>{seal.head}</code>
                      <CopyButton text={seal.head} label="Copy the hash" />
                    </span>
                  ),
                },
              ]}
            />
          )}
          <p className={styles['note']}>
            Nobody can change, cut out or reorder what is sealed without it showing: <code>tandem audit verify</code>{' '}
            checks an export (NDJSON) on any machine. Keep exports, or this hash, where nobody who runs the server can
            reach them.
          </p>
        </div>
      </Card>
      <StreamsCard />
      <Card title="Kept">
        <div className={styles['text']}>
          {policy.data !== undefined && (
            <DescriptionList
              items={[
                {
                  term: 'For',
                  detail: policy.data.legalHold
                    ? 'As long as the legal hold stands'
                    : `${countText(policy.data.effectiveDays)} days`,
                },
                {
                  term: 'Recordings',
                  detail: policy.data.recordListens ? 'Who listens is noted' : 'Who listens is not noted',
                },
              ]}
            />
          )}
        </div>
      </Card>
    </div>
  )
}
