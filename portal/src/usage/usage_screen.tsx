// Usage: requests, their refusals and how long they took; messages and calls. Each chart can be read as a table.
import { endpointNames } from 'virtual:catalog-names'
import type { AnalyticsUsageParams, AnalyticsUsageReply } from '@tandem/sdk'
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
import type { ChartSeries } from './chart.ts'
import { TimeChart } from './time_chart.tsx'
import styles from './usage.module.css'

const nameOf = new Map(endpointNames.map(({ id, name }) => [id, name]))

const ranges = [
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
]
const groups = [
  { value: 'endpoint', label: 'Endpoint' },
  { value: 'key', label: 'Key' },
  { value: 'status', label: 'Status' },
  { value: 'source', label: 'Source' },
]
const dayMs = 86_400_000
const shownSeries = 8

/** Where the range begins, to the hour, so that a screen opened twice asks the same. */
function rangeOf(days: string | undefined): { after?: string; interval: 'hour' | 'day' } {
  const count = Number(days)
  if (!ranges.some(range => range.value === days)) return { interval: 'hour' }
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
    <PageHeader
      title="Usage"
      description={
        user.role === 'Sales Executive'
          ? 'Your own requests, and the messages and calls of the organization: how many, and how well they went.'
          : 'How much of the API, of messages and of calls was used, and how well it went.'
      }
    />
  )
  if (!permissions.has('usage:read')) {
    return (
      <>
        {header}
        <Card>
          <EmptyState
            icon={<Lock size={20} />}
            title="Your role may not see usage"
            text="This needs the permission usage:read. An Admin can give you a role that holds it."
          />
        </Card>
      </>
    )
  }
  return (
    <>
      {header}
      <Toolbar label="What is counted">
        <SelectFilter name="days" label="Time" all="Last 24 hours" options={ranges} {...wiring} />
        <SelectFilter name="groupBy" label="Group by" all="All together" options={groups} {...wiring} />
        <SelectFilter
          name="endpointId"
          label="Endpoint"
          all="All"
          options={endpointNames.map(entry => ({ value: entry.id, label: `${entry.name} (${entry.version})` }))}
          {...wiring}
        />
        <TextFilter name="keyId" label="Key id" placeholder="key_…" mono {...wiring} />
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
  if (groupBy === 'none') return 'Requests'
  if (groupBy === 'endpoint') return nameOf.get(key) ?? (key === '' ? 'No endpoint' : label)
  if (groupBy === 'key' && key === '') return 'People, without a key'
  return label === '' ? key : label
}

function RequestCharts({ range }: { range: Range }) {
  const api = useApi()
  const { mode } = useSession()
  const [params, change] = useParamsOfAddress()
  const groupBy = groups.some(group => group.value === params['groupBy']) ? (params['groupBy'] ?? 'none') : 'none'
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
  const requests = useMemo<ChartSeries[]>(() => chartsOf(usage), [usage])
  const outcomes = useMemo<ChartSeries[]>(() => outcomesOf(usage), [usage])
  const times = useMemo<ChartSeries[]>(() => timesOf(usage), [usage])
  if (query.isPending) return <LoadingRows label="Loading the usage" />
  if (usage === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (usage.total.requests === 0) {
    const narrowed = params['endpointId'] !== undefined || params['keyId'] !== undefined
    return (
      <Card>
        {narrowed ? (
          <EmptyState
            icon={<Filter size={20} />}
            title="Nothing matches these filters"
            text="No request of this endpoint or key was made in this time."
            action={<Button onClick={() => change({ endpointId: undefined, keyId: undefined })}>Clear filters</Button>}
          />
        ) : (
          <EmptyState
            title="No requests in this time"
            text="Choose a longer time, or send a request from the Playground."
            action={<ButtonLink to="/playground">Open the Playground</ButtonLink>}
          />
        )}
      </Card>
    )
  }
  const axis = { buckets: usage.buckets, interval: usage.interval }
  return (
    <>
      <Figures usage={usage} />
      <TimeChart title="Requests" kind="counts" series={requests} {...axis} />
      {usage.total.refused + usage.total.limited + usage.total.errors > 0 && (
        <TimeChart title="Refusals and errors" kind="counts" series={outcomes} {...axis} />
      )}
      <TimeChart
        title="Time to answer"
        kind="durations"
        series={times}
        {...(usage.series.length > shownSeries ? { note: `of the ${shownSeries} busiest` } : {})}
        {...axis}
        format={durationText}
      />
    </>
  )
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
  return [...series.slice(0, shownSeries - 1), { label: `${others.length} others`, values, colour: '--border-strong' }]
}

/** The sum over all series, bucket by bucket. */
function summed(usage: AnalyticsUsageReply, name: 'refused' | 'limited' | 'errors'): number[] {
  return usage.buckets.map((_, index) => usage.series.reduce((sum, series) => sum + (series[name][index] ?? 0), 0))
}

function outcomesOf(usage: AnalyticsUsageReply | undefined): ChartSeries[] {
  if (usage === undefined) return []
  return [
    { label: 'Refused (4xx)', values: summed(usage, 'refused'), colour: '--test' },
    { label: 'Over the limit (429)', values: summed(usage, 'limited'), colour: '--info' },
    { label: 'Errors (5xx)', values: summed(usage, 'errors'), colour: '--bad' },
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
    .map(series => ({ label: `${labelOf(usage.groupBy, series)}, p95`, values: series.p95Ms }))
}

function Figures({ usage }: { usage: AnalyticsUsageReply }) {
  const { requests, refused, limited, errors, p50Ms, p95Ms } = usage.total
  const share = (part: number) => (requests === 0 ? '0 %' : `${((100 * part) / requests).toFixed(1)} %`)
  const time = (ms: number | null) => (ms === null ? '–' : durationText(ms))
  return (
    <div className={styles['figures']}>
      <Figure name="Requests" value={countText(requests)} />
      <Figure name="Refused" value={countText(refused)} note={share(refused)} />
      <Figure name="Over the limit" value={countText(limited)} note={share(limited)} />
      <Figure name="Errors" value={countText(errors)} note={share(errors)} />
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
      return { label: state.replaceAll('_', ' '), values, ...(colour === undefined ? {} : { colour }) }
    }),
  )
}

function MessageChart({ range }: { range: Range }) {
  const api = useApi()
  const { mode } = useSession()
  const query = useQuery({
    queryKey: [mode, 'usage of messages', range],
    queryFn: ({ signal }) => api.analytics.messaging(range, { signal }),
    placeholderData: keepPreviousData,
  })
  const usage = query.data
  const series = useMemo(
    () => merged((usage?.series ?? []).map(one => ({ state: one.status, values: one.messages }))),
    [usage],
  )
  if (query.isPending) return <LoadingRows label="Loading the messages" rows={3} />
  if (usage === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (usage.total.messages === 0) return null
  const { messages, segments } = usage.total
  return (
    <TimeChart
      title="Messages"
      note={`${countText(messages)} in ${countText(segments)} segments`}
      kind="counts"
      buckets={usage.buckets}
      interval={usage.interval}
      series={series}
    />
  )
}

function CallChart({ range }: { range: Range }) {
  const api = useApi()
  const { mode } = useSession()
  const query = useQuery({
    queryKey: [mode, 'usage of calls', range],
    queryFn: ({ signal }) => api.analytics.voice(range, { signal }),
    placeholderData: keepPreviousData,
  })
  const usage = query.data
  const series = useMemo(
    () => merged((usage?.series ?? []).map(one => ({ state: one.state, values: one.calls }))),
    [usage],
  )
  if (query.isPending) return <LoadingRows label="Loading the calls" rows={3} />
  if (usage === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (usage.total.calls === 0) return null
  const { calls, minutes } = usage.total
  return (
    <TimeChart
      title="Calls"
      note={`${countText(calls)}, ${countText(Math.round(minutes))} minutes`}
      kind="counts"
      buckets={usage.buckets}
      interval={usage.interval}
      series={series}
    />
  )
}
