// The facts of a webhook: for its page and the inspector.
import type { Webhook } from '@tandem/sdk'
import { CopyButton } from '../ui/code.tsx'
import { Card, Chip, countText, DescriptionList, Moment, Time } from '../ui/index.ts'
import { t } from './texts.ts'
import { StateLine, WebhookChip } from './webhook_state.tsx'
import styles from './webhooks.module.css'

/** What it is for, in the words of those who made it; else where it sends to. */
export const nameOf = ({ description, url }: Webhook) => description ?? URL.parse(url)?.host ?? t('webhook')

/** @param title left out where the page says it */
export function WebhookFacts({ webhook, title }: { webhook: Webhook; title?: string }) {
  const { url, eventTypes, lastDeliveredAt, waiting, previousSecretUntil, createdAt, updatedAt } = webhook
  return (
    <Card title={title}>
      <div className={styles['facts']}>
        <DescriptionList
          items={[
            {
              term: t('url'),
              detail: (
                <span className={styles['line']}>
                  <span className={styles['url']}>{url}</span>
                  <CopyButton text={url} label={t('copyUrl')} />
                </span>
              ),
            },
            {
              term: t('status'),
              detail: (
                <span className={styles['line']}>
                  <WebhookChip webhook={webhook} />
                  <StateLine webhook={webhook} />
                </span>
              ),
            },
            { term: t('events'), detail: <Types eventTypes={eventTypes} /> },
            {
              term: t('signedBy'),
              detail:
                previousSecretUntil === null
                  ? t('oneSecret')
                  : t.rich('bothSecrets', { until: () => <Time iso={previousSecretUntil} exact /> }),
            },
          ]}
        />
        <DescriptionList
          items={[
            { term: t('waiting'), detail: countText(Math.min(waiting, 10_000), waiting < 10_000) },
            {
              term: t('lastDelivered'),
              detail: lastDeliveredAt === null ? t('nothingYet') : <Time iso={lastDeliveredAt} exact />,
            },
            { term: t('created'), detail: <Moment iso={createdAt} /> },
            ...(updatedAt === createdAt ? [] : [{ term: t('updated'), detail: <Moment iso={updatedAt} /> }]),
          ]}
        />
      </div>
    </Card>
  )
}

function Types({ eventTypes }: Pick<Webhook, 'eventTypes'>) {
  if (eventTypes === null) return <>{t('all')}</>
  return (
    <span className={styles['types']}>
      {eventTypes.map(type => (
        <Chip key={type}>{type}</Chip>
      ))}
    </span>
  )
}
