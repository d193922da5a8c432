// When the database cannot be reached or cannot write (a full disk, a restart, too many connections): which errors say so, one line
// in the log when it begins and one when it is over, however many requests meet it, and whether it is over yet.

import type { Log } from '../observe/log.ts'
import type { Db } from './db.ts'
import { isConnectionProblem, sqlState } from './db_errors.ts'

/** What is wrong, and what an operator looks at. */
const outages = {
  storage: 'the database cannot write: its disk is full or fails. Make room; what was acknowledged is kept',
  memory: 'the database is out of memory',
  connections: 'the database has no free connection: raise its max_connections, or lower TANDEM_DATABASE_POOL',
  readonly: 'the database takes no writes: it is a standby, or was made read-only',
  away: 'the database does not answer',
} as const

export type Outage = keyof typeof outages

/** Of SQLSTATE, the whole code first, then its class (PostgreSQL manual, appendix A). */
const byState: Readonly<Record<string, Outage>> = {
  '53100': 'storage',
  '53200': 'memory',
  '53300': 'connections',
  '58030': 'storage',
  '58P01': 'storage',
  '25006': 'readonly',
  '57P01': 'away',
  '57P02': 'away',
  '57P03': 'away',
  '57P05': 'away',
  '08': 'away',
  '53': 'connections',
}

/** Which outage an error reports; undefined when it reports none. */
export function outageOf(error: unknown): Outage | undefined {
  const state = sqlState(isConnectionProblem(error) ? error.cause : error)
  if (state !== undefined) return byState[state] ?? byState[state.slice(0, 2)]
  return isConnectionProblem(error) ? 'away' : undefined
}

type Episode = { sinceMs: number; lastMs: number; count: number }

export type Outages = {
  /** Takes note of an error; whether it reports an outage, which is logged then, once. */
  note(error: unknown): boolean
  /** Takes note of a connection that broke, which may be that one only: logged once for all that break together. */
  lost(error: Error): void
  /** Why the node cannot serve now; tries a write when that was not done within the last second. */
  reason(): Promise<string | undefined>
  close(): void
}

const probeMs = 1_000
/** An outage of which nothing was heard for so long is over, when a write succeeds. */
const quietMs = 2_000

/** Sorts on disk, so that it fails where there is no room for a megabyte, and then writes and commits. */
const probeText = `with spilled as (select set_config('work_mem', '64kB', true) as memory), sorted as (
    select count(*) as n from (select g from spilled, generate_series(1, 15000) g where memory is not null order by md5(g::text) offset 0) s
  ) select pg_logical_emit_message(true, 'tandem', n::text)::text from sorted`
const writeText = `select pg_logical_emit_message(true, 'tandem', 'probe')::text`

export function createOutages({ db, log, clock }: { db: Db; log: Log; clock: { now(): number } }): Outages {
  const episodes = new Map<Outage, Episode>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let lostMs = Number.NEGATIVE_INFINITY
  let probed: { atMs: number; result: Promise<boolean> } | undefined

  function note(error: unknown): boolean {
    const kind = outageOf(error)
    if (kind === undefined) return false
    const nowMs = clock.now()
    const episode = episodes.get(kind)
    if (episode !== undefined) {
      episode.count++
      episode.lastMs = nowMs
      return true
    }
    episodes.set(kind, { sinceMs: nowMs, lastMs: nowMs, count: 1 })
    log.error({ outage: kind, err: isConnectionProblem(error) ? error.cause : error }, outages[kind])
    if (!isClosed) timer ??= setInterval(() => void look(), probeMs).unref()
    return true
  }

  /** Whether the database takes a write, with room for more where that was in doubt. Asked at most once a second. */
  function probe(): Promise<boolean> {
    const nowMs = clock.now()
    if (probed !== undefined && Math.abs(nowMs - probed.atMs) < probeMs) return probed.result
    const [name, text] = episodes.size > 0 ? ['probe_storage', probeText] : ['probe_write', writeText]
    const result = db.control(name as string, text as string, []).then(
      () => true,
      error => {
        if (!note(error)) log.error({ err: error }, 'the database could not be tried')
        return false
      },
    )
    probed = { atMs: nowMs, result }
    return result
  }

  async function look(): Promise<void> {
    if (!(await probe())) return
    const nowMs = clock.now()
    for (const [kind, { sinceMs, lastMs, count }] of episodes) {
      if (nowMs - lastMs < quietMs) continue
      episodes.delete(kind)
      log.info(
        { outage: kind, seconds: Math.round((nowMs - sinceMs) / 1_000), errors: count },
        'the database serves again',
      )
    }
    if (episodes.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    note,
    lost(error) {
      const nowMs = clock.now()
      const isReported = episodes.size > 0 || Math.abs(nowMs - lostMs) < 10 * probeMs
      lostMs = nowMs
      if (!isReported) log.warn({ err: error }, 'a connection to the database broke')
    },
    async reason() {
      const works = await probe()
      // A connection can be had again at once; that there is room again shows only when nothing fails for a while.
      const kind = [...episodes.keys()].find(one => one !== 'away')
      if (kind !== undefined) return outages[kind]
      return works ? undefined : outages.away
    },
    close() {
      // What breaks while the rest is closed is noted still, and nobody looks after it.
      isClosed = true
      clearInterval(timer)
    },
  }
}

/** A log that leaves out errors that report an outage, which is logged once. */
export function quietLog(log: Log, outages: Pick<Outages, 'note'>): Log {
  const quiet = Object.create(log) as Log
  for (const level of ['warn', 'error'] as const) {
    quiet[level] = (...args: unknown[]) => {
      const [record] = args
      if (isRecord(record) && outages.note(record.err)) return
      ;(log[level] as (...args: unknown[]) => void)(...args)
    }
  }
  return quiet
}

function isRecord(value: unknown): value is { err?: unknown } {
  return typeof value === 'object' && value !== null && 'err' in value
}
