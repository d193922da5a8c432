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
      const batch = waiting.length <= maxBatch ? waiting : waiting.slice(0, maxBatch)
      waiting = waiting.length <= maxBatch ? [] : waiting.slice(maxBatch)
      try {
        await db.work('write_request_log', text, columns(batch))
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

/**
 * The batch as array literals, one a column, written by hand: the driver would escape every element of every column, and
 * only path and problem could need it.
 */
function columns(batch: LoggedRequest[]): string[] {
  let [tenants, ids, ats, methods, paths, endpoints] = ['', '', '', '', '', '']
  let [statuses, durations, problems, users, keys, ips] = ['', '', '', '', '', '']
  for (const entry of batch) {
    const comma = tenants === '' ? '' : ','
    tenants += comma + entry.tenantId
    ids += comma + entry.id
    ats += comma + entry.atMs
    methods += comma + entry.method
    paths += comma + quoted(entry.path)
    endpoints += comma + (entry.endpointId ?? 'NULL')
    statuses += comma + entry.status
    durations += comma + entry.durationMs.toFixed(2)
    problems += comma + (entry.problem ?? 'NULL')
    users += comma + (entry.userId ?? 'NULL')
    keys += comma + (entry.keyId ?? 'NULL')
    ips += comma + quoted(entry.ip)
  }
  const all = [tenants, ids, ats, methods, paths, endpoints, statuses, durations, problems, users, keys, ips]
  return all.map(list => `{${list}}`)
}

/** An array element in quotes (PostgreSQL, Arrays, "Array Input and Output Syntax"). */
function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`
}
