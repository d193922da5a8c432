// One call in full: who, how it went, and its time line. Shown on its own page and in the inspector.
import type { Call } from '@tandem/sdk'
import {
  Card,
  CodeBlock,
  CodeLink,
  DescriptionList,
  durationText,
  IdLink,
  Moment,
  StatusChip,
  Timeline,
  type TimelineItem,
  toneOfState,
} from '../ui/index.ts'
import styles from './calls.module.css'

function seconds(value: number | null): string {
  return value === null ? '–' : durationText(value * 1_000)
}

function timelineOf(call: Call): TimelineItem[] {
  return call.history.map(entry => ({
    key: String(entry.sequence),
    title: entry.type.replace(/^call\./, '').replaceAll('_', ' '),
    at: entry.at,
    tone: toneOfState(entry.state),
    detail:
      entry.details === null || Object.keys(entry.details).length === 0
        ? undefined
        : Object.entries(entry.details)
            .map(([name, value]) => `${name}: ${value}`)
            .join(', '),
  }))
}

function endingOf(call: Call) {
  const items = [
    ...(call.hangupCause === null ? [] : [{ term: 'Ended because', detail: call.hangupCause.replaceAll('_', ' ') }]),
    ...(call.hangupBy === null ? [] : [{ term: 'Ended by', detail: call.hangupBy }]),
    ...(call.errorCode === null ? [] : [{ term: 'Error', detail: <CodeLink code={call.errorCode} /> }]),
    ...(call.sipCode === null ? [] : [{ term: 'SIP status', detail: String(call.sipCode) }]),
    ...(call.q850 === null ? [] : [{ term: 'Q.850 cause', detail: String(call.q850) }]),
  ]
  return items
}

export function CallFacts({ call }: { call: Call }) {
  return (
    <div className={styles['facts']}>
      <Card title="Call">
        <DescriptionList
          items={[
            { term: 'State', detail: <StatusChip status={call.state} /> },
            { term: 'From', detail: call.callerName === null ? call.from : `${call.from} (${call.callerName})` },
            { term: 'To', detail: call.to },
            { term: 'Direction', detail: call.direction },
            ...endingOf(call),
            { term: 'Answered by', detail: call.answeredBy ?? '–' },
            { term: 'Rang', detail: seconds(call.ringSeconds) },
            { term: 'Billable', detail: seconds(call.billableSeconds) },
            { term: 'Duration', detail: seconds(call.durationSeconds) },
            { term: 'Created', detail: <Moment iso={call.createdAt} /> },
            { term: 'Answered', detail: <Moment iso={call.answeredAt} /> },
            { term: 'Ended', detail: <Moment iso={call.endedAt} /> },
            ...(call.parentCallId === null ? [] : [{ term: 'Caused by', detail: <IdLink id={call.parentCallId} /> }]),
            ...(call.tags.length === 0 ? [] : [{ term: 'Tags', detail: call.tags.join(', ') }]),
            ...Object.entries(call.metadata).map(([term, detail]) => ({ term, detail })),
            ...(call.callbackUrl === null ? [] : [{ term: 'Callback', detail: call.callbackUrl }]),
          ]}
        />
      </Card>
      <Card title="Time line">
        <Timeline label="What happened in the call, first to last" items={timelineOf(call)} />
      </Card>
      <div className={styles['whole']}>
        <CodeBlock code={JSON.stringify(call, null, 2)} language="json" label="Call as the API gives it" />
      </div>
    </div>
  )
}
