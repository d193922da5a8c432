// One call in full: who, how it went, and its timeline. Shown on its own page and in the inspector.
import type { Call } from '@tandem/sdk'
import { Fragment, type ReactNode } from 'react'
import record from '../data/record.module.css'
import { Metadata } from '../messages/metadata.tsx'
import { priceText } from '../messages/price.tsx'
import { kindOfId } from '../navigation/ids.ts'
import { UserName } from '../nouns/user_name.tsx'
import { RecordName } from '../nouns/values.tsx'
import { Party } from '../people/party.tsx'
import { outcomeWords } from '../softphone/outcomes.ts'
import { CodeBlock } from '../ui/code.tsx'
import {
  Card,
  CodeLink,
  DescriptionList,
  IdLink,
  Moment,
  StatusChip,
  Timeline,
  type TimelineItem,
  toneOfState,
} from '../ui/index.ts'
import styles from './calls.module.css'

/** Whole seconds as a person says them: "58 s", "1 min 5 s", "2 h 3 min"; a dash where there are none yet. */
export function secondsText(value: number | null): string {
  if (value === null) return '–'
  if (value < 60) return `${value} s`
  if (value < 3_600) return `${Math.floor(value / 60)} min ${value % 60} s`
  return `${Math.floor(value / 3_600)} h ${Math.floor((value % 3_600) / 60)} min`
}

/** What came of it, with who said so. */
function Outcome({ outcome, by }: { outcome: NonNullable<Call['outcome']>; by: number | null }) {
  return (
    <>
      {outcomeWords[outcome]}
      {by !== null && (
        <span className={styles['faint']}>
          {', by '}
          <UserName id={by} />
        </span>
      )}
    </>
  )
}

/** What belongs to one event: ids of other calls lead to them. */
function Details({ of }: { of: Readonly<Record<string, unknown>> }) {
  return Object.entries(of).map(([name, value], place) => (
    <Fragment key={name}>
      {place > 0 && ', '}
      {name}: {isInspected(value) ? <IdLink id={value} /> : String(value)}
    </Fragment>
  ))
}

const isInspected = (value: unknown): value is string => typeof value === 'string' && kindOfId(value) !== undefined

/** The calls that belong to this one, as far as it says about them: what caused it, whom it talks with, whom it dialled. */
function legsOf(call: Call): { term: string; detail: ReactNode }[] {
  const reported = call.history.flatMap(({ details }) => Object.values(details ?? {}))
  const named = [call.callId, call.parentCallId, call.bridgedTo]
  const others = new Set(reported.map(String).filter(id => kindOfId(id) === 'call' && !named.includes(id)))
  return [
    ...(call.parentCallId === null ? [] : [{ term: 'Caused by', detail: <IdLink id={call.parentCallId} /> }]),
    ...(call.bridgedTo === null ? [] : [{ term: 'Connected with', detail: <IdLink id={call.bridgedTo} /> }]),
    ...[...others].map((id, place) => ({
      term: `Other leg${place === 0 ? '' : ` ${place + 1}`}`,
      detail: <IdLink id={id} />,
    })),
  ]
}

function timelineOf(call: Call): TimelineItem[] {
  return call.history.map(entry => ({
    key: String(entry.sequence),
    title: entry.type.replace(/^call\./, '').replaceAll('_', ' '),
    at: entry.at,
    tone: toneOfState(entry.state),
    detail:
      entry.details === null || Object.keys(entry.details).length === 0 ? undefined : <Details of={entry.details} />,
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

/** @param props.children stands between the facts and the call as the API gives it */
export function CallFacts({ call, children }: { call: Call; children?: ReactNode }) {
  const { leadId, ...own } = call.metadata as Readonly<Record<string, unknown>>
  const isLead = /^[1-9]\d*$/.test(String(leadId))
  const metadata = Object.entries(isLead ? own : call.metadata)
  return (
    <div className={record['columns']}>
      <Card title="Call">
        <DescriptionList
          items={[
            { term: 'State', detail: <StatusChip status={call.state} /> },
            ...(call.outcome === null
              ? []
              : [{ term: 'Outcome', detail: <Outcome outcome={call.outcome} by={call.outcomeBy} /> }]),
            { term: 'From', detail: <Party address={call.from} name={call.callerName} /> },
            { term: 'To', detail: <Party address={call.to} /> },
            { term: 'Direction', detail: call.direction },
            ...endingOf(call),
            { term: 'Answered by', detail: call.answeredBy ?? '–' },
            { term: 'Rang', detail: secondsText(call.ringSeconds) },
            { term: 'Billable', detail: secondsText(call.billableSeconds) },
            ...(call.price === null ? [] : [{ term: 'Price', detail: priceText(call.price, call.currency) }]),
            { term: 'Duration', detail: secondsText(call.durationSeconds) },
            { term: 'Created', detail: <Moment iso={call.createdAt} /> },
            { term: 'Answered', detail: <Moment iso={call.answeredAt} /> },
            { term: 'Ended', detail: <Moment iso={call.endedAt} /> },
            ...(call.trunkId === null ? [] : [{ term: 'Trunk', detail: <IdLink id={call.trunkId} /> }]),
            ...(call.simulated ? [{ term: 'Carried by', detail: 'The simulator: no telephone rang' }] : []),
            ...(isLead ? [{ term: 'Lead', detail: <RecordName noun="lead" id={String(leadId)} /> }] : []),
            ...legsOf(call),
            ...(call.tags.length === 0 ? [] : [{ term: 'Tags', detail: call.tags.join(', ') }]),
            ...(metadata.length === 0 ? [] : [{ term: 'Metadata', detail: <Metadata pairs={metadata} /> }]),
            ...(call.callbackUrl === null ? [] : [{ term: 'Callback', detail: call.callbackUrl }]),
          ]}
        />
      </Card>
      <Card title="Timeline">
        <Timeline label="What happened in the call, first to last" items={timelineOf(call)} />
      </Card>
      {children !== undefined && <div className={`${record['all']} ${styles['stack']}`}>{children}</div>}
      <div className={record['all']}>
        <CodeBlock code={JSON.stringify(call, null, 2)} language="json" label="Call as the API gives it" />
      </div>
    </div>
  )
}
