/**
 * The process in which `loadInChild` generates its load: takes one order over the IPC channel, reports the edges of
 * the measured window and the result over it, and leaves; it also leaves when its parent does.
 */

import { load } from './load.ts'
import type { WorkerOrder, WorkerReport } from './load_order.ts'
import { compileTemplate } from './request_template.ts'

const report = (message: WorkerReport) => process.send?.(message)

process.once('message', async (message: unknown) => {
  const { template, ...settings } = message as WorkerOrder
  const result = await load({
    ...settings,
    request: compileTemplate(template, `${settings.host}:${settings.port}`),
    onMeasureStart: () => report({ kind: 'measure_start' }),
    onMeasureEnd: seconds => report({ kind: 'measure_end', seconds }),
  })
  const last: WorkerReport = { kind: 'result', result }
  process.send?.(last, undefined, undefined, () => process.disconnect?.())
})

process.once('disconnect', () => process.exit(0))
