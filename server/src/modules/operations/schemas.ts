// What the status endpoints answer.
import { Type } from 'typebox'
import { Nullable, OneOf, Timestamp } from '../../kernel/endpoint/schema.ts'
import { carrierStates } from '../messaging/carriers/index.ts'
import { findingCodes, severities } from './rules.ts'

const Count = (description: string) => Type.Integer({ minimum: 0, description })
const Bytes = (description: string) => Type.Integer({ minimum: 0, description })

const State = OneOf(['ok', ...severities], {
  description: 'The worst of the findings: ok, warning (look at it soon), failing (something does not work now).',
})

const Findings = Type.Array(
  Type.Object({
    code: OneOf(findingCodes),
    severity: OneOf(severities),
    id: Nullable(Type.String({ description: 'What it is about: the id of a carrier, the name of a queue, …' })),
    subject: Nullable(Type.String({ description: 'Its name for people.' })),
  }),
  { description: 'What asks for somebody, the most general first.' },
)

const Queues = Type.Array(
  Type.Object({
    queue: Type.String({ description: 'messages, mails, webhooks, calls, recordings, imports.' }),
    waiting: Count('What waits, later work included.'),
    due: Count('What is due and not done yet.'),
    oldestDueAt: Nullable({ ...Timestamp, description: 'Since when the oldest of it is due.' }),
    isLate: Type.Boolean({ description: 'Due for more than two minutes.' }),
    isEstimate: Type.Boolean({ description: 'More than 10,000 rows: counts are estimated.' }),
  }),
)

const Trunk = OneOf(['up', 'down', 'registering', 'unregistered', 'disabled', 'unknown'])
const nodeState = OneOf(['live', 'silent'], {
  description:
    'Silent: no sign of life for 45 seconds, without having ended in order. It was killed, or its machine is away.',
})

export const Status = Type.Object({
  checkedAt: Timestamp,
  state: State,
  findings: Findings,
  version: Type.String({ description: 'That of the server that answers.' }),
  nodes: Type.Array(
    Type.Object({
      roles: Type.Array(Type.String()),
      version: Type.String(),
      startedAt: Timestamp,
      state: nodeState,
    }),
    { description: 'Processes of the server.' },
  ),
  queues: Queues,
  carriers: Type.Array(
    Type.Object({
      carrierId: Type.String(),
      name: Type.String(),
      kind: Type.String(),
      state: OneOf(carrierStates),
      since: Nullable(Timestamp),
      error: Nullable(Type.String({ description: 'Why it is not up.' })),
    }),
  ),
  trunks: Type.Array(
    Type.Object({
      trunkId: Type.String(),
      name: Type.String(),
      kind: Type.String(),
      state: Trunk,
      since: Nullable(Timestamp),
      error: Nullable(Type.String({ description: 'Why it is not up.' })),
    }),
  ),
  webhooks: Type.Object({
    enabled: Count('How many are switched on.'),
    troubled: Type.Array(
      Type.Object({
        webhookId: Type.String(),
        url: Type.String(),
        disabledReason: Nullable(
          OneOf(['request', 'gone', 'failing'], { description: 'Why it is switched off; null while it is on.' }),
        ),
        failingSince: Nullable(Timestamp),
        error: Nullable(Type.String()),
      }),
      { description: 'Those that fail, or are switched off.' },
    ),
  }),
  mail: Type.Object({
    transports: Type.Array(
      Type.Object({
        transportId: Type.String(),
        name: Type.String(),
        kind: Type.String(),
        enabled: Type.Boolean(),
        isDefault: Type.Boolean(),
      }),
    ),
    mailboxes: Type.Array(
      Type.Object({
        mailboxId: Type.String(),
        name: Type.String(),
        status: OneOf(['waiting', 'reading', 'failing']),
        fault: Nullable(Type.String()),
      }),
    ),
  }),
  storage: Type.Array(
    Type.Object({
      kind: OneOf(['recordings', 'attachments']),
      files: Count('How many files.'),
      bytes: Bytes('Their size.'),
      isMore: Type.Boolean({ description: 'Only 20,000 files were counted; there are more.' }),
    }),
  ),
})

export const OperatorStatus = Type.Object({
  checkedAt: Timestamp,
  state: State,
  findings: Findings,
  nodes: Type.Array(
    Type.Object({
      nodeId: Type.String(),
      host: Type.String(),
      pid: Type.Integer(),
      version: Type.String(),
      runtime: Type.String({ description: 'That of Node.js.' }),
      roles: Type.Array(Type.String()),
      startedAt: Timestamp,
      lastSeenAt: Timestamp,
      state: nodeState,
      disks: Type.Array(
        Type.Object({
          folder: Type.String({ description: 'What is there: data, recordings, wal_archive.' }),
          freeBytes: Bytes('Room that is left.'),
          sizeBytes: Bytes('Size of the disk.'),
        }),
      ),
    }),
    { description: 'Processes of the server; one that was killed is listed for a day.' },
  ),
  queues: Queues,
  links: Type.Array(
    Type.Object({
      noun: OneOf(['carrier', 'trunk']),
      kind: Type.String(),
      state: Type.String(),
      links: Count('How many links of carriers, or trunks.'),
    }),
    { description: 'Links of carriers and trunks that are switched on, of all organizations.' },
  ),
  downLinks: Type.Array(
    Type.Object({
      noun: OneOf(['carrier', 'trunk']),
      id: Type.String(),
      organizationId: Type.Integer(),
      mode: OneOf(['live', 'test']),
      state: Type.String(),
      since: Nullable(Timestamp),
    }),
    { description: 'Those that are down, 100 at most, the longest first.' },
  ),
  calls: Type.Array(Type.Object({ engine: Type.String(), calls: Count('Calls under way.') })),
  database: Type.Object({
    version: Type.String(),
    schema: Type.String({ description: 'The newest migration.' }),
    sizeBytes: Bytes('On disk.'),
    connections: Count('Open, of all programs.'),
    maxConnections: Type.Integer(),
    transactionAge: Count('Of the oldest row, in transactions: near two thousand million PostgreSQL takes no writes.'),
    deadlocks: Count('Since the statistics were reset.'),
    cacheHitShare: Nullable(Type.Number({ description: 'Share of blocks that were found in memory, 0 to 1.' })),
    settings: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  }),
  backup: Nullable(
    Type.Object(
      { finishedAt: Timestamp, sizeBytes: Nullable(Type.Integer()) },
      { description: 'The last one that succeeded; null where none is known of.' },
    ),
  ),
  archive: Nullable(
    Type.Object(
      {
        earliest: Nullable(Timestamp),
        latest: Nullable(Timestamp),
        lastBaseBackupAt: Nullable(Timestamp),
        waiting: Count('Segments that are finished and not archived.'),
        waitingSince: Nullable(Timestamp),
      },
      {
        description:
          'Archived WAL of the embedded database: the moments that it can be restored to, and what waits. Null where none is archived.',
      },
    ),
  ),
})
