// What asks for somebody, of all that the status pages show. Pure.
import type { ArchiveState } from '../../kernel/backup/continuous/archive_state.ts'

/** How bad it is: look at it soon, or something does not work now. */
export const severities = ['warning', 'failing'] as const
export type Severity = (typeof severities)[number]

export const findingCodes = [
  'queue_late',
  'carrier_down',
  'carrier_degraded',
  'trunk_down',
  'webhook_failing',
  'webhook_disabled',
  'mailbox_failing',
  'node_silent',
  'versions_differ',
  'disk_low',
  'connections_high',
  'transactions_old',
  'setting_unsafe',
  'backup_old',
  'wal_not_archived',
  'base_backup_old',
  'sending_held',
] as const
export type FindingCode = (typeof findingCodes)[number]

/** `id` names what it is about, such as a carrier or a queue; `subject` is its name for people. */
export type Finding = { code: FindingCode; severity: Severity; id: string | null; subject: string | null }

/** What is due for longer is late. The alert rules of docs/examples/prometheus have the same figures. */
export const lateSeconds = 120
export const silentSeconds = 45
const lowDiskShare = 0.1
const fullConnectionsShare = 0.9
const oldTransactions = 1_000_000_000
const oldBackupMs = 36 * 3_600_000
/** PostgreSQL finishes a segment a minute, and tries one that failed again after a minute. */
export const archiveLateSeconds = 300

const finding = (code: FindingCode, severity: Severity, id: string | null, subject: string | null = id): Finding => ({
  code,
  severity,
  id,
  subject,
})

export function isLate(oldestDueAt: string | null, nowMs: number): boolean {
  return oldestDueAt !== null && nowMs - Date.parse(oldestDueAt) > lateSeconds * 1_000
}

/** The worst there is. */
export function overall(findings: readonly Finding[]): 'ok' | Severity {
  if (findings.some(({ severity }) => severity === 'failing')) return 'failing'
  return findings.length > 0 ? 'warning' : 'ok'
}

/** Where nothing is sent until an operator says so, after a restore or by hand, that is the first to know. */
export function holdFindings(isHeld: boolean): Finding[] {
  return isHeld ? [finding('sending_held', 'failing', null)] : []
}

export function queueFindings(queues: readonly { queue: string; isLate: boolean }[]): Finding[] {
  return queues.filter(one => one.isLate).map(({ queue }) => finding('queue_late', 'failing', queue))
}

type Named = { id: string; name: string; state: string }

export function linkFindings(carriers: readonly Named[], trunks: readonly Named[]): Finding[] {
  return [
    ...carriers.flatMap(({ id, name, state }) => {
      if (state === 'down') return [finding('carrier_down', 'failing', id, name)]
      return state === 'degraded' || state === 'throttled' ? [finding('carrier_degraded', 'warning', id, name)] : []
    }),
    ...trunks
      .filter(({ state }) => state === 'down' || state === 'unregistered' || state === 'unknown')
      .map(({ id, name }) => finding('trunk_down', 'failing', id, name)),
  ]
}

export function receiverFindings(
  webhooks: readonly { id: string; url: string; disabledReason: string | null }[],
  mailboxes: readonly { id: string; name: string }[],
): Finding[] {
  return [
    // What somebody switched off is as it should be.
    ...webhooks.flatMap(({ id, url, disabledReason }) => {
      if (disabledReason === 'request') return []
      return [finding(disabledReason === null ? 'webhook_failing' : 'webhook_disabled', 'warning', id, url)]
    }),
    ...mailboxes.map(({ id, name }) => finding('mailbox_failing', 'warning', id, name)),
  ]
}

export type NodeState = {
  id: string
  host: string
  version: string
  state: 'live' | 'silent'
  disks: readonly { folder: string; freeBytes: number; sizeBytes: number }[]
}

export function nodeFindings(nodes: readonly NodeState[]): Finding[] {
  const live = nodes.filter(({ state }) => state === 'live')
  return [
    ...nodes
      .filter(({ state }) => state === 'silent')
      .map(({ id, host }) => finding('node_silent', 'warning', id, host)),
    ...(new Set(live.map(({ version }) => version)).size > 1 ? [finding('versions_differ', 'warning', null)] : []),
    ...live.flatMap(({ id, host, disks }) =>
      disks
        .filter(({ freeBytes, sizeBytes }) => sizeBytes > 0 && freeBytes / sizeBytes < lowDiskShare)
        .slice(0, 1)
        .map(() => finding('disk_low', 'failing', id, host)),
    ),
  ]
}

type Setting = { name: string; value: string }

/** With these off, what was acknowledged may be lost when the machine loses its power. */
const durable = ['fsync', 'full_page_writes', 'synchronous_commit']

export function databaseFindings(
  {
    connections,
    maxConnections,
    transactionAge,
  }: Readonly<Record<'connections' | 'maxConnections' | 'transactionAge', number>>,
  settings: readonly Setting[],
): Finding[] {
  return [
    ...(connections / maxConnections > fullConnectionsShare ? [finding('connections_high', 'warning', null)] : []),
    ...(transactionAge > oldTransactions ? [finding('transactions_old', 'warning', null)] : []),
    ...settings
      .filter(({ name, value }) => durable.includes(name) && value === 'off')
      .map(({ name }) => finding('setting_unsafe', 'failing', name)),
  ]
}

/** Where backups are made, the last one that succeeded must not be older than a day and a half. */
export function backupFindings(finishedAtMs: number | undefined, nowMs: number): Finding[] {
  return finishedAtMs !== undefined && nowMs - finishedAtMs > oldBackupMs
    ? [finding('backup_old', 'failing', null)]
    : []
}

/** Where WAL is archived, none must wait for long, and there must be a base backup that is not too old. */
export function archiveFindings(
  archive: Pick<ArchiveState, 'waitingSinceMs' | 'lastBaseMs' | 'window'> | undefined,
  nowMs: number,
): Finding[] {
  if (archive === undefined) return []
  const { waitingSinceMs, lastBaseMs, window } = archive
  const isLate = waitingSinceMs !== undefined && nowMs - waitingSinceMs > archiveLateSeconds * 1_000
  const isOld = window === undefined || lastBaseMs === undefined || nowMs - lastBaseMs > oldBackupMs
  return [
    ...(isLate ? [finding('wal_not_archived', 'failing', null)] : []),
    ...(isOld ? [finding('base_backup_old', 'failing', null)] : []),
  ]
}
