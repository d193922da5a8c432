// One lane in the hands of this process: what it is to send, how many calls are under way, and the health of its receiver. It
// holds no socket and no timer; the sender moves it.
import { callbackSecret, keyOf } from '../../kernel/data/signature.ts'
import type { Keyring } from '../../kernel/values/keyring.ts'
import type { DeliveryHealth } from './rules.ts'
import type { JobEventRow, LaneState, LeasedLane, TargetRow } from './sender_store.ts'
import { openSecret } from './signing.ts'

export type Item = JobEventRow & { job: Job }

/** A row of webhook_jobs: how many events it has, which are still to be sent, and how many results are not written yet. */
export type Job = { id: number; dueAt: string; tries: number; total: number; left: Set<string>; unwritten: number }

/** Where deliveries go now, and what signs them. */
export type Target = { organizationId: number; mode: 'live' | 'test'; url: URL | undefined; keys: Buffer[] }

export type Lane = {
  readonly tenantId: number
  readonly lane: string
  readonly token: string
  readonly granted: number
  readonly startedMs: number
  /** When it was last of use. */
  activeMs: number
  /** Jobs were begun by a worker that is gone: what it finished is looked up. */
  readonly recheck: boolean
  target: Target | undefined
  /** When the target was last looked up. */
  aimedMs: number
  health: DeliveryHealth
  items: Item[]
  jobs: Map<number, Job>
  underWay: number
  /** Results that are not written yet. */
  unwritten: number
  /** When jobs were last asked for, and whether there were none. */
  fetchedMs: number
  drained: boolean
  fetching: boolean
  maxJobs: number
  /** Nothing more is sent; when the calls under way have ended, the lane is given back. */
  closing: boolean
  /** The address that answered 410: to be disabled, where it is still the one. */
  gone: string | undefined
}

export function newLane(row: LeasedLane, token: string, nowMs: number): Lane {
  return {
    tenantId: row.tenant_id,
    lane: row.lane,
    token,
    granted: row.slots,
    startedMs: nowMs,
    activeMs: nowMs,
    recheck: row.taken_over,
    target: undefined,
    aimedMs: 0,
    health: {
      concurrency: row.concurrency,
      credit: 0,
      failures: row.failures,
      failingSinceMs: msOf(row.failing_since),
      failedAttempts: row.failed_attempts,
      deliveredAtMs: msOf(row.delivered_at),
      lastError: row.last_error,
      resumeAtMs: null,
    },
    items: [],
    jobs: new Map(),
    underWay: 0,
    unwritten: 0,
    fetchedMs: 0,
    drained: false,
    fetching: false,
    maxJobs: 1,
    closing: false,
    gone: undefined,
  }
}

function msOf(time: string | null): number | null {
  return time === null ? null : Date.parse(time)
}

/** A lane as the database keeps it. */
export function stateOf(lane: Lane, release: boolean): LaneState {
  const { tenantId, token, health } = lane
  const { concurrency, resumeAtMs, failures, failingSinceMs, failedAttempts, deliveredAtMs, lastError } = health
  return {
    tenantId,
    lane: lane.lane,
    token,
    release,
    concurrency,
    resumeAtMs,
    failures,
    failingSinceMs,
    failedAttempts,
    deliveredAtMs,
    lastError,
  }
}

/** Adds fetched events to what is to be sent; those settled by an earlier holder only count as done. */
export function addItems(lane: Lane, rows: readonly JobEventRow[]): void {
  for (const row of rows) {
    let job = lane.jobs.get(row.job_id)
    if (job === undefined) {
      job = { id: row.job_id, dueAt: row.due_at, tries: row.tries, total: 0, left: new Set(), unwritten: 0 }
      lane.jobs.set(row.job_id, job)
    }
    job.total++
    if (row.settled || row.type === null) continue
    job.left.add(row.event_id)
    lane.items.push({ ...row, job })
  }
}

/** How many jobs to ask for next: four times as many, up to about `wanted` events if they are like those that came. */
export function nextMaxJobs(maxJobs: number, rows: readonly JobEventRow[], wanted: number): number {
  const jobs = new Set(rows.map(row => row.job_id)).size
  const enough = jobs === 0 ? wanted : Math.max(1, Math.floor((wanted * jobs) / rows.length))
  return Math.min(maxJobs * 4, enough)
}

/** The target as it is now. A secret that does not open is a fault of the installation: nothing can be sent. */
export function targetOf(
  row: TargetRow,
  { tenantId, lane }: Pick<Lane, 'tenantId' | 'lane'>,
  keyring: Keyring,
): Target {
  const { organization_id, mode, url, secret, previous_secret, generation, previous_generation } = row
  const secrets =
    secret === null
      ? [generation, previous_generation].map(number => number && callbackSecret(keyring, tenantId, number))
      : [secret, previous_secret].map(sealed => sealed && openSecret(keyring, tenantId, lane, sealed))
  return {
    organizationId: organization_id,
    mode,
    url: url === null ? undefined : new URL(url),
    keys: secrets.filter(text => typeof text === 'string').map(keyOf),
  }
}
