// The figures as the status endpoints answer them.
import type { ArchiveState } from '../../kernel/backup/continuous/archive_state.ts'
import { isoMs } from '../../kernel/values/clock.ts'
import { carrierState, presentLinkState } from '../messaging/carriers/index.ts'
import { presentState, type TrunkState } from '../voice/trunks/index.ts'
import { isLate, silentSeconds } from './rules.ts'
import {
  type BacklogRow,
  type CarrierStatusRow,
  countedFiles,
  type NodeRow,
  type StorageRow,
  type TrunkStatusRow,
} from './status_store.ts'
import type { QueueFigure } from './store.ts'

export function presentBacklog(row: BacklogRow, nowMs: number) {
  return {
    queue: row.queue,
    waiting: row.waiting,
    due: row.due,
    oldestDueAt: row.oldest_due_at,
    isLate: isLate(row.oldest_due_at, nowMs),
    isEstimate: row.is_estimate,
  }
}

export function presentQueue({ queue, waiting, due, oldestDueSeconds, isEstimate }: QueueFigure, nowMs: number) {
  const oldestDueAt = due === 0 ? null : isoMs(nowMs - oldestDueSeconds * 1_000)
  return { queue, waiting, due, oldestDueAt, isLate: isLate(oldestDueAt, nowMs), isEstimate }
}

const stateOfNode = ({ silent_seconds }: NodeRow) =>
  silent_seconds > silentSeconds ? ('silent' as const) : ('live' as const)

/** What an organization sees of a process: not where it runs. */
export function presentNode(row: NodeRow) {
  return { roles: row.roles, version: row.version, startedAt: row.started_at, state: stateOfNode(row) }
}

export function presentOwnNode(row: NodeRow) {
  const { id, host, pid, version, runtime, roles, disks, started_at, heartbeat_at } = row
  const state = stateOfNode(row)
  return {
    nodeId: id,
    host,
    pid,
    version,
    runtime,
    roles,
    startedAt: started_at,
    lastSeenAt: heartbeat_at,
    state,
    disks,
  }
}

export function presentCarrier({ id, name, kind, enabled, links }: CarrierStatusRow, nowMs: number) {
  const now = links.map(link => ({ ...link, state: presentLinkState(link, nowMs) }))
  const state = carrierState(enabled, now)
  const troubled = now.find(link => link.state === 'down') ?? now[0]
  const isQuiet = state === 'up' || state === 'disabled'
  return {
    carrierId: id,
    name,
    kind,
    state,
    since: troubled === undefined || state === 'disabled' ? null : isoMs(Date.parse(troubled.since)),
    error: isQuiet ? null : (troubled?.error ?? null),
  }
}

export function presentTrunk(row: TrunkStatusRow, nowMs: number) {
  const reported =
    row.state === null || row.updated_at === null
      ? undefined
      : { state: row.state as TrunkState, updated_at: row.updated_at }
  const state = presentState(row.enabled, reported, nowMs)
  const isCurrent = state === row.state
  return {
    trunkId: row.id,
    name: row.name,
    kind: row.kind,
    state,
    since: isCurrent ? row.since : null,
    error: isCurrent ? row.last_error : null,
  }
}

export function presentStorage({ kind, files, bytes }: StorageRow) {
  return { kind, files, bytes, isMore: files >= countedFiles }
}

export function presentArchive({ window, lastBaseMs, waiting, waitingSinceMs }: ArchiveState) {
  const iso = (ms: number | undefined) => (ms === undefined ? null : isoMs(Math.floor(ms)))
  return {
    earliest: iso(window?.fromMs),
    latest: iso(window?.toMs),
    lastBaseBackupAt: iso(lastBaseMs),
    waiting,
    waitingSince: iso(waitingSinceMs),
  }
}
