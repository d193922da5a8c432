// Prepares bodies: small ones here, large ones in a worker that is started when the first comes.

import { t } from '../texts.ts'
import { type PreparedBody, prepareBody } from './body_work.ts'
import type { WorkOrder, WorkResult } from './body_worker.ts'

/** Larger bodies go to the worker. */
const IN_PAGE_BYTES = 1_000_000

let worker: Worker | undefined
let nextId = 1
const waiting = new Map<number, { resolve(prepared: PreparedBody): void; reject(error: Error): void }>()

function startWorker(): Worker {
  const started = new Worker(new URL('./body_worker.ts', import.meta.url), { type: 'module' })
  started.onmessage = ({ data }: MessageEvent<WorkResult>) => {
    const asked = waiting.get(data.id)
    waiting.delete(data.id)
    if ('prepared' in data) asked?.resolve(data.prepared)
    else asked?.reject(new Error(data.error))
  }
  started.onerror = () => {
    worker = undefined
    for (const { reject } of waiting.values()) reject(new Error(t('notPrepared')))
    waiting.clear()
  }
  return started
}

/** Starts the worker ahead, when a body turns out to be large. */
export function warmUp(bytes: number): void {
  if (bytes > IN_PAGE_BYTES) worker ??= startWorker()
}

/** The body made readable. Rejects when it is too large for this browser. */
export async function prepare(body: Blob, contentType: string): Promise<PreparedBody> {
  if (body.size <= IN_PAGE_BYTES) return prepareBody(new Uint8Array(await body.arrayBuffer()), contentType)
  worker ??= startWorker()
  const id = nextId++
  const order: WorkOrder = { id, body, contentType }
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject })
    worker?.postMessage(order)
  })
}
