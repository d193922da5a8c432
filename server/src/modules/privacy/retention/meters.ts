// What Prometheus counts of purges: rows that went because of their age.
import type { CounterHandle, Metrics } from '../../../kernel/observe/metrics.ts'
import { agedTables, endedKinds } from './rules.ts'

/** The counter of rows that are gone. */
export function purgeMeter(metrics: Metrics): CounterHandle {
  return metrics.counter(
    'tandem_purged_rows_total',
    'Rows deleted because of their age.',
    ['table'],
    [...agedTables.map(({ table }) => table), ...endedKinds].map(table => ({ table })),
  )
}
