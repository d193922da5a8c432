// Hot queues: rows leased many at a time with SKIP LOCKED and finished in bulk. The rows hold ids and times only, so a
// worker may claim across tenants; what they mean is read inside the tenant's own transaction. Claims go by due time and
// lease, never by "id above my cursor", so nothing that committed late is skipped.
import type { Log } from '../observe/log.ts'

export type QueueOptions<Row> = {
  name: string
  /** Leases up to `limit` due rows under `token`; a lease that is not finished ends by itself and is claimed again. */
  claim(token: string, limit: number): Promise<Row[]>
  /**
   * Does the work and finishes the rows, fenced by `token`. What it leaves unfinished comes back when the lease ends.
   * @param isStopping whether the queue was asked to stop, perhaps while these rows were claimed: work that is long or goes on gives them back
   */
  work(rows: Row[], token: string, isStopping: () => boolean): Promise<void>
  /** Rows a claim, 100 when not said. */
  batch?: number
  /** Claims under way at once, 2 when not said. */
  lanes?: number
  /** Looks for due rows this often even when nobody wakes it. */
  pollMs?: number
  /** Runs first when the queue is asked to stop, while it goes on as ever: waits for what still needs it. */
  draining?(): Promise<void>
  /**
   * Runs once when the queue begins to stop, while work is under way: may ask that work to finish. It is waited for
   * before `closed`; its failure is logged.
   */
  stopping?(): Promise<void> | void
  /** Runs once when the queue has stopped: ends what only its work needed. */
  closed?(): Promise<void>
}

export type Queue = {
  readonly name: string
  /** Says that rows were added; cheap, call it as often as you like. */
  wake(): void
  /** Claims nothing more and waits for what is under way. A second call waits for the same end. */
  stop(): Promise<void>
}

export type QueueContext = {
  log: Log
  newToken(): string
  /** Whether nothing has been going on in any queue for a while: then one that looks more often than every two seconds does so every two. */
  isQuiet?(): boolean
  /** Something is going on. */
  stirred?(): void
}

/** How often a queue looks in a process in which nothing is going on, if not more seldom anyway. */
const quietPollMs = 2_000

export function startQueue<Row>(options: QueueOptions<Row>, context: QueueContext): Queue {
  const { log, newToken, isQuiet = () => false, stirred = () => {} } = context
  const { name, claim, work, batch = 100, lanes = 2, pollMs = 250 } = options
  let isStopping = false
  let stopped: Promise<void> | undefined
  let wanted = false
  let active = 0
  let claiming = 0
  const health = createHealth(name, log)
  const done: (() => void)[] = []

  async function claimRows(token: string): Promise<Row[]> {
    claiming++
    try {
      return await health.claiming(() => claim(token, batch))
    } finally {
      claiming--
    }
  }

  async function lane(): Promise<void> {
    active++
    try {
      for (;;) {
        wanted = false
        const token = newToken()
        const rows = isStopping ? [] : await claimRows(token)
        if (rows.length === 0) break
        stirred()
        await work(rows, token, () => isStopping)
        health.worked()
        if (rows.length < batch && !wanted) break
      }
    } catch (error) {
      health.failed(error)
    } finally {
      active--
      if (active === 0 && isStopping) for (const resolve of done.splice(0)) resolve()
    }
  }

  function wake(): void {
    wanted = true
    stirred()
    if (!isStopping && active < lanes) void lane()
  }

  let polls = 0
  const timer = setInterval(() => {
    polls++
    if (isQuiet() && (polls * pollMs) % quietPollMs >= pollMs) return
    // What falls due must not wait for the slowest batch: any free lane looks, one at a time. After a few failures in a row
    // only every eighth poll tries.
    if (active < lanes && claiming === 0 && (health.failures() < 4 || polls % 8 === 0)) void lane()
  }, pollMs)
  timer.unref()

  async function end(): Promise<void> {
    if (options.draining !== undefined) {
      await options.draining().catch(error => log.error({ queue: name, err: error }, 'a queue did not drain in order'))
    }
    isStopping = true
    clearInterval(timer)
    const reported = Promise.try(() => options.stopping?.()).catch(error =>
      log.error({ queue: name, err: error }, 'a queue was not stopped in order'),
    )
    if (active > 0) await new Promise<void>(resolve => done.push(resolve))
    await reported
    await options.closed?.()
  }

  return {
    name,
    wake,
    stop() {
      stopped ??= end()
      return stopped
    },
  }
}

/** Counts failures in a row, and says in the log when they begin and when they are over. */
function createHealth(queue: string, log: Log) {
  let failures = 0
  let isClaimFailing = false
  function recovered(): void {
    log.info({ queue, failures }, 'queue works again')
    failures = 0
    isClaimFailing = false
  }
  return {
    failures: () => failures,
    /** A claim that succeeds ends failures of claims, and not those of work: what failed is leased, and not claimed now. */
    async claiming<T>(claim: () => Promise<T>): Promise<T> {
      try {
        const rows = await claim()
        if (isClaimFailing) recovered()
        return rows
      } catch (error) {
        isClaimFailing = true
        throw error
      }
    },
    worked(): void {
      if (failures > 0) recovered()
    },
    failed(error: unknown): void {
      failures++
      // A database that is unavailable is logged once, not four times a second.
      if (failures === 1 || failures % 100 === 0) log.error({ queue, err: error, failures }, 'queue work failed')
    },
  }
}
