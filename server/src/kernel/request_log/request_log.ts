// The request log: one row a request of a known tenant, written behind the answer in batches. It is the customer's view
// of their own traffic, never the record of an effect, so its commits need not wait for the disk.
import type { Db } from '../data/db.ts'
import type { LoggedRequest } from './logged_request.ts'
import { countBatch } from './usage.ts'

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
/** Details that wait beyond so many characters are not kept; their rows are. */
const maxWaitingDetail = 16 * 1024 * 1024

export function createRequestLog(db: Db, onError: (error: unknown, dropped: number) => void): RequestLog {
  let waiting: LoggedRequest[] = []
  let waitingDetail = 0
  let flushing: Promise<void> | undefined

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.length <= maxBatch ? waiting : waiting.slice(0, maxBatch)
      waiting = waiting.length <= maxBatch ? [] : waiting.slice(maxBatch)
      for (const entry of batch) waitingDetail -= sizeOf(entry)
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
      if (entry.detail !== undefined) {
        const size = sizeOf(entry)
        if (waitingDetail + size > maxWaitingDetail) entry.detail = undefined
        else waitingDetail += size
      }
      waiting.push(entry)
      if (waiting.length > maxWaiting) {
        const dropped = waiting.length - maxWaiting / 2
        for (const old of waiting.slice(0, dropped)) waitingDetail -= sizeOf(old)
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

function sizeOf({ detail }: LoggedRequest): number {
  return detail === undefined ? 0 : 200 + (detail.body?.length ?? 0) + (detail.response?.length ?? 0)
}

const text = `select write_request_log(${Array.from({ length: 18 }, (_, index) => `$${index + 1}`).join(', ')})`

/**
 * The batch as array literals, one a column, written by hand: the driver would escape every element of every column, and
 * only path, query and address could need it. What few rows have follows as JSON, or null.
 */
function columns(batch: LoggedRequest[]): (string | null)[] {
  let [tenants, ids, ats, methods, paths, endpoints] = ['', '', '', '', '', '']
  let [statuses, durations, problems, users, keys, ips] = ['', '', '', '', '', '']
  let [sources, resources, queries] = ['', '', '']
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
    users += comma + entry.userId
    keys += comma + (entry.keyId ?? 'NULL')
    ips += comma + quoted(entry.ip)
    sources += comma + entry.source
    resources += comma + (entry.resourceId ?? 'NULL')
    queries += comma + (entry.query === null ? 'NULL' : quoted(entry.query))
  }
  const all = [tenants, ids, ats, methods, paths, endpoints, statuses, durations, problems, users, keys, ips]
  const lists = [...all, sources, resources, queries].map(list => `{${list}}`)
  const { usage, refusals } = countBatch(batch)
  return [...lists, jsonOrNull(details(batch)), JSON.stringify(usage), jsonOrNull(refusals)]
}

function details(batch: LoggedRequest[]) {
  return batch.flatMap(({ tenantId, id, atMs, detail }) =>
    detail === undefined ? [] : [{ tenant: tenantId, id, at: atMs, ...detail }],
  )
}

function jsonOrNull(rows: object[]): string | null {
  return rows.length === 0 ? null : JSON.stringify(rows)
}

/** An array element in quotes (PostgreSQL, Arrays, "Array Input and Output Syntax"). */
function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`
}
