// Batches over HTTP: how far a change of many records is, its end, and what takes it back.
import { Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import { emit } from '../../../kernel/data/events.ts'
import { type Endpoint, endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { cursorId, cutPage } from '../../../kernel/endpoint/page.ts'
import { requireRecord } from '../../../kernel/endpoint/record.ts'
import { Nullable, OneOf, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { endBatch } from '../../../kernel/noun/batch_run.ts'
import {
  type BatchOrigin,
  findBatch,
  findOrigin,
  insertBatch,
  listBatches,
  listFailures,
  presentBatch,
} from '../../../kernel/noun/batches.ts'
import { insertJob, recordQueue, removeJob } from '../../../kernel/noun/record_jobs.ts'
import { allTables, manyNamed, nounFaults, seesAllRows, tableNamed } from '../../../kernel/noun/registry.ts'
import { holdsRight } from '../../../kernel/noun/rights.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { isImporting } from '../imports/index.ts'

const BatchParams = Type.Object({ id: RecordId('bat', 'Identifier of the batch.') })
const params = { id: 'bat_01k9r7d3w2v8e6q4n5m1b0c9xz' }
const shownFailures = 1_000

const Batch = Type.Object({
  id: Type.String({ description: 'Identifier.' }),
  tenant_id: Type.Integer({ description: 'The tenant it belongs to: live and test are two.' }),
  noun: Type.String({ description: 'What its records are, such as companies.' }),
  source: OneOf(['bulk', 'revert'], { description: 'Whether it changes records, or takes a batch back.' }),
  state: OneOf(['running', 'completed', 'canceled', 'failed'], { description: 'How far it is.' }),
  user_id: Type.Integer({ description: 'Who began it, for whom it runs.' }),
  action: Nullable(
    OneOf(['delete', 'restore'], { description: 'Whether it moves records to the trash, or out of it; else null.' }),
  ),
  fields: Type.Array(Type.String(), { description: 'The fields that it sets.' }),
  reverts: Nullable(Type.String({ description: 'The batch that is taken back.' })),
  reverted_by: Nullable(Type.String({ description: 'The last batch that takes this one back; null while none does.' })),
  total: Type.Integer({ description: 'How many records are meant.' }),
  changed: Type.Integer({ description: 'How many were changed so far.' }),
  unchanged: Type.Integer({ description: 'How many were as they are to be already.' }),
  failed: Type.Integer({ description: 'How many could not be changed.' }),
  failures: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.String({ description: 'The record that is as it was.' }),
        code: Type.String({ description: 'Code of the problem.' }),
        message: Type.String({ description: 'Why, and what to do.' }),
      }),
      { description: `Records that could not be changed, the first ${shownFailures} in the order of their ids.` },
    ),
  ),
  problem: Nullable(Type.String({ description: 'Why it failed, and what to do.' })),
  created_at: Timestamp,
  finished_at: Nullable(Timestamp),
})

const sample = {
  id: params.id,
  tenant_id: 1,
  noun: 'companies',
  source: 'bulk' as const,
  state: 'completed' as const,
  user_id: 1,
  action: null,
  fields: ['industry'],
  reverts: null,
  reverted_by: null,
  total: 2_500,
  changed: 2_500,
  unchanged: 0,
  failed: 0,
  failures: [],
  problem: null,
  created_at: '2026-11-21T08:44:00.123Z',
  finished_at: '2026-11-21T08:44:02.456Z',
}

const every = { version: 'v1', category: 'CRM', envelope: 'success' } as const
const common = { ...every, params: BatchParams } as const
const reply = Type.Object({ batch: Batch })

/** An Admin and a Sales Manager see the batches of all. */
const whose = (principal: Principal) =>
  ['Admin', 'Sales Manager'].includes(principal.role) && seesAllRows(principal) ? undefined : principal.userId

const list = endpoint({
  ...every,
  id: 'batches.list',
  method: 'GET',
  path: '/api/batches',
  name: 'List batches',
  description: 'The newest first: own ones; an Admin and a Sales Manager see those of all.',
  permission: 'batches:read',
  query: Type.Object({
    noun: Type.Optional(
      Type.String({ maxLength: 100, description: 'Only those of these records, such as companies.' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'How many, 1 to 200.' })),
    cursor: Type.Optional(Type.String({ maxLength: 500, description: 'The `nextCursor` of the last answer.' })),
  }),
  check: ({ query }) => nounFaults(query['noun'], allTables()),
  reply: Type.Object({
    batches: Type.Array(Batch),
    pagination: Type.Object({
      limit: Type.Integer({ description: 'The limit used.' }),
      nextCursor: Type.Union([Type.String(), Type.Null()], {
        description: 'Cursor of the next page; null on the last.',
      }),
    }),
  }),
  sample: { reply: { batches: [sample], pagination: { limit: 50, nextCursor: null } } },
  async handle({ tx, query, principal }) {
    const { noun: many, limit = 50, cursor } = query
    const noun = many === undefined ? undefined : manyNamed(many).spec.names[0]
    const listed = { list: 'batches', noun: many }
    const behind = cursorId('bat', cursor, listed)
    const rows = await listBatches(tx, principal, { noun, userId: whose(principal), behind, limit: limit + 1 })
    const page = cutPage(rows, limit, row => [row.id], listed)
    const batches = page.rows.map(row => presentBatch(principal.tenantId, row))
    return { batches, pagination: { limit, nextCursor: page.nextCursor } }
  },
})

const get = endpoint({
  ...common,
  id: 'batches.get',
  method: 'GET',
  path: '/api/batches/{id}',
  name: 'Get a batch',
  description:
    'How far a change of many records is, and which of them could not be changed. Of an import, the import says so.',
  permission: 'batches:read',
  reply,
  problems: ['not_found'],
  sample: { params, reply: { batch: sample } },
  async handle({ tx, params: { id }, principal }) {
    const row = requireRecord(await findBatch(tx, principal, id, { userId: whose(principal) }))
    const failures = await listFailures(tx, principal, id, '', shownFailures)
    return { batch: { ...presentBatch(principal.tenantId, row), failures } }
  },
})

const cancel = endpoint({
  ...common,
  id: 'batches.cancel',
  method: 'POST',
  path: '/api/batches/{id}/cancel',
  name: 'Cancel a batch',
  description:
    'Ends a change of many records that runs in the background: records that are changed stay so, and can be taken back.',
  permission: 'batches:revert',
  audit: 'batch.canceled',
  reply,
  problems: ['not_found', 'batch_over'],
  sample: { params, reply: { batch: { ...sample, state: 'canceled', changed: 500 } } },
  async handle({ tx, params: { id }, principal, now }) {
    // Its job is locked first, as a worker does it.
    await removeJob(tx, principal, id)
    const row = requireRecord(await findBatch(tx, principal, id, { userId: whose(principal), locked: true }))
    if (row.state !== 'running') throw new Problem('batch_over')
    const ended = await endBatch(tx, principal, row, { state: 'canceled', problem: null }, now)
    return { batch: presentBatch(principal.tenantId, ended) }
  },
})

const revert = endpoint({
  ...common,
  id: 'batches.revert',
  method: 'POST',
  path: '/api/batches/{id}/revert',
  name: 'Start to revert a batch',
  description:
    'Takes back what an import, a change of many records, or a revert did: records that it created go to the trash, and those that it changed get the values from before, where nobody changed them since; the others are listed in `failures` of the batch that this answers. Goes on in the background; the event batch.completed reports its end.',
  permission: 'batches:revert',
  audit: 'batch.reverted',
  status: 201,
  reply,
  problems: ['not_found', 'batch_not_revertible'],
  sample: {
    params,
    reply: {
      batch: {
        ...sample,
        source: 'revert',
        state: 'running',
        fields: [],
        reverts: params.id,
        changed: 0,
        finished_at: null,
      },
    },
  },
  async handle({ tx, params: { id }, principal, now, services, afterCommit }) {
    const origin = requireRecord(await findOrigin(tx, principal, id))
    const batch = await findBatch(tx, principal, id)
    const isAtWork = batch?.state === 'running' || (await isImporting(tx, principal, id))
    if (origin.source === 'merge' || isAtWork) throw new Problem('batch_not_revertible')
    requireRights(principal, origin)
    const made = {
      id: newId('bat', now),
      created_at: isoMs(now),
      noun: origin.noun,
      source: 'revert',
      work: null,
      reverts: id,
    } as const
    const row = await insertBatch(tx, principal, { ...made, total: origin.total })
    await insertJob(tx, principal, { id: row.id, kind: 'revert' })
    const shown = presentBatch(principal.tenantId, row)
    await emit(tx, principal, { type: 'batch.started', resourceId: row.id, data: shown })
    afterCommit(() => services.wake(recordQueue))
    return { batch: shown }
  },
})

/** @throws Problem `not_found` for records that one may not read, or `insufficient_role` */
function requireRights(principal: Principal, { noun, hasCreated }: BatchOrigin): void {
  const [, many] = tableNamed(noun).spec.names
  if (!holdsRight(principal, many, 'read')) throw new Problem('not_found')
  const needed = hasCreated ? (['update', 'delete'] as const) : (['update'] as const)
  const missing = needed.filter(right => !holdsRight(principal, many, right))
  if (missing.length > 0)
    throw new Problem('insufficient_role', {
      message: `Taking this back needs ${missing.map(right => `the permission ${many}:${right}`).join(' and ')}. Ask somebody who holds it.`,
    })
}

export const endpoints: readonly Endpoint[] = [list, get, cancel, revert]
