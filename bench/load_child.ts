/**
 * Runs a load in a process of its own, so that its processor time can be distinguished from that of the caller and the
 * server. The request travels as data; `load_worker.ts` is the other side.
 */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { LoadResult, LoadWatch } from './load.ts'
import type { WorkerOrder, WorkerReport } from './load_order.ts'

/** `onStart` is given the process id of the generator, so that its memory can be read too. */
export type ChildLoadOptions = WorkerOrder & LoadWatch & { onStart?: (pid: number) => void }

/** Runs one load in a process of its own. Rejects when that process dies without a result. */
export function loadInChild(options: ChildLoadOptions): Promise<LoadResult> {
  const { onStart, onMeasureStart, onMeasureEnd, ...order } = options
  const workerFile = fileURLToPath(new URL('./load_worker.ts', import.meta.url))
  const child = fork(workerFile, [], {
    execArgv: ['--max-semi-space-size=16'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return new Promise((resolve, reject) => {
    let result: LoadResult | undefined
    child.once('error', reject)
    child.once('spawn', () => {
      onStart?.(child.pid ?? 0)
      child.send(order satisfies WorkerOrder)
    })
    child.on('message', (message: unknown) => {
      const report = message as WorkerReport
      if (report.kind === 'measure_start') onMeasureStart?.()
      else if (report.kind === 'measure_end') onMeasureEnd?.(report.seconds)
      else result = report.result
    })
    child.once('exit', (code, signal) => {
      if (result !== undefined) resolve(result)
      else reject(new Error(`the load process ended without a result (code ${code}, signal ${signal})`))
    })
  })
}
