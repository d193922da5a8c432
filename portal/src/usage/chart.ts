// What a chart over time shows.

export type ChartSeries = {
  label: string
  values: readonly (number | null)[]
  /** A custom property of the theme, where the series means something; distinguished by order otherwise. */
  colour?: string
}
export type TimeChartProps = {
  title: string
  /** Beside the title: a total, or what is left out. */
  note?: string
  /** When each bucket begins, ISO 8601. */
  buckets: readonly string[]
  /** By hour the table shows the time too. */
  interval: 'hour' | 'day'
  /** Whose days these are; hours are shown by the clock of the reader. */
  timeZone: string
  series: readonly ChartSeries[]
  /** Counts are stacked bars, and add up; durations are lines. */
  kind: 'counts' | 'durations'
  /** How a value reads. */
  format?(value: number): string
}
