// Usage: requests, their refusals and how long they took; messages and calls. Each chart can be read as a table.
import { endpointNames } from 'virtual:catalog-names'
import type {
  AnalyticsMessagingReply,
  AnalyticsUsageParams,
  AnalyticsUsageReply,
  AnalyticsVoiceReply,
} from '@tandem/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Filter, Lock } from 'lucide-react'
import { useMemo } from 'react'
import { SelectFilter, TextFilter } from '../data/filters.tsx'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import {
  Button,
  ButtonLink,
  Card,
  countText,
  durationText,
  EmptyState,
  ErrorState,
  LoadingRows,
  PageHeader,
  Toolbar,
} from '../ui/index.ts'
import { numberText } from '../words/format.ts'
import { useLanguage } from '../words/language.ts'
import type { ChartSeries } from './chart.ts'
import { t } from './texts.ts'
import { TimeChart } from './time_chart.tsx'
import styles from './usage.module.css'

const nameOf = new Map(endpointNames.map(({ id, name }) => [id, name]))

const ranges = ['7', '30', '90'] as const
const groups = ['endpoint', 'key', 'status', 'source'] as const
const dayMs = 86_400_000
const shownSeries = 8
const keyExample = 'key_…'

/** Where the range begins, to the hour, so that a screen opened twice asks the same. */
function rangeOf(days: string | undefined): { after?: string; interval: 'hour' | 'day' } {
  const count = Number(days)
  if (!ranges.some(range => range === days)) return { interval: 'hour' }
  const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000
  return { after: new Date(hour - count * dayMs).toISOString(), interval: count <= 7 ? 'hour' : 'day' }
}

export function UsageScreen() {
  const { user, permissions } = useSession()
  const [params, change] = useParamsOfAddress()
  const days = params['days']
  const range = useMemo(() => rangeOf(days), [days])
  const wiring = { params, onChange: change }
  const header = (
    <PageHeader title={t('title')} description={t(user.role === 'Sales Executive' ? 'aboutOwn' : 'about')} />
  )
  if (!permissions.has('usage:read')) {
    return (
      <>
        {header}
        <Card>
          <EmptyState icon={<Lock size={20} />} title={t('refused')} text={t('refusedText')} />
        </Card>
      </>
    )
  }
  return (
    <>
      {header}
      <Toolbar label={t('counted')}>
        <SelectFilter
          name="days"
          label={t('time')}
          all={t('time.24h')}
          options={ranges.map(value => ({ value, label: t(`time.${value}`) }))}
          {...wiring}
        />
        <SelectFilter
          name="groupBy"
          label={t('groupBy')}
          all={t('group.none')}
          options={groups.map(value => ({ value, label: t(`group.${value}`) }))}
          {...wiring}
        />
        <SelectFilter
          name="endpointId"
          label={t('endpoint')}
          all={t('endpointAll')}
          options={endpointNames.map(entry => ({ value: entry.id, label: `${entry.name} (${entry.version})` }))}
          {...wiring}
        />
        <TextFilter name="keyId" label={t('keyId')} placeholder={keyExample} mono {...wiring} />
      </Toolbar>
      <div className={styles['stack']}>
        <RequestCharts range={range} />
        <MessageChart range={range} />
        <CallChart range={range} />
      </div>
    </>
  )
}

type Range = ReturnType<typeof rangeOf>

function labelOf(groupBy: string, { key, label }: { key: string; label: string }): string {
  if (groupBy === 'none') return t('requests')
  if (groupBy === 'endpoint') return nameOf.get(key) ?? (key === '' ? t('endpointNone') : label)
  if (groupBy === 'key' && key === '') return t('keyNone')
  return label === '' ? key : label
}

function RequestCharts({ range }: { range: Range }) {
  const api = useApi()
  const { mode } = useSession()
  const [params, change] = useParamsOfAddress()
  const groupBy = groups.some(group => group === params['groupBy']) ? (params['groupBy'] ?? 'none') : 'none'
  const asked: AnalyticsUsageParams = {
    ...range,
    groupBy: groupBy as NonNullable<AnalyticsUsageParams['groupBy']>,
    ...(params['endpointId'] === undefined ? {} : { endpointId: params['endpointId'] }),
    ...(params['keyId'] === undefined ? {} : { keyId: params['keyId'] }),
  }
  const query = useQuery({
    queryKey: [mode, 'usage', asked],
    queryFn: ({ signal }) => api.analytics.usage(asked, { signal }),
    placeholderData: keepPreviousData,
  })
  const usage = query.data
  const requests = useSeries(chartsOf, usage)
  const outcomes = useSeries(outcomesOf, usage)
  const times = useSeries(timesOf, usage)
  if (query.isPending) return <LoadingRows label={t('loading')} />
  if (usage === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (usage.total.requests === 0) {
    const narrowed = params['endpointId'] !== undefined || params['keyId'] !== undefined
    return (
      <Card>
        {narrowed ? (
          <EmptyState
            icon={<Filter size={20} />}
            title={t('filtered')}
            text={t('filteredText')}
            action={
              <Button onClick={() => change({ endpointId: undefined, keyId: undefined })}>{t('filteredClear')}</Button>
            }
          />
        ) : (
          <EmptyState
            title={t('none')}
            text={t('noneText')}
            action={<ButtonLink to="/playground">{t('noneAction')}</ButtonLink>}
          />
        )}
      </Card>
    )
  }
  const axis = { buckets: usage.buckets, interval: usage.interval, timeZone: usage.timeZone }
  return (
    <>
      <Figures usage={usage} />
      <TimeChart title={t('requests')} kind="counts" series={requests} {...axis} />
      {usage.total.refused + usage.total.limited + usage.total.errors > 0 && (
        <TimeChart title={t('outcomes')} kind="counts" series={outcomes} {...axis} />
      )}
      <TimeChart
        title={t('times')}
        kind="durations"
        series={times}
        {...(usage.series.length > shownSeries ? { note: t('timesNote', { count: shownSeries }) } : {})}
        {...axis}
        format={durationText}
      />
    </>
  )
}

/** Made of what was counted, and again where its labels are said in another language. */
function useSeries<Counted>(make: (counted: Counted) => ChartSeries[], counted: Counted): ChartSeries[] {
  const language = useLanguage()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the labels are of the language
  return useMemo(() => make(counted), [make, counted, language])
}

/** What a status means, by its class. */
const statusColours: Record<string, string> = { '2': '--ok', '3': '--info', '4': '--test', '5': '--bad' }

function chartsOf(usage: AnalyticsUsageReply | undefined): ChartSeries[] {
  if (usage === undefined) return []
  return foldedTail(
    usage.series.map(series => ({
      label: labelOf(usage.groupBy, series),
      values: series.requests,
      ...(usage.groupBy === 'status' ? { colour: statusColours[series.key.charAt(0)] ?? '--accent' } : {}),
    })),
  )
}

type Counts = Omit<ChartSeries, 'values'> & { values: readonly number[] }

/** As many series as can be distinguished; the rest are shown as one. */
function foldedTail(series: readonly Counts[]): Counts[] {
  if (series.length <= shownSeries) return [...series]
  const others = series.slice(shownSeries - 1)
  const values = (series[0]?.values ?? []).map((_, index) =>
    others.reduce((sum, one) => sum + (one.values[index] ?? 0), 0),
  )
  return [
    ...series.slice(0, shownSeries - 1),
    { label: t('others', { count: others.length }), values, colour: '--border-strong' },
  ]
}

/** The sum over all series, bucket by bucket. */
function summed(usage: AnalyticsUsageReply, name: 'refused' | 'limited' | 'errors'): number[] {
  return usage.buckets.map((_, index) => usage.series.reduce((sum, series) => sum + (series[name][index] ?? 0), 0))
}

function outcomesOf(usage: AnalyticsUsageReply | undefined): ChartSeries[] {
  if (usage === undefined) return []
  return [
    { label: t('series.refused'), values: summed(usage, 'refused'), colour: '--test' },
    { label: t('series.limited'), values: summed(usage, 'limited'), colour: '--info' },
    { label: t('series.errors'), values: summed(usage, 'errors'), colour: '--bad' },
  ]
}

function timesOf(usage: AnalyticsUsageReply | undefined): ChartSeries[] {
  if (usage === undefined) return []
  if (usage.groupBy === 'none') {
    const [all] = usage.series
    return [
      { label: 'p50', values: all?.p50Ms ?? [] },
      { label: 'p95', values: all?.p95Ms ?? [] },
    ]
  }
  return usage.series
    .slice(0, shownSeries)
    .map(series => ({ label: t('p95Of', { name: labelOf(usage.groupBy, series) }), values: series.p95Ms }))
}

function Figures({ usage }: { usage: AnalyticsUsageReply }) {
  const { requests, refused, limited, errors, p50Ms, p95Ms } = usage.total
  const share = (part: number) =>
    numberText(requests === 0 ? 0 : part / requests, { style: 'percent', maximumFractionDigits: 1 })
  const time = (ms: number | null) => (ms === null ? '–' : durationText(ms))
  return (
    <div className={styles['figures']}>
      <Figure name={t('requests')} value={countText(requests)} />
      <Figure name={t('figure.refused')} value={countText(refused)} note={share(refused)} />
      <Figure name={t('figure.limited')} value={countText(limited)} note={share(limited)} />
      <Figure name={t('figure.errors')} value={countText(errors)} note={share(errors)} />
      <Figure name="p50" value={time(p50Ms)} />
      <Figure name="p95" value={time(p95Ms)} />
    </div>
  )
}

function Figure({ name, value, note }: { name: string; value: string; note?: string }) {
  return (
    <div className={styles['figure']}>
      <span>{name}</span>
      <span className={styles['value']}>
        <strong>{value}</strong>
        {note !== undefined && <small>{note}</small>}
      </span>
    </div>
  )
}

/** Ends that are good or bad look so wherever they come in the order. */
const endColours: Record<string, string> = {
  delivered: '--ok',
  completed: '--ok',
  failed: '--bad',
  undelivered: '--code-number',
}

/** Series of the same name in one, by what happened. */
function merged(series: readonly { state: string; values: readonly number[] }[]): ChartSeries[] {
  const byState = new Map<string, number[]>()
  for (const { state, values } of series) {
    const known = byState.get(state)
    byState.set(state, known === undefined ? [...values] : known.map((value, index) => value + (values[index] ?? 0)))
  }
  return foldedTail(
    [...byState].map(([state, values]) => {
      const colour = endColours[state]
      return {
        label: t.of('state', state) ?? state.replaceAll('_', ' '),
        values,
        ...(colour === undefined ? {} : { colour }),
      }
    }),
  )
}

const messageSeries = (usage: AnalyticsMessagingReply | undefined) =>
  merged((usage?.series ?? []).map(one => ({ state: one.status, values: one.messages })))

function MessageChart({ range }: { range: Range }) {
  const api = useApi()
  const { mode } = useSession()
  const query = useQuery({
    queryKey: [mode, 'usage of messages', range],
    queryFn: ({ signal }) => api.analytics.messaging(range, { signal }),
    placeholderData: keepPreviousData,
  })
  const usage = query.data
  const series = useSeries(messageSeries, usage)
  if (query.isPending) return <LoadingRows label={t('messagesLoading')} rows={3} />
  if (usage === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (usage.total.messages === 0) return null
  const { messages, segments } = usage.total
  return (
    <TimeChart
      title={t('messages')}
      note={t('messagesNote', { messages, segments })}
      kind="counts"
      buckets={usage.buckets}
      interval={usage.interval}
      timeZone={usage.timeZone}
      series={series}
    />
  )
}

const callSeries = (usage: AnalyticsVoiceReply | undefined) =>
  merged((usage?.series ?? []).map(one => ({ state: one.state, values: one.calls })))

function CallChart({ range }: { range: Range }) {
  const api = useApi()
  const { mode } = useSession()
  const query = useQuery({
    queryKey: [mode, 'usage of calls', range],
    queryFn: ({ signal }) => api.analytics.voice(range, { signal }),
    placeholderData: keepPreviousData,
  })
  const usage = query.data
  const series = useSeries(callSeries, usage)
  if (query.isPending) return <LoadingRows label={t('callsLoading')} rows={3} />
  if (usage === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (usage.total.calls === 0) return null
  const { calls, minutes } = usage.total
  return (
    <TimeChart
      title={t('calls')}
      note={t('callsNote', { calls, minutes: Math.round(minutes) })}
      kind="counts"
      buckets={usage.buckets}
      interval={usage.interval}
      timeZone={usage.timeZone}
      series={series}
    />
  )
}
