// A chart over time: uPlot draws it, the legend shows the bucket under the pointer, a table says the same in words and
// numbers, and a file takes it away.
import { Suspense, useMemo, useState } from 'react'
import { saveTable } from '../data/save_file.ts'
import { type Column, DataTable } from '../ui/data_table.tsx'
import { Button, Card, countText, SegmentedControl } from '../ui/index.ts'
import { lazyPart } from '../ui/lazy_part.tsx'
import { dayText } from '../words/format.ts'
import type { ChartSeries, TimeChartProps } from './chart.ts'
import { csvOf } from './csv.ts'
import { colourOf } from './series_colours.ts'
import { t } from './texts.ts'
import styles from './usage.module.css'

// The drawing comes behind the rest of the screen, which says the same in words.
const Plot = lazyPart(() => import('./plot.tsx').then(module => module.Plot))

type View = 'chart' | 'table'

const bucketText = ({ interval, timeZone }: Pick<TimeChartProps, 'interval' | 'timeZone'>, bucket: string) =>
  dayText(new Date(bucket), { dateStyle: 'medium', ...(interval === 'hour' ? { timeStyle: 'short' } : { timeZone }) })

export function TimeChart(props: TimeChartProps) {
  const { title, note, buckets, interval, timeZone, series, kind, format = countText } = props
  const [view, setView] = useState<View>('chart')
  const [pointed, setPointed] = useState<number | null>(null)
  const save = () =>
    saveTable(
      new Blob([csvOf(buckets, series)], { type: 'text/csv' }),
      `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.csv`,
    )
  const summary = useMemo(
    () => series.map(one => `${one.label} ${format(summaryOf(kind, one))}`).join(', '),
    [series, kind, format],
  )
  const bucket = pointed === null ? undefined : buckets[pointed]
  return (
    <Card
      title={
        <>
          {title}
          {note !== undefined && <span className={styles['note']}> {note}</span>}
        </>
      }
      actions={
        <>
          <SegmentedControl<View>
            label={t('chart.as', { title })}
            options={[
              { value: 'chart', label: t('chart.chart') },
              { value: 'table', label: t('chart.table') },
            ]}
            value={view}
            onChange={next => setView(next)}
          />
          <Button size="sm" onClick={save} aria-label={t('chart.csv', { title })}>
            CSV
          </Button>
        </>
      }
    >
      {view === 'chart' ? (
        <>
          <Suspense fallback={<div className={styles['chart']} />}>
            <Plot
              label={t(`chart.${kind}`, { title, summary })}
              buckets={buckets}
              interval={interval}
              timeZone={timeZone}
              series={series}
              kind={kind}
              format={format}
              onPoint={setPointed}
            />
          </Suspense>
          <ul className={styles['legend']} aria-label={t('chart.legend')}>
            {series.map((one, index) => (
              <li key={one.label}>
                <span
                  className={styles['swatch']}
                  style={{ background: `var(${colourOf(one, index)})` }}
                  aria-hidden="true"
                />
                {one.label} <b>{legendValue(kind, one, pointed, format)}</b>
              </li>
            ))}
            <li className={styles['when']}>
              {bucket === undefined ? t(kind === 'counts' ? 'chart.inAll' : 'chart.atMost') : bucketText(props, bucket)}
            </li>
          </ul>
        </>
      ) : (
        <ChartTable {...{ title, buckets, interval, timeZone, series, format }} />
      )}
    </Card>
  )
}

/** What a whole series comes to: counts add up, of durations the longest says most. */
function summaryOf(kind: TimeChartProps['kind'], { values }: ChartSeries): number {
  return values.reduce<number>((all, value) => (kind === 'counts' ? all + (value ?? 0) : Math.max(all, value ?? 0)), 0)
}

function legendValue(
  kind: TimeChartProps['kind'],
  series: ChartSeries,
  pointed: number | null,
  format: (value: number) => string,
): string {
  if (pointed === null) return format(summaryOf(kind, series))
  const value = series.values[pointed]
  return value == null ? '–' : format(value)
}

type Row = { bucket: string; values: (number | null)[] }
type ChartTableProps = Required<
  Pick<TimeChartProps, 'title' | 'buckets' | 'interval' | 'timeZone' | 'series' | 'format'>
>
function ChartTable({ title, buckets, series, format, ...axis }: ChartTableProps) {
  const columns: Column<Row>[] = [
    {
      key: 'bucket',
      header: t('chart.from'),
      render: row => <span className={styles['bucket']}>{bucketText(axis, row.bucket)}</span>,
    },
    ...series.map((one, index) => ({
      key: one.label,
      header: one.label,
      align: 'end' as const,
      render: (row: Row) => {
        const value = row.values[index]
        return value == null ? '–' : format(value)
      },
    })),
  ]
  const rows = buckets.map((bucket, index) => ({ bucket, values: series.map(one => one.values[index] ?? null) }))
  return <DataTable caption={title} columns={columns} rows={rows.reverse()} rowKey={row => row.bucket} />
}
