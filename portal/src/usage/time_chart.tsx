// A chart over time: uPlot draws it, a table says the same in words and numbers, and a file takes it away.
import { useEffect, useMemo, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useTheme } from '../app/theme.ts'
import { Button, Card, type Column, countText, DataTable, SegmentedControl } from '../ui/index.ts'
import { csvOf } from './csv.ts'
import styles from './usage.module.css'

export type ChartSeries = { label: string; values: readonly (number | null)[] }
export type TimeChartProps = {
  title: string
  /** When each bucket begins, ISO 8601. */
  buckets: readonly string[]
  /** By hour the table shows the time too. */
  interval: 'hour' | 'day'
  series: readonly ChartSeries[]
  /** How a value reads; whole counts when not said. */
  format?(value: number): string
}

/** Told apart without colour too: by order, by the legend and by the table. */
const colours = ['--accent', '--info', '--test', '--bad', '--code-key', '--ok', '--border-strong', '--code-number']

/** Steps of an axis of counts: there is no half request. */
const wholeSteps = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map(step => step * 10 ** power)).flat()

type View = 'chart' | 'table'

export function TimeChart({ title, buckets, interval, series, format = countText }: TimeChartProps) {
  const [view, setView] = useState<View>('chart')
  const save = () => {
    const url = URL.createObjectURL(new Blob([csvOf(buckets, series)], { type: 'text/csv' }))
    const link = document.createElement('a')
    link.href = url
    link.download = `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.csv`
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <Card
      title={title}
      actions={
        <>
          <SegmentedControl<View>
            label={`${title} as`}
            options={[
              { value: 'chart', label: 'Chart' },
              { value: 'table', label: 'Table' },
            ]}
            value={view}
            onChange={next => setView(next)}
          />
          <Button size="sm" onClick={save} aria-label={`Download ${title} as CSV`}>
            CSV
          </Button>
        </>
      }
    >
      {view === 'chart' ? (
        <>
          <Plot title={title} buckets={buckets} series={series} format={format} />
          <ul className={styles['legend']} aria-label="Legend">
            {series.map((one, index) => (
              <li key={one.label}>
                <span
                  className={styles['swatch']}
                  style={{ background: `var(${colours[index % colours.length]})` }}
                  aria-hidden="true"
                />
                {one.label}
              </li>
            ))}
          </ul>
        </>
      ) : (
        <ChartTable title={title} buckets={buckets} interval={interval} series={series} format={format} />
      )}
    </Card>
  )
}

type PlotProps = {
  title: string
  buckets: readonly string[]
  series: readonly ChartSeries[]
  format(value: number): string
}
function Plot({ title, buckets, series, format }: PlotProps) {
  const place = useRef<HTMLDivElement>(null)
  const { resolved } = useTheme()
  const data = useMemo<uPlot.AlignedData>(
    () => [buckets.map(bucket => Date.parse(bucket) / 1_000), ...series.map(one => [...one.values])],
    [buckets, series],
  )
  useEffect(() => {
    const element = place.current
    if (element === null) return undefined
    const style = getComputedStyle(document.documentElement)
    const colour = (name: string) => style.getPropertyValue(name).trim()
    // The theme decides the colours, which are drawn and not styled: another theme is another drawing.
    element.dataset['theme'] = resolved
    const axis = {
      stroke: colour('--text-faint'),
      grid: { stroke: colour('--border'), width: 1 },
      ticks: { stroke: colour('--border'), width: 1 },
    }
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height: 240,
        legend: { show: false },
        cursor: { points: { size: 6 } },
        scales: { y: { range: (_plot, _low, high) => [0, Math.max(1, high * 1.1)] } },
        axes: [
          axis,
          {
            ...axis,
            size: 64,
            ...(format === countText ? { incrs: wholeSteps } : {}),
            values: (_plot, values) => values.map(value => format(value)),
          },
        ],
        series: [
          {},
          ...series.map((one, index) => ({
            label: one.label,
            stroke: colour(colours[index % colours.length] ?? '--accent'),
            width: 2,
            points: { show: false },
          })),
        ],
      },
      data,
      element,
    )
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: 240 }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [data, series, resolved, format])
  const told = series
    .map(one => `${one.label} ${format(one.values.reduce((sum: number, value) => sum + (value ?? 0), 0))}`)
    .join(', ')
  return <div ref={place} className={styles['chart']} role="img" aria-label={`${title}: ${told}`} />
}

type Row = { bucket: string; values: (number | null)[] }
function ChartTable({ title, buckets, interval, series, format }: PlotProps & { interval: 'hour' | 'day' }) {
  const moment = new Intl.DateTimeFormat(
    undefined,
    interval === 'hour' ? { dateStyle: 'medium', timeStyle: 'short' } : { dateStyle: 'medium' },
  )
  const columns: Column<Row>[] = [
    { key: 'bucket', header: 'From', render: row => moment.format(new Date(row.bucket)) },
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
