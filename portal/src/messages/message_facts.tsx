// One message in full: its facts, its text, its timeline and its parts. Shown on its own page and in the inspector.
import type { Message } from '@tandem/sdk'
import { useCarriers } from '../data/messaging_lists.ts'
import record from '../data/record.module.css'
import { Party } from '../people/party.tsx'
import { CodeBlock } from '../ui/code.tsx'
import {
  Card,
  CodeLink,
  countText,
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

/** How long after the entry before: "after 1.21 s". */
function afterText(before: string | undefined, at: string): string {
  return before === undefined ? '' : `after ${durationText(Math.max(0, Date.parse(at) - Date.parse(before)))} `
}

function timelineOf(message: Message): TimelineItem[] {
  return stepsOf(message.history).map(({ entry, before, rounds }, index) => ({
    key: `${index} ${entry.status}`,
    title: <StatusChip status={entry.status} />,
    at: entry.at,
    tone: toneOfState(entry.status),
    detail: (
      <>
        {rounds === 0 ? afterText(before, entry.at) : `tried ${countText(rounds)} times more, each time `}
        {entry.code !== null && <CodeLink code={entry.code} />}
      </>
    ),
  }))
}

function segmentsText({ segments, segmentsDelivered, encoding, direction }: Message): string {
  const delivered = direction === 'outbound' && segmentsDelivered > 0 ? `, ${segmentsDelivered} delivered` : ''
  return `${segments} in ${encoding}${delivered}`
}

/** A carrier by its name, the person's own as a way to it. */
function CarrierDetail({ id, name }: { id: string; name: string }) {
  return id.startsWith('car_') ? <IdLink id={id}>{name}</IdLink> : name
}

/** Its text, or what became of it. */
function Words({ message: { redactedAt, body, partial } }: { message: Message }) {
  return (
    <>
      {redactedAt !== null ? (
        <p className={styles['gone']}>
          The text was taken away <Time iso={redactedAt} />.
        </p>
      ) : (
        <p className={styles['body']} dir="auto">
          {body}
        </p>
      )}
      {partial && <p className={styles['gone']}>Parts of this text never came; this is what there is.</p>}
    </>
  )
}

export function MessageFacts({ message }: { message: Message }) {
  const metadata = Object.entries(message.metadata)
  const carriers = useCarriers(message.carrier.startsWith('car_'))
  const carrierOf = (id: string) => carrierName(id, carriers.items)
  return (
    <div className={record['columns']}>
      <Card title="Message">
        <Words message={message} />
        <DescriptionList
          items={[
            { term: 'Status', detail: <StatusChip status={message.status} /> },
            ...(message.code === null ? [] : [{ term: 'Reason', detail: <CodeLink code={message.code} /> }]),
            { term: 'Direction', detail: message.direction },
            { term: 'From', detail: <Party address={message.from} /> },
            { term: 'To', detail: <Party address={message.to} /> },
            ...(message.serviceId === null ? [] : [{ term: 'Service', detail: <IdLink id={message.serviceId} /> }]),
            { term: 'Segments', detail: segmentsText(message) },
            {
              term: 'Carrier',
              detail: (
                <>
                  <CarrierDetail id={message.carrier} name={carrierOf(message.carrier)} />
                  {message.direction === 'outbound' && `, attempts: ${message.attempts}`}
                </>
              ),
            },
            ...(message.price === null ? [] : [{ term: 'Price', detail: priceText(message.price, message.currency) }]),
            { term: 'Created', detail: <Moment iso={message.createdAt} /> },
            ...(message.sendAt === null ? [] : [{ term: 'To be sent', detail: <Moment iso={message.sendAt} /> }]),
            ...(message.validityPeriod === null
              ? []
              : [{ term: 'Valid for', detail: spanText(message.validityPeriod) }]),
            ...(message.direction === 'inbound'
              ? []
              : [
                  { term: 'Sent', detail: <Moment iso={message.sentAt} /> },
                  { term: 'Delivered', detail: <Moment iso={message.deliveredAt} /> },
                ]),
            ...(message.tags.length === 0 ? [] : [{ term: 'Tags', detail: message.tags.join(', ') }]),
            ...(metadata.length === 0 ? [] : [{ term: 'Metadata', detail: <Metadata pairs={metadata} /> }]),
            ...(message.callbackUrl === null
              ? []
              : [
                  {
                    term: 'Callback',
                    detail: (
                      <>
                        {message.callbackUrl}{' '}
                        <TextLink to="/webhooks/callbacks" search={{ resourceId: message.messageId }}>
                          What was sent
                        </TextLink>
                      </>
                    ),
                  },
                ]),
          ]}
        />
      </Card>
      <Card title="Timeline">
        <Timeline label="Statuses of the message, first to last" items={timelineOf(message)} />
      </Card>
      {message.parts.length > 0 && (
        <div className={record['all']}>
          <MessageParts parts={message.parts} carrierOf={carrierOf} />
        </div>
      )}
      <div className={record['all']}>
        <CodeBlock code={JSON.stringify(message, null, 2)} language="json" label="Message as the API gives it" />
      </div>
    </div>
  )
}
