// SQL of the sender: lanes are leased, their jobs fetched, and what came of deliveries written down, each for many lanes in
// one call of one function of the database.
import type { Db } from '../../kernel/data/db.ts'
import { functionCall } from '../../kernel/data/function_call.ts'
import { plainArray, plainColumn, textColumn } from '../../kernel/data/pg_array.ts'
import { isoMs } from '../../kernel/values/clock.ts'
import { disableAfterAttempts, fullConcurrency, noticeHours } from './rules.ts'

/** The name of the queue, to wake it. */
export const queueName = 'webhooks'

export type LaneKey = { tenantId: number; lane: string }

export type LeasedLane = {
  tenant_id: number
  lane: string
  slots: number
  concurrency: number
  failures: number
  failing_since: string | null
  failed_attempts: number
  delivered_at: string | null
  last_error: string | null
  taken_over: boolean
}

type Claim = { token: string; maxLanes: number; tenantSlots: number; leaseSeconds: number; nowMs: number }

/** Leases lanes with something due under `token`. */
export function claimLanes(
  db: Db,
  { token, maxLanes, tenantSlots, leaseSeconds, nowMs }: Claim,
): Promise<LeasedLane[]> {
  return db.work('claim_webhook_lanes', functionCall('claim_webhook_lanes', 5), [
    token,
    maxLanes,
    tenantSlots,
    leaseSeconds,
    isoMs(nowMs),
  ])
}

export type TargetRow = {
  /** Which of the lanes asked about, from 1. */
  item: number
  organization_id: number
  mode: 'live' | 'test'
  /** Null for a lane of callbacks. */
  url: string | null
  secret: string | null
  previous_secret: string | null
  generation: number
  previous_generation: number | null
}

/** Where the deliveries of lanes go now; those of endpoints that are gone or disabled are left out. */
export function findTargets(db: Db, lanes: readonly LaneKey[], nowMs: number): Promise<TargetRow[]> {
  return db.work('webhook_targets', functionCall('webhook_targets', 3), [
    plainColumn(lanes, lane => lane.tenantId),
    textColumn(lanes, lane => lane.lane),
    isoMs(nowMs),
  ])
}

export type JobEventRow = {
  item: number
  job_id: number
  due_at: string
  tries: number
  event_id: string
  /** Null when the event is gone. */
  type: string | null
  at: string
  sequence: number
  data: string
  callback_url: string | null
  settled: boolean
}

export type Hunger = LaneKey & { maxJobs: number; recheck: boolean }

/**
 * The events of due jobs, job by job, without the jobs in `held`: each lane's first job, then the second of each, until
 * there are `maxEvents`.
 */
export function fetchJobs(
  db: Db,
  lanes: readonly Hunger[],
  { held, maxEvents, nowMs }: { held: readonly number[]; maxEvents: number; nowMs: number },
): Promise<JobEventRow[]> {
  return db.work('fetch_webhook_jobs', functionCall('fetch_webhook_jobs', 7), [
    plainColumn(lanes, lane => lane.tenantId),
    textColumn(lanes, lane => lane.lane),
    plainColumn(lanes, lane => lane.maxJobs),
    plainColumn(lanes, lane => lane.recheck),
    plainArray(held),
    maxEvents,
    isoMs(nowMs),
  ])
}

export type LaneState = LaneKey & {
  token: string
  release: boolean
  concurrency: number
  resumeAtMs: number | null
  failures: number
  failingSinceMs: number | null
  failedAttempts: number
  deliveredAtMs: number | null
  lastError: string | null
}

/** `lane` is the place in the list of lanes, from 1. */
export type Result = {
  lane: number
  eventId: string
  eventType: string
  url: string | null
  status: string
  tries: number
  atMs: number
  nextAtMs: number | null
  httpStatus: number | null
  error: string | null
  /** The attempt as the log keeps it, in JSON; its milliseconds alone where it succeeded and got no text. */
  entry: string
}

export type JobKey = { lane: number; dueAt: string; id: number }
export type KeptJob = JobKey & { eventIds: readonly string[] }

export type Batch = { lanes: LaneState[]; results: Result[]; done: JobKey[]; kept: KeptJob[] }

export type FinishedLane = {
  item: number
  /** Number of a notice that is due, see `noticeHours`. */
  notice: number | null
}

/** Writes a batch down; lanes whose lease was lost are missing in the answer, and nothing of theirs was written. */
export function finishBatch(db: Db, { lanes, results, done, kept }: Batch, nowMs: number): Promise<FinishedLane[]> {
  return db.work('finish_webhooks', functionCall('finish_webhooks', 33), [
    isoMs(nowMs),
    plainColumn(lanes, lane => lane.tenantId),
    textColumn(lanes, lane => lane.lane),
    textColumn(lanes, lane => lane.token),
    plainColumn(lanes, lane => lane.release),
    plainColumn(lanes, lane => lane.concurrency),
    plainColumn(lanes, lane => time(lane.resumeAtMs)),
    plainColumn(lanes, lane => lane.failures),
    plainColumn(lanes, lane => time(lane.failingSinceMs)),
    plainColumn(lanes, lane => lane.failedAttempts),
    plainColumn(lanes, lane => time(lane.deliveredAtMs)),
    textColumn(lanes, lane => lane.lastError),
    plainColumn(results, result => result.lane),
    textColumn(results, result => result.eventId),
    textColumn(results, result => result.eventType),
    textColumn(results, result => result.url),
    textColumn(results, result => result.status),
    plainColumn(results, result => result.tries),
    plainColumn(results, result => time(result.atMs)),
    plainColumn(results, result => time(result.nextAtMs)),
    plainColumn(results, result => result.httpStatus),
    textColumn(results, result => result.error),
    textColumn(results, result => result.entry),
    plainColumn(done, job => job.lane),
    plainColumn(done, job => job.dueAt),
    plainColumn(done, job => job.id),
    plainColumn(kept, job => job.lane),
    plainColumn(kept, job => job.dueAt),
    plainColumn(kept, job => job.id),
    textColumn(kept, job => JSON.stringify(job.eventIds)),
    plainArray(noticeHours),
    disableAfterAttempts,
    fullConcurrency,
  ])
}

function time(ms: number | null): string | null {
  return ms === null ? null : isoMs(ms)
}

/** Deletes what has outlived its use, deliveries after so many days where their organization says nothing else; how many rows went. */
export async function purgeWebhooks(db: Db, days: number, maxRows: number): Promise<number> {
  const statement = 'select purge_webhooks($1, $2) as gone'
  const rows = await db.work<{ gone: number }>('purge_webhooks', statement, [days, maxRows])
  return rows[0]?.gone ?? 0
}

/** Deletes listeners that ended a week ago; how many of their deliveries went. */
export async function purgeListeners(db: Db, maxRows: number): Promise<number> {
  const statement = 'select purge_webhook_listeners($1) as gone'
  const rows = await db.work<{ gone: number }>('purge_webhook_listeners', statement, [maxRows])
  return rows[0]?.gone ?? 0
}
