// One message in full: its facts, its text and its time line. Shown on its own page and in the inspector.
import type { Message } from '@tandem/sdk'
import record from '../app/record.module.css'
import {
  Card,
  CodeBlock,
  CodeLink,
  DescriptionList,
  durationText,
  Moment,
  StatusChip,
  Timeline,
  type TimelineItem,
  toneOfState,
} from '../ui/index.ts'
import styles from './messages.module.css'
import { Metadata } from './metadata.tsx'

/** How long after the entry before: "after 1.21 s". */
function afterText(before: string | undefined, at: string): string {
  return before === undefined ? '' : `after ${durationText(Math.max(0, Date.parse(at) - Date.parse(before)))} `
}

function timelineOf(message: Message): TimelineItem[] {
  return message.history.map((entry, index) => ({
    key: `${index} ${entry.status}`,
    title: <StatusChip status={entry.status} />,
    at: entry.at,
    tone: toneOfState(entry.status),
    detail: (
      <>
        {afterText(message.history[index - 1]?.at, entry.at)}
        {entry.code !== null && <CodeLink code={entry.code} />}
      </>
    ),
  }))
}

export function MessageFacts({ message }: { message: Message }) {
  const metadata = Object.entries(message.metadata)
  return (
    <div className={record['columns']}>
      <Card title="Message">
        <p className={styles['body']}>{message.body}</p>
        <DescriptionList
          items={[
            { term: 'Status', detail: <StatusChip status={message.status} /> },
            ...(message.code === null ? [] : [{ term: 'Reason', detail: <CodeLink code={message.code} /> }]),
            { term: 'Direction', detail: message.direction },
            { term: 'From', detail: message.from },
            { term: 'To', detail: message.to },
            { term: 'Segments', detail: `${message.segments} in ${message.encoding}` },
            { term: 'Carrier', detail: `${message.carrier}, attempts: ${message.attempts}` },
            { term: 'Created', detail: <Moment iso={message.createdAt} /> },
            { term: 'Sent', detail: <Moment iso={message.sentAt} /> },
            { term: 'Delivered', detail: <Moment iso={message.deliveredAt} /> },
            ...(message.tags.length === 0 ? [] : [{ term: 'Tags', detail: message.tags.join(', ') }]),
            ...(metadata.length === 0 ? [] : [{ term: 'Metadata', detail: <Metadata pairs={metadata} /> }]),
            ...(message.callbackUrl === null ? [] : [{ term: 'Callback', detail: message.callbackUrl }]),
          ]}
        />
      </Card>
      <Card title="Time line">
        <Timeline label="Statuses of the message, first to last" items={timelineOf(message)} />
      </Card>
      <div className={record['all']}>
        <CodeBlock code={JSON.stringify(message, null, 2)} language="json" label="Message as the API gives it" />
      </div>
    </div>
  )
}
