// What is a finding, and how bad it is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveLateMs } from '../../kernel/backup/continuous/archive_state.ts'
import {
  archiveFindings,
  archiveLateSeconds,
  backupFindings,
  databaseFindings,
  isLate,
  linkFindings,
  nodeFindings,
  overall,
  receiverFindings,
} from './rules.ts'

const codes = (findings: readonly { code: string }[]) => findings.map(({ code }) => code)

test('the worst finding says how it is', () => {
  const one = (severity: 'warning' | 'failing') => ({ code: 'disk_low', severity, id: null, subject: null }) as const
  assert.equal(overall([]), 'ok')
  assert.equal(overall([one('warning')]), 'warning')
  assert.equal(overall([one('warning'), one('failing'), one('warning')]), 'failing')
})

test('two minutes after it was due a job is late', () => {
  const nowMs = Date.parse('2026-11-21T08:44:00.000Z')
  assert.ok(!isLate(null, nowMs))
  assert.ok(!isLate('2026-11-21T08:42:00.000Z', nowMs))
  assert.ok(isLate('2026-11-21T08:41:59.000Z', nowMs))
})

test('carriers and trunks: what is switched off or begins is no fault', () => {
  const named = (state: string) => ({ id: 'x', name: 'X', state })
  for (const state of ['up', 'disabled', 'connecting', 'registering'])
    assert.deepEqual(linkFindings([named(state)], [named(state)]), [])
  assert.deepEqual(codes(linkFindings([named('down'), named('degraded'), named('throttled')], [])), [
    'carrier_down',
    'carrier_degraded',
    'carrier_degraded',
  ])
  assert.deepEqual(codes(linkFindings([], [named('down'), named('unregistered'), named('unknown')])), [
    'trunk_down',
    'trunk_down',
    'trunk_down',
  ])
})

test('a webhook that somebody switched off is as it should be', () => {
  const webhook = (disabledReason: string | null) => ({ id: 'w', url: 'https://a.example', disabledReason })
  const found = receiverFindings([webhook('request'), webhook(null), webhook('gone')], [{ id: 'm', name: 'Sales' }])
  assert.deepEqual(codes(found), ['webhook_failing', 'webhook_disabled', 'mailbox_failing'])
})

test('one disk that fills is one finding of its node; a silent node is not asked for its disks', () => {
  const disk = { folder: 'data', freeBytes: 9, sizeBytes: 100 }
  const node = {
    id: 'n',
    host: 'one',
    version: '1',
    state: 'live' as const,
    disks: [disk, { ...disk, folder: 'recordings' }],
  }
  assert.deepEqual(codes(nodeFindings([node])), ['disk_low'])
  assert.deepEqual(codes(nodeFindings([{ ...node, state: 'silent' }])), ['node_silent'])
  assert.deepEqual(
    codes(
      nodeFindings([
        { ...node, disks: [] },
        { ...node, disks: [], version: '2' },
      ]),
    ),
    ['versions_differ'],
  )
})

test('a database near its limits, or that may lose what was acknowledged', () => {
  const well = { connections: 10, maxConnections: 100, transactionAge: 1_000 }
  assert.deepEqual(databaseFindings(well, [{ name: 'fsync', value: 'on' }]), [])
  assert.deepEqual(
    codes(
      databaseFindings({ ...well, connections: 95, transactionAge: 1_500_000_000 }, [{ name: 'fsync', value: 'off' }]),
    ),
    ['connections_high', 'transactions_old', 'setting_unsafe'],
  )
})

test('a backup is old after a day and a half; where none is made nothing is said', () => {
  const nowMs = 1_000 * 3_600_000
  assert.deepEqual(backupFindings(undefined, nowMs), [])
  assert.deepEqual(backupFindings(nowMs - 36 * 3_600_000, nowMs), [])
  assert.deepEqual(codes(backupFindings(nowMs - 37 * 3_600_000, nowMs)), ['backup_old'])
})

test('archived WAL: what waits too long, no base backup yet, an old one', () => {
  const nowMs = 1_000 * 3_600_000
  const window = { fromMs: nowMs - 3_600_000, toMs: nowMs }
  const well = { waitingSinceMs: undefined, lastBaseMs: nowMs - 36 * 3_600_000, window }
  assert.deepEqual(archiveFindings(undefined, nowMs), [])
  assert.deepEqual(archiveFindings(well, nowMs), [])
  assert.deepEqual(archiveFindings({ ...well, waitingSinceMs: nowMs - 300_000 }, nowMs), [])
  assert.deepEqual(codes(archiveFindings({ ...well, waitingSinceMs: nowMs - 301_000 }, nowMs)), ['wal_not_archived'])
  assert.deepEqual(codes(archiveFindings({ ...well, window: undefined }, nowMs)), ['base_backup_old'])
  assert.deepEqual(codes(archiveFindings({ ...well, lastBaseMs: nowMs - 37 * 3_600_000 }, nowMs)), ['base_backup_old'])
  assert.equal(archiveLateSeconds * 1_000, archiveLateMs, 'the log and the status page mean the same')
})
