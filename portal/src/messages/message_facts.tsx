// One message in full: its facts, its text, its timeline and its parts. Shown on its own page and in the inspector.
import type { Message } from '@tandem/sdk'
import { JsonFold } from '../data/json_fold.tsx'
import { useCarriers } from '../data/messaging_lists.ts'
import record from '../data/record.module.css'
import { Party } from '../people/party.tsx'
import {
  Card,
  CodeLink,
  DescriptionList,
  durationText,
  IdLink,
  Moment,
  StatusChip,
  TextLink,
  Time,
  Timeline,
  type TimelineItem,
  toneOfState,
} from '../ui/index.ts'
import { stepsOf } from './history.ts'
import { MessageParts } from './message_parts.tsx'
import styles from './messages.module.css'
import { Metadata } from './metadata.tsx'
import { carrierName } from './preview.tsx'
import { priceText } from './price.tsx'
import { spanText } from './span.ts'
import { t } from './texts.ts'

/** How long after the entry before: "after 1.21 s". */
function afterText(before: string | undefined, at: string): string {
  return before === undefined
    ? ''
    : t('after', { duration: durationText(Math.max(0, Date.parse(at) - Date.parse(before))) })
}

function timelineOf(message: Message): TimelineItem[] {
  return stepsOf(message.history).map(({ entry, before, rounds }, index) => ({
    key: `${index} ${entry.status}`,
    title: <StatusChip status={entry.status} />,
    at: entry.at,
    tone: toneOfState(entry.status),
    detail: (
      <>
        {rounds === 0 ? afterText(before, entry.at) : t('afterRounds', { count: rounds })}{' '}
        {entry.code !== null && <CodeLink code={entry.code} />}
      </>
    ),
  }))
}

function segmentsText({ segments, segmentsDelivered, encoding, direction }: Message): string {
  return direction === 'outbound' && segmentsDelivered > 0
    ? t('segmentsDelivered', { count: segments, encoding, delivered: segmentsDelivered })
    : t('segmentsIn', { count: segments, encoding })
}

/** A carrier by its name, the person's own as a way to it. */
function CarrierDetail({ id, name }: { id: string; name: string }) {
  return id.startsWith('car_') ? <IdLink id={id}>{name}</IdLink> : name
}

function CarrierOf({ message: { carrier, direction, attempts }, name }: { message: Message; name: string }) {
  const detail = () => <CarrierDetail id={carrier} name={name} />
  return direction === 'outbound' ? t.rich('carrierAttempts', { carrier: detail, count: attempts }) : detail()
}

/** Its text, or what became of it. */
function Words({ message: { redactedAt, body, partial } }: { message: Message }) {
  return (
    <>
      {redactedAt !== null ? (
        <p className={styles['gone']}>{t.rich('redactedAt', { time: () => <Time iso={redactedAt} /> })}</p>
      ) : (
        <p className={styles['body']} dir="auto">
          {body}
        </p>
      )}
      {partial && <p className={styles['gone']}>{t('partial')}</p>}
    </>
  )
}

export function MessageFacts({ message }: { message: Message }) {
  const metadata = Object.entries(message.metadata)
  const carriers = useCarriers(message.carrier.startsWith('car_'))
  const carrierOf = (id: string) => carrierName(id, carriers.items)
  return (
    <div className={record['columns']}>
      <Card title={t('message')}>
        <Words message={message} />
        <DescriptionList
          items={[
            { term: t('status'), detail: <StatusChip status={message.status} /> },
            ...(message.code === null ? [] : [{ term: t('reason'), detail: <CodeLink code={message.code} /> }]),
            { term: t('direction'), detail: t(`way.${message.direction}`) },
            { term: t('from'), detail: <Party address={message.from} /> },
            { term: t('to'), detail: <Party address={message.to} /> },
            ...(message.serviceId === null ? [] : [{ term: t('service'), detail: <IdLink id={message.serviceId} /> }]),
            { term: t('segments'), detail: segmentsText(message) },
            {
              term: t('carrier'),
              detail: <CarrierOf message={message} name={carrierOf(message.carrier)} />,
            },
            ...(message.price === null
              ? []
              : [{ term: t('price'), detail: priceText(message.price, message.currency) }]),
            { term: t('created'), detail: <Moment iso={message.createdAt} /> },
            ...(message.sendAt === null ? [] : [{ term: t('toBeSent'), detail: <Moment iso={message.sendAt} /> }]),
            ...(message.validityPeriod === null
              ? []
              : [{ term: t('validFor'), detail: spanText(message.validityPeriod) }]),
            ...(message.direction === 'inbound'
              ? []
              : [
                  { term: t('sentAt'), detail: <Moment iso={message.sentAt} /> },
                  { term: t('delivered'), detail: <Moment iso={message.deliveredAt} /> },
                ]),
            ...(message.tags.length === 0 ? [] : [{ term: t('tags'), detail: message.tags.join(', ') }]),
            ...(metadata.length === 0 ? [] : [{ term: t('metadata'), detail: <Metadata pairs={metadata} /> }]),
            ...(message.callbackUrl === null
              ? []
              : [
                  {
                    term: t('callback'),
                    detail: (
                      <>
                        {message.callbackUrl}{' '}
                        <TextLink to="/webhooks/callbacks" search={{ resourceId: message.messageId }}>
                          {t('callbackSent')}
                        </TextLink>
                      </>
                    ),
                  },
                ]),
          ]}
        />
      </Card>
      <Card title={t('timeline')}>
        <Timeline label={t('timelineOf')} items={timelineOf(message)} />
      </Card>
      {message.parts.length > 0 && (
        <div className={record['all']}>
          <MessageParts parts={message.parts} carrierOf={carrierOf} />
        </div>
      )}
      <div className={record['all']}>
        <JsonFold value={message} label={t('json')} />
      </div>
    </div>
  )
}
