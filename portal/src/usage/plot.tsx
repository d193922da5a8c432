// The drawing of a chart. The theme decides its colours, which are painted and not styled: another theme is another
// drawing.
import { useEffect, useMemo, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useTheme } from '../session/theme.ts'
import { dayText } from '../words/format.ts'
import type { ChartSeries, TimeChartProps } from './chart.ts'
import { colourOf } from './series_colours.ts'
import styles from './usage.module.css'

const height = 220

/** Steps of an axis of counts: there is no half request. */
const wholeSteps = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map(step => step * 10 ** power)).flat()

/** Steps of an axis of days. */
const daySteps = [1, 2, 3, 7, 14, 28, 56, 112].map(days => days * 86_400)

/** Days as they are in their time zone; hours, and the day itself where it begins. */
function tickText(seconds: number, { interval, timeZone }: Axis): string {
  const moment = new Date(seconds * 1_000)
  if (interval === 'day') return dayText(moment, { month: 'short', day: 'numeric', timeZone })
  const midnight = moment.getHours() === 0 && moment.getMinutes() === 0
  return dayText(moment, midnight ? { month: 'short', day: 'numeric' } : { hour: 'numeric', minute: '2-digit' })
}

/**
 * The columns uPlot draws. Bars are stacked: each is drawn from the ground to the sum of itself and those below it, the
 * highest first.
 */
export function columnsOf(buckets: readonly string[], series: readonly ChartSeries[], kind: TimeChartProps['kind']) {
  const times = buckets.map(bucket => Date.parse(bucket) / 1_000)
  if (kind === 'durations') return [times, ...series.map(one => [...one.values])]
  const sums = buckets.map(() => 0)
  const stacked = series.map(one => {
    for (const index of sums.keys()) sums[index] = (sums[index] ?? 0) + (one.values[index] ?? 0)
    return [...sums]
  })
  return [times, ...stacked.reverse()]
}

type Axis = Pick<TimeChartProps, 'interval' | 'timeZone'>
type PlotProps = Required<Pick<TimeChartProps, 'buckets' | 'series' | 'kind' | 'format' | keyof Axis>> & {
  label: string
  /** The bucket under the pointer. */
  onPoint(index: number | null): void
}
export function Plot({ label, buckets, interval, timeZone, series, kind, format, onPoint }: PlotProps) {
  const place = useRef<HTMLDivElement>(null)
  const { resolved } = useTheme()
  const data = useMemo(() => columnsOf(buckets, series, kind) as uPlot.AlignedData, [buckets, series, kind])
  useEffect(() => {
    const element = place.current
    if (element === null) return undefined
    element.dataset['theme'] = resolved
    const plot = new uPlot(
      optionsOf({ width: element.clientWidth, data, interval, timeZone, series, kind, format, onPoint }),
      data,
      element,
    )
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [data, interval, timeZone, series, kind, resolved, format, onPoint])
  return <div ref={place} className={styles['chart']} role="img" aria-label={label} />
}

type OptionsOf = Pick<PlotProps, 'series' | 'kind' | 'format' | 'onPoint' | keyof Axis> & {
  width: number
  data: uPlot.AlignedData
}
function optionsOf({ width, data, series, kind, format, onPoint, ...bucketed }: OptionsOf): uPlot.Options {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const axis = {
    stroke: colour('--text-faint'),
    font: `12px ${colour('--font-sans')}`,
    grid: { stroke: colour('--border'), width: 1 },
    ticks: { show: false },
  }
  const [times] = data
  const step = (times[1] ?? 0) - (times[0] ?? 0)
  const bars = kind === 'counts'
  const isByDay = bucketed.interval === 'day'
  const drawn = series.map((one, index) => {
    const stroke = colour(colourOf(one, index))
    const look = bars ? { fill: stroke, paths: uPlot.paths.bars?.({ size: [0.72, 40] }), width: 0 } : { width: 2 }
    return { label: one.label, stroke, points: { show: !bars && times.length < 2 }, ...look }
  })
  return {
    width,
    height,
    // Ticks stand where days begin.
    ...(isByDay && { tzDate: seconds => uPlot.tzDate(new Date(seconds * 1_000), bucketed.timeZone) }),
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: !bars, size: 6 } },
    scales: {
      // Room for half a bar at both ends.
      x: { range: (_plot, low, high) => [low - step / 2, high + step / 2] },
      y: { range: (_plot, _low, high) => [0, Math.max(1, high * 1.1)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: 64,
        ...(isByDay ? { incrs: daySteps } : {}),
        values: (_plot, splits) => splits.map(split => tickText(split, bucketed)),
      },
      {
        ...axis,
        size: 64,
        ...(bars ? { incrs: wholeSteps } : {}),
        values: (_plot, values) => values.map(value => format(value)),
      },
    ],
    series: [{}, ...(bars ? drawn.reverse() : drawn)],
    hooks: { setCursor: [plot => onPoint(plot.cursor.idx ?? null)] },
  }
}
