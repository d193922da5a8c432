// One call in full: who, how it went, and its timeline. Shown on its own page and in the inspector.
import type { Call } from '@tandem/sdk'
import { Fragment, type ReactNode } from 'react'
import { JsonFold } from '../data/json_fold.tsx'
import record from '../data/record.module.css'
import { Metadata } from '../messages/metadata.tsx'
import { priceText } from '../messages/price.tsx'
import { kindOfId } from '../navigation/ids.ts'
import { UserName } from '../nouns/user_name.tsx'
import { RecordName } from '../nouns/values.tsx'
import { Party } from '../people/party.tsx'
import { outcomeText } from '../softphone/outcomes.ts'
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
import { t } from './texts.ts'

/** Whole seconds as a person says them: "58 s", "1 min 5 s", "2 h 3 min"; a dash where there are none yet. */
export function secondsText(value: number | null): string {
  if (value === null) return '–'
  if (value < 60) return `${value} s`
  if (value < 3_600) return `${Math.floor(value / 60)} min ${value % 60} s`
  return `${Math.floor(value / 3_600)} h ${Math.floor((value % 3_600) / 60)} min`
}

/** What came of it, with who said so. */
function Outcome({ outcome, by }: { outcome: NonNullable<Call['outcome']>; by: number | null }) {
  if (by === null) return outcomeText(outcome)
  return t.rich('outcomeBy', { outcome: outcomeText(outcome), who: () => <UserName id={by} /> })
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
    ...(call.parentCallId === null ? [] : [{ term: t('causedBy'), detail: <IdLink id={call.parentCallId} /> }]),
    ...(call.bridgedTo === null ? [] : [{ term: t('connected'), detail: <IdLink id={call.bridgedTo} /> }]),
    ...[...others].map((id, place) => ({
      term: place === 0 ? t('otherLeg') : t('otherLegNo', { number: place + 1 }),
      detail: <IdLink id={id} />,
    })),
  ]
}

const happenedText = (type: string) => t.of('happened', type) ?? type.replaceAll('_', ' ')

/** Why a call ended, in a few words. */
export const causeText = (cause: string) => t.of('cause', cause) ?? cause.replaceAll('_', ' ')

function timelineOf(call: Call): TimelineItem[] {
  return call.history.map(entry => ({
    key: String(entry.sequence),
    title: happenedText(entry.type.replace(/^call\./, '')),
    at: entry.at,
    tone: toneOfState(entry.state),
    detail: detailOf(entry),
  }))
}

function detailOf({ type, details }: Call['history'][number]): ReactNode {
  if (details === null || Object.keys(details).length === 0) return undefined
  if (type !== 'call.outcome_set') return <Details of={details} />
  const { outcome, userId } = details as { outcome?: Call['outcome']; userId?: number | null }
  return outcome == null ? '–' : <Outcome outcome={outcome} by={userId ?? null} />
}

function endingOf(call: Call) {
  const items = [
    ...(call.hangupCause === null ? [] : [{ term: t('endedBecause'), detail: causeText(call.hangupCause) }]),
    ...(call.hangupBy === null ? [] : [{ term: t('endedBy'), detail: t(`side.${call.hangupBy}`) }]),
    ...(call.errorCode === null ? [] : [{ term: t('error'), detail: <CodeLink code={call.errorCode} /> }]),
    ...(call.sipCode === null ? [] : [{ term: t('sipStatus'), detail: String(call.sipCode) }]),
    ...(call.q850 === null ? [] : [{ term: t('q850'), detail: String(call.q850) }]),
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
      <Card title={t('call')}>
        <DescriptionList
          items={[
            { term: t('state'), detail: <StatusChip status={call.state} /> },
            ...(call.outcome === null
              ? []
              : [{ term: t('outcome'), detail: <Outcome outcome={call.outcome} by={call.outcomeBy} /> }]),
            { term: t('from'), detail: <Party address={call.from} name={call.callerName} /> },
            { term: t('to'), detail: <Party address={call.to} /> },
            { term: t('direction'), detail: t(`way.${call.direction}`) },
            ...endingOf(call),
            { term: t('answeredBy'), detail: call.answeredBy === null ? '–' : t(`by.${call.answeredBy}`) },
            { term: t('rang'), detail: secondsText(call.ringSeconds) },
            { term: t('billable'), detail: secondsText(call.billableSeconds) },
            ...(call.price === null ? [] : [{ term: t('price'), detail: priceText(call.price, call.currency) }]),
            { term: t('duration'), detail: secondsText(call.durationSeconds) },
            { term: t('created'), detail: <Moment iso={call.createdAt} /> },
            { term: t('answered'), detail: <Moment iso={call.answeredAt} /> },
            { term: t('ended'), detail: <Moment iso={call.endedAt} /> },
            ...(call.trunkId === null ? [] : [{ term: t('trunk'), detail: <IdLink id={call.trunkId} /> }]),
            ...(call.simulated ? [{ term: t('carriedBy'), detail: t('simulated') }] : []),
            ...(isLead ? [{ term: t('lead'), detail: <RecordName of="lead" id={String(leadId)} /> }] : []),
            ...legsOf(call),
            ...(call.tags.length === 0 ? [] : [{ term: t('tags'), detail: call.tags.join(', ') }]),
            ...(metadata.length === 0 ? [] : [{ term: t('metadata'), detail: <Metadata pairs={metadata} /> }]),
            ...(call.callbackUrl === null ? [] : [{ term: t('callback'), detail: call.callbackUrl }]),
          ]}
        />
      </Card>
      <Card title={t('timeline')}>
        <Timeline label={t('timelineOf')} items={timelineOf(call)} />
      </Card>
      {children !== undefined && <div className={`${record['all']} ${styles['stack']}`}>{children}</div>}
      <div className={record['all']}>
        <JsonFold value={call} label={t('json')} />
      </div>
    </div>
  )
}
