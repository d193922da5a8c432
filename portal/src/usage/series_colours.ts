// The colours of the series of a chart, in the drawing and in its legend.
import type { ChartSeries } from './chart.ts'

/** Distinguished without colour too: by order, by the legend and by the table. */
const colours = ['--accent', '--info', '--test', '--code-key', '--border-strong', '--code-number', '--ok', '--bad']

export function colourOf({ colour }: ChartSeries, index: number): string {
  return colour ?? colours[index % colours.length] ?? '--accent'
}
