// What the documents show as answers of the status endpoints.
import type { Static } from 'typebox'
import type { OperatorStatus, Status } from './schemas.ts'

const at = '2026-11-21T08:44:00.123Z'

const queue = {
  queue: 'messages',
  waiting: 12,
  due: 2,
  oldestDueAt: '2026-11-21T08:43:58.000Z',
  isLate: false,
  isEstimate: false,
}

export const sampleStatus: Static<typeof Status> = {
  checkedAt: at,
  state: 'failing',
  findings: [
    { code: 'carrier_down', severity: 'failing', id: 'car_01k9r7d3w2v8e6q4n5m1b0c9xz', subject: 'Example Telecom' },
  ],
  version: '0.1.0',
  nodes: [{ roles: ['api', 'worker'], version: '0.1.0', startedAt: '2026-11-20T06:00:00.000Z', state: 'live' }],
  queues: [queue],
  carriers: [
    {
      carrierId: 'car_01k9r7d3w2v8e6q4n5m1b0c9xz',
      name: 'Example Telecom',
      kind: 'smpp',
      state: 'down',
      since: '2026-11-21T08:40:00.000Z',
      error: 'The carrier refused the password.',
    },
  ],
  trunks: [],
  webhooks: { enabled: 1, troubled: [] },
  mail: { transports: [], mailboxes: [] },
  storage: [{ kind: 'recordings', files: 3, bytes: 1_920_000, isMore: false }],
}

export const sampleOperatorStatus: Static<typeof OperatorStatus> = {
  checkedAt: at,
  state: 'ok',
  findings: [],
  nodes: [
    {
      nodeId: 'node_01k9r7d3w2v8e6q4n5m1b0c9xz',
      host: 'tandem-1',
      pid: 4711,
      version: '0.1.0',
      runtime: '26.10.0',
      roles: ['api', 'worker'],
      startedAt: '2026-11-20T06:00:00.000Z',
      lastSeenAt: at,
      state: 'live',
      disks: [{ folder: 'data', freeBytes: 52_000_000_000, sizeBytes: 80_000_000_000 }],
    },
  ],
  queues: [queue],
  links: [{ noun: 'carrier', kind: 'smpp', state: 'up', links: 2 }],
  downLinks: [],
  calls: [{ engine: 'sip', calls: 4 }],
  database: {
    version: '18.1',
    schema: '0065_erased_again',
    sizeBytes: 734_003_200,
    connections: 14,
    maxConnections: 100,
    transactionAge: 1_204_118,
    deadlocks: 0,
    cacheHitShare: 0.998,
    settings: [{ name: 'shared_buffers', value: '128MB' }],
  },
  backup: null,
  archive: {
    earliest: '2026-11-20T02:10:31.402Z',
    latest: '2026-11-21T08:43:31.118Z',
    lastBaseBackupAt: '2026-11-21T02:11:02.730Z',
    waiting: 0,
    waitingSince: null,
  },
}
