// The figures of the last 24 hours. The stream keeps them up to date, without another request.
import type { AnalyticsMessagingReply, AnalyticsUsageReply } from '@tandem/sdk'
import { Link } from '@tanstack/react-router'
import { countText, durationText } from '../ui/index.ts'
import { numberText } from '../words/format.ts'
import styles from './dashboard.module.css'
import { Sparkline } from './sparkline.tsx'
import { t } from './texts.ts'

/** The usage with one more request in it, answered with this status. */
export function withRequest(usage: AnalyticsUsageReply, status: number): AnalyticsUsageReply {
  const name = status === 429 ? 'limited' : status >= 500 ? 'errors' : status >= 400 ? 'refused' : undefined
  const [all, ...others] = usage.series
  const last = usage.buckets.length - 1
  const more = (counts: number[]) => counts.map((count, index) => (index === last ? count + 1 : count))
  const total = { ...usage.total, requests: usage.total.requests + 1 }
  if (name !== undefined) total[name] += 1
  if (all === undefined) return { ...usage, total }
  const series = { ...all, requests: more(all.requests), ...(name === undefined ? {} : { [name]: more(all[name]) }) }
  return { ...usage, total, series: [series, ...others] }
}

type Messages = { sent: number; delivered: number; failed: number; byHour: number[] }

/** What became of the messages sent; undefined until it is known. */
export function messagesOf(reply: AnalyticsMessagingReply | undefined): Messages | undefined {
  if (reply === undefined) return undefined
  const outbound = reply.series.filter(series => series.direction === 'outbound')
  const count = (...statuses: string[]) =>
    outbound.filter(({ status }) => statuses.includes(status)).reduce((sum, one) => sum + one.total.messages, 0)
  return {
    sent: outbound.reduce((sum, one) => sum + one.total.messages, 0),
    delivered: count('delivered'),
    failed: count('failed', 'undelivered', 'rejected', 'expired'),
    byHour: reply.buckets.map((_, index) => outbound.reduce((sum, one) => sum + (one.messages[index] ?? 0), 0)),
  }
}

function shareText(part: number, whole: number): string {
  return numberText(whole === 0 ? 0 : part / whole, { style: 'percent', maximumFractionDigits: 1 })
}

export function Figures({ usage, messages }: { usage: AnalyticsUsageReply; messages: Messages | undefined }) {
  const { requests, refused, limited, errors, p95Ms } = usage.total
  const all = usage.series[0]
  return (
    <div className={styles['figures']}>
      <Figure
        to="/usage"
        name={t('figure.requests')}
        note={t('figure.day')}
        value={countText(requests)}
        values={all?.requests}
      />
      <Figure
        to="/logs"
        search={{ status: '4xx', since: '24h' }}
        name={t('figure.refused')}
        value={countText(refused + limited)}
        note={shareText(refused + limited, requests)}
        values={all?.refused.map((count, index) => count + (all.limited[index] ?? 0))}
      />
      <Figure
        to="/logs"
        search={{ status: '5xx', since: '24h' }}
        name={t('figure.failed')}
        value={countText(errors)}
        note={shareText(errors, requests)}
        values={all?.errors}
      />
      <Figure
        to="/usage"
        name={t('figure.p95', { share: 0.95 })}
        value={p95Ms === null ? '–' : durationText(p95Ms)}
        values={all?.p95Ms.map(value => value ?? 0)}
      />
      <Figure
        to="/messages"
        name={t('figure.messages')}
        value={messages === undefined ? '–' : countText(messages.sent)}
        note={messages === undefined ? undefined : t('figure.messagesFailed', { count: messages.failed })}
        values={messages?.byHour}
      />
    </div>
  )
}

type FigureProps = {
  to: string
  search?: Record<string, string>
  name: string
  value: string
  note?: string | undefined
  values: readonly number[] | undefined
}
function Figure({ to, search = {}, name, value, note, values }: FigureProps) {
  return (
    <Link to={to as '/'} search={search} className={styles['figure']}>
      <span>{name}</span>
      <span className={styles['value']}>
        <strong>{value}</strong>
        {note !== undefined && <small>{note}</small>}
      </span>
      <Sparkline values={values ?? []} className={styles['spark']} />
    </Link>
  )
}
