// The facts of a webhook: for its page and the inspector.
import type { Webhook } from '@tandem/sdk'
import { CopyButton } from '../ui/code.tsx'
import { Card, Chip, countText, DescriptionList, Moment, Time } from '../ui/index.ts'
import { StateLine, WebhookChip } from './webhook_state.tsx'
import styles from './webhooks.module.css'

export function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const { url, description, eventTypes, lastDeliveredAt, waiting, previousSecretUntil, createdAt, updatedAt } = webhook
  return (
    <Card title={description ?? 'Webhook'}>
      <div className={styles['facts']}>
        <DescriptionList
          items={[
            {
              term: 'URL',
              detail: (
                <span className={styles['line']}>
                  <span className={styles['url']}>{url}</span>
                  <CopyButton text={url} label="Copy the URL" />
                </span>
              ),
            },
            {
              term: 'Status',
              detail: (
                <span className={styles['line']}>
                  <WebhookChip webhook={webhook} />
                  <StateLine webhook={webhook} />
                </span>
              ),
            },
            { term: 'Events', detail: <Types eventTypes={eventTypes} /> },
            {
              term: 'Signed by',
              detail:
                previousSecretUntil === null ? (
                  'One secret'
                ) : (
                  <>
                    Both secrets, the old one until <Time iso={previousSecretUntil} exact />
                  </>
                ),
            },
          ]}
        />
        <DescriptionList
          items={[
            { term: 'Waiting', detail: waiting >= 10_000 ? '10,000 or more' : countText(waiting) },
            {
              term: 'Last delivered',
              detail: lastDeliveredAt === null ? 'Nothing yet' : <Time iso={lastDeliveredAt} exact />,
            },
            { term: 'Created', detail: <Moment iso={createdAt} /> },
            ...(updatedAt === createdAt ? [] : [{ term: 'Updated', detail: <Moment iso={updatedAt} /> }]),
          ]}
        />
      </div>
    </Card>
  )
}

function Types({ eventTypes }: Pick<Webhook, 'eventTypes'>) {
  if (eventTypes === null) return <>All</>
  return (
    <span className={styles['types']}>
      {eventTypes.map(type => (
        <Chip key={type}>{type}</Chip>
      ))}
    </span>
  )
}
