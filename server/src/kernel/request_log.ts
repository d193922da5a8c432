// The request log: one row a request of a known tenant, written behind the answer in batches. It is the customer's view
// of their own traffic, never the record of an effect, so its commits need not wait for the disk.
import type { Db } from './db.ts'

export type LoggedRequest = {
  tenantId: number
  id: string
  atMs: number
  method: string
  path: string
  endpointId: string | null
  status: number
  durationMs: number
  problem: string | null
  userId: number | null
  keyId: string | null
  ip: string
}

export type RequestLog = {
  add(entry: LoggedRequest): void
  /** Writes what waits; resolves when it is in the database. */
  flush(): Promise<void>
  close(): Promise<void>
}

const flushEveryMs = 250
const maxBatch = 2_000
/** Beyond this many waiting rows the database cannot keep up: the oldest are dropped and counted, requests go on. */
const maxWaiting = 50_000

export function createRequestLog(db: Db, onError: (error: unknown, dropped: number) => void): RequestLog {
  let waiting: LoggedRequest[] = []
  let flushing: Promise<void> | undefined

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxBatch)
      try {
        await db.call('write_request_log', text, columns(batch))
      } catch (error) {
        onError(error, batch.length)
        return
      }
    }
  }

  function flush(): Promise<void> {
    flushing ??= write().finally(() => {
      flushing = undefined
    })
    return flushing
  }

  const timer = setInterval(() => void flush(), flushEveryMs)
  timer.unref()

  return {
    add(entry) {
      waiting.push(entry)
      if (waiting.length > maxWaiting) {
        const dropped = waiting.length - maxWaiting / 2
        waiting = waiting.slice(dropped)
        onError(new Error('the request log cannot keep up'), dropped)
      }
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
      await flush()
    },
  }
}

const text = 'select write_request_log($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)'

function columns(batch: LoggedRequest[]): unknown[] {
  return [
    batch.map(entry => entry.tenantId),
    batch.map(entry => entry.id),
    batch.map(entry => new Date(entry.atMs).toISOString()),
    batch.map(entry => entry.method),
    batch.map(entry => entry.path),
    batch.map(entry => entry.endpointId),
    batch.map(entry => entry.status),
    batch.map(entry => entry.durationMs),
    batch.map(entry => entry.problem),
    batch.map(entry => entry.userId),
    batch.map(entry => entry.keyId),
    batch.map(entry => entry.ip),
  ]
}
