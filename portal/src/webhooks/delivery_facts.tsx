// One delivery in full: where it stands and what helps, every attempt with what was answered, and what is sent. Shown on
// its own page and in the inspector; it follows the attempts as they are made.
import { RotateCw } from 'lucide-react'
import { inspectedId } from '../data/inspected_id.ts'
import record from '../data/record.module.css'
import { useRecord } from '../data/records.ts'
import { useSession } from '../session/session.ts'
import { CodeBlock, JsonView } from '../ui/code.tsx'
import {
  Button,
  Card,
  DescriptionList,
  durationText,
  IdLink,
  Moment,
  TextLink,
  Timeline,
  type TimelineItem,
} from '../ui/index.ts'
import { DeliveryChip, NextAttempt, Outcome } from './delivery_outcome.tsx'
import { useFollowing, useRefreshed } from './following.ts'
import { type Attempt, type DeliveryDetail, explain } from './outcome.ts'
import { useRedelivery } from './replaying.ts'
import { t } from './texts.ts'
import styles from './webhooks.module.css'

export function DeliveryFacts({ delivery }: { delivery: DeliveryDetail }) {
  const { permissions } = useSession()
  const refresh = useRefreshed()
  const { deliveryId, attemptLog, payload } = delivery
  useFollowing([delivery], () => refresh(deliveryId))
  return (
    <div className={record['columns']}>
      <Card title={delivery.eventType} actions={permissions.has('webhooks:manage') && <Again delivery={delivery} />}>
        <Summary delivery={delivery} />
      </Card>
      <Card title={delivery.attempts > attemptLog.length ? t('newestAttempts') : t('attempts')}>
        {attemptLog.length === 0 ? (
          <p>{t('noAttempts')}</p>
        ) : (
          <Timeline
            label={t('attemptsNewest')}
            items={attemptLog.map((attempt, index) => itemOf(attempt, index === attemptLog.length - 1)).reverse()}
          />
        )}
      </Card>
      <div className={record['all']}>
        {payload === null ? (
          <Card title={t('payload')}>
            <p>{t('payloadHidden')}</p>
          </Card>
        ) : (
          <JsonView value={payload} label={t('payload')} />
        )}
      </div>
    </div>
  )
}

function Again({ delivery }: { delivery: DeliveryDetail }) {
  const { webhookId } = delivery
  return webhookId === null ? (
    <AgainButton delivery={delivery} />
  ) : (
    <AgainByWebhook id={webhookId} delivery={delivery} />
  )
}

/** One that is disabled sends nothing. */
function AgainByWebhook({ id, delivery }: { id: string; delivery: DeliveryDetail }) {
  const { data: webhook } = useRecord('webhook', id)
  return <AgainButton delivery={delivery} isDisabled={webhook?.enabled === false} />
}

function AgainButton({
  delivery: { webhookId, deliveryId },
  isDisabled = false,
}: {
  delivery: DeliveryDetail
  isDisabled?: boolean
}) {
  const redelivery = useRedelivery()
  return (
    <Button
      size="sm"
      icon={<RotateCw size={14} />}
      busy={redelivery.isPending}
      disabled={isDisabled}
      title={isDisabled ? t('enableFirst') : undefined}
      onClick={() => redelivery.mutate({ target: webhookId, deliveryId })}
    >
      {t('deliverAgain')}
    </Button>
  )
}

function Summary({ delivery }: { delivery: DeliveryDetail }) {
  const { webhookId, url, eventId, eventType, resourceId, status, attempts, lastStatus, lastError } = delivery
  const outcome = explain({ status: lastStatus, error: lastError })
  const tried = lastStatus !== null || lastError !== null
  return (
    <>
      {tried && !outcome.ok && <p className={styles['advice']}>{outcome.text}</p>}
      <DescriptionList
        items={[
          {
            term: t('status'),
            detail: (
              <span className={styles['line']}>
                <DeliveryChip delivery={delivery} />
                <Outcome status={lastStatus} error={lastError} />
                <NextAttempt delivery={delivery} />
              </span>
            ),
          },
          { term: t('attempts'), detail: status === 'failed' ? t('attemptsGivenUp', { attempts }) : attempts },
          {
            term: t('toTerm'),
            detail:
              webhookId === null ? (
                t.rich('toCallback', {
                  url: () => <span className={styles['url']}>{url}</span>,
                  link: text => <TextLink to="/webhooks/callbacks">{text}</TextLink>,
                })
              ) : (
                <TextLink to="/webhooks/$id" params={{ id: webhookId }} className={styles['url']}>
                  {url}
                </TextLink>
              ),
          },
          { term: t('event'), detail: <IdLink id={eventId} /> },
          ...(resourceId === null
            ? []
            : [{ term: t('aboutTerm'), detail: <IdLink id={inspectedId({ type: eventType, resourceId })} /> }]),
          { term: t('happened'), detail: <Moment iso={delivery.createdAt} /> },
          ...(delivery.finishedAt === null
            ? []
            : [
                {
                  term: status === 'failed' ? t('givenUp') : t('deliveredTerm'),
                  detail: <Moment iso={delivery.finishedAt} />,
                },
              ]),
        ]}
      />
    </>
  )
}

/** What the newest attempt means is shown above already. */
function itemOf(attempt: Attempt, isNewest: boolean): TimelineItem {
  const outcome = explain(attempt)
  const headers = Object.entries(attempt.requestHeaders)
  return {
    key: String(attempt.attempt),
    at: attempt.at,
    tone: outcome.ok ? 'ok' : 'bad',
    title: (
      <span className={styles['line']}>
        <strong>{attempt.attempt}</strong>
        <Outcome status={attempt.status} error={attempt.error} />
        <span>{durationText(attempt.durationMs)}</span>
      </span>
    ),
    detail: (
      <div className={styles['attempt']}>
        {!outcome.ok && !isNewest && <p>{outcome.text}</p>}
        {attempt.reply !== null && attempt.reply !== '' && (
          <CodeBlock code={attempt.reply} label={t('replyTo', { attempt: attempt.attempt })} wrap />
        )}
        <details>
          <summary>{t('requestHeaders')}</summary>
          <CodeBlock
            code={headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
            label={t('headersOf', { attempt: attempt.attempt })}
            wrap
          />
          <p>{t.rich('signatureNotKept')}</p>
        </details>
      </div>
    ),
  }
}
