// Changing many records of a noun at once: those that are named, or all that a filter finds. Few are changed by the request itself, many
// in the background, as a batch.
import { type TObject, Type } from 'typebox'
import type { Principal } from '../access/principal.ts'
import type { Tx } from '../data/db.ts'
import { emit } from '../data/events.ts'
import { type Endpoint, endpoint } from '../endpoint/endpoint.ts'
import { IntegerId, OneOf } from '../endpoint/schema.ts'
import { isoMs } from '../values/clock.ts'
import { newId } from '../values/ids.ts'
import type { EventType } from '../values/noun.ts'
import { type FieldFault, faultMessage, invalid, Problem } from '../values/problem.ts'
import {
  type BatchFailure,
  type BatchWork,
  changeBatch,
  insertBatch,
  insertBatchRecords,
  insertFailures,
  presentBatch,
} from './batches.ts'
import { decideChange, decideTrash } from './decide.ts'
import { findRefused, lockKeys, matchKeys } from './duplicates.ts'
import type { NounRecord } from './field.ts'
import { requireHostRight } from './hosts.ts'
import { listRecords } from './lists.ts'
import { lockMany } from './locks.ts'
import { factsFrom, factsOf, holdNamed } from './named.ts'
import type { Names } from './noun_names.ts'
import { idSchema, idsOf, ownIdOf, recordIdOf } from './record_ids.ts'
import { insertJob, recordQueue } from './record_jobs.ts'
import { readBody } from './records.ts'
import type { NounTable } from './registry.ts'
import { requireRight } from './rights.ts'
import { listQuerySchema, patchSchema } from './schemas.ts'
import { maxFound } from './search.ts'
import { searchFaults } from './search_text.ts'
import type { AnySpec, Facts } from './spec.ts'
import { askedOf, type ListQuery, readingOf, requireTrash } from './verbs_read.ts'
import { matching, modeOf } from './verbs_write.ts'
import { type Origin, type Write, writeRecords } from './write.ts'

/** Of one transaction; more are changed by several. */
export const maxAtOnce = 1_000
const maxByFilter = 100_000

type BulkBody = BatchWork & { ids?: (string | number)[]; filter?: ListQuery; expect?: number }
/** Records that are named, and what is done to each. */
type Given = BatchWork & { ids: readonly string[] }

const bulkReply = ({ prefix }: AnySpec) =>
  Type.Object({
    batch_id: Type.String({ description: 'Names this change in the history of each record, and takes it back.' }),
    state: OneOf(['completed', 'running'], {
      description: `running while more than ${maxAtOnce} records are changed in the background: the batch says how far it is.`,
    }),
    total: Type.Integer({ description: 'How many records are meant.' }),
    changed: Type.Integer({ description: 'How many records were changed.' }),
    unchanged: Type.Integer({ description: 'How many are as they were asked to be already.' }),
    failed: Type.Array(
      Type.Object({
        id: prefix === undefined ? IntegerId : Type.String({ description: 'The record that is as it was.' }),
        code: Type.String({ description: 'Code of the problem.' }),
        message: Type.String({ description: 'What is wrong with the change of this one.' }),
      }),
      { description: 'Records that could not be changed; all others were.' },
    ),
  })

export function bulkEndpoint(noun: NounTable, names: Names): Endpoint {
  const { spec } = noun
  const { problems: _, ...headers } = matching(spec)
  return endpoint({
    ...names.common,
    ...headers,
    id: names.id('bulk'),
    method: 'POST',
    path: `${names.path}/bulk`,
    name: `Update many ${names.manyWords}`,
    description: `Sets fields of up to ${maxAtOnce} records, or moves them to the trash or out of it (which needs the permission ${spec.names[1]}:delete). What cannot be changed is listed with its reason; all others are changed, in one transaction. With \`filter\` instead of ids it is done to all that the list finds, up to ${maxByFilter}: beyond ${maxAtOnce} in the background, as a batch. Each record writes its event.`,
    permission: names.permission('update'),
    audit: `${spec.names[0]}.bulk_changed`,
    bodyLimit: 256 * 1024,
    body: Type.Object({
      ids: Type.Optional(
        Type.Array(idSchema(spec, 'Identifier.'), {
          minItems: 1,
          maxItems: maxAtOnce,
          description: 'Which records.',
        }),
      ),
      filter: Type.Optional(filterSchema(spec)),
      expect: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: maxByFilter,
          description: 'With filter: how many records it is to find. Nothing is done when there are more or fewer.',
        }),
      ),
      set: Type.Optional({
        ...patchSchema(spec),
        minProperties: 1,
        description: 'The fields to set; null empties one.',
      }),
      action: Type.Optional(OneOf(['delete', 'restore'], { description: 'Instead of setting fields.' })),
    }),
    reply: bulkReply(spec),
    check: ({ body }) => {
      const { set, action, ids, filter, expect } = body as BulkBody
      const faults: FieldFault[] = [...searchFaults(filter?.q)]
      const required = (field: string, message: string) => faults.push({ field, code: 'required', message })
      if ((set === undefined) === (action === undefined)) required('set', 'or action is required, and not both')
      if ((ids === undefined) === (filter === undefined)) required('ids', 'or filter is required, and not both')
      if ((filter === undefined) !== (expect === undefined))
        required('expect', 'is required with filter, and with nothing else')
      return faults
    },
    problems: ['insufficient_role', 'count_mismatch'],
    sample: {
      body: { ids: [names.sampleId], action: 'delete' },
      reply: {
        batch_id: 'bat_01k9r7d3w2v8e6q4n5m1b0c9xz',
        state: 'completed',
        total: 1,
        changed: 1,
        unchanged: 0,
        failed: [],
      },
    },
    async handle({ tx, body, principal, now, services, header, afterCommit }) {
      const { ids: named, filter, expect, ...asked } = body as BulkBody
      const mode = header('x-duplicate-mode')
      const work: BatchWork = { ...asked, ...(mode !== undefined && { duplicates: modeOf(spec, principal, mode) }) }
      const ids = named?.map(id => recordIdOf(idsOf(spec), id))
      if (work.action !== undefined) requireRight(principal, spec.names[1], 'delete')
      const found = ids ?? (await findAll(tx, principal, noun, filter!, expect!))
      if (found.length <= maxAtOnce) return changeMany(tx, principal, noun, { ids: found, ...work }, now)
      afterCommit(() => services.wake(recordQueue))
      return beginBatch(tx, principal, noun, { ids: found, ...work }, now)
    },
  })
}

function filterSchema(spec: AnySpec): TObject {
  const {
    page: _,
    limit: _l,
    cursor: _c,
    sort: _s,
    fields: _f,
    include: _i,
    ...filters
  } = listQuerySchema(spec).properties
  return Type.Object(filters, {
    description: 'All records that the list finds with these parameters; none for all there are.',
  })
}

/** The ids of all that a filter finds. @throws Problem `count_mismatch`, or `validation_failed` for too many */
async function findAll(
  tx: Tx,
  principal: Principal,
  noun: NounTable,
  filter: ListQuery,
  expect: number,
): Promise<string[]> {
  if (filter.deleted === true) requireTrash(principal, noun.spec.names[1])
  const { asked } = askedOf(principal, noun, filter, { names: new Set(), limit: maxByFilter, offset: 0 })
  // What is only spelled like the text was not meant.
  const found = await listRecords(tx, { ...asked, isRough: asked.text === undefined ? undefined : false })
  const { rows } = found
  const isCut = asked.text !== undefined && !found.isExact
  if (isCut)
    throw invalid({
      field: 'filter.q',
      code: 'too_many',
      message: `finds more than ${maxFound} records, and a search is counted no further, so that nobody could expect how many are changed. Search for more words, or leave q out and filter by fields`,
    })
  if (rows.length > maxByFilter)
    throw invalid({
      field: 'filter',
      code: 'too_many',
      message: `finds more than ${maxByFilter} records: add conditions`,
    })
  if (rows.length === expect) return rows.map(({ id }) => recordIdOf(idsOf(noun.spec), id))
  throw new Problem('count_mismatch', {
    message: `The filter finds ${rows.length} records, and ${expect} were expected: some came or went since they were counted. List them again, and send the new count.`,
  })
}

/** Leaves the rest to a job. */
async function beginBatch(tx: Tx, principal: Principal, noun: NounTable, { ids, ...work }: Given, nowMs: number) {
  const values = work.set === undefined ? {} : readBody(noun.spec, work.set, readingOf(principal))
  await factsOf(tx, principal, noun, values)
  const [one] = noun.spec.names
  const made = {
    id: newId('bat', nowMs),
    created_at: isoMs(nowMs),
    noun: one,
    source: 'bulk',
    work,
    reverts: null,
  } as const
  const batch = await insertBatch(tx, principal, { ...made, total: ids.length })
  await insertBatchRecords(tx, principal, batch.id, ids)
  await insertJob(tx, principal, { id: batch.id, kind: 'change' })
  const data = presentBatch(principal.tenantId, batch)
  await emit(tx, principal, { type: 'batch.started' as EventType, resourceId: batch.id, data })
  return { batch_id: batch.id, state: 'running' as const, total: ids.length, changed: 0, unchanged: 0, failed: [] }
}

async function changeMany(tx: Tx, principal: Principal, noun: NounTable, given: Given, nowMs: number) {
  const ids = [...new Set(given.ids)]
  const [batchId, created_at] = [newId('bat', nowMs), isoMs(nowMs)]
  const { set, action, duplicates } = given
  const work = { ...(set && { set }), ...(action && { action }), ...(duplicates && { duplicates }) }
  const made = { id: batchId, created_at, noun: noun.spec.names[0], source: 'bulk', work, reverts: null } as const
  const batch = await insertBatch(tx, principal, { ...made, total: ids.length })
  const origin = { source: 'bulk', batchId, nowMs } as const
  const { changed, unchanged, failed } = await changeGiven(tx, principal, noun, { ...work, ids }, origin)
  await insertFailures(tx, principal, batchId, failed)
  const counts = { changed, unchanged, failed: failed.length }
  await changeBatch(tx, principal, batch, { ...counts, state: 'completed', finished_at: created_at })
  return {
    batch_id: batchId,
    state: 'completed' as const,
    total: ids.length,
    changed,
    unchanged,
    failed: failed.map(failure => ({ ...failure, id: ownIdOf(idsOf(noun.spec), failure.id) })),
  }
}

/** Changes records that are named, each once; those that cannot be changed are as they were. */
export async function changeGiven(
  tx: Tx,
  principal: Principal,
  noun: NounTable,
  { ids, set, action, duplicates }: Given,
  origin: Origin,
): Promise<{ changed: number; unchanged: number; failed: BatchFailure[] }> {
  const { spec } = noun
  const { nowMs } = origin
  const values = set === undefined ? {} : readBody(spec, set, readingOf(principal))
  const isBlocked = modeOf(spec, principal, duplicates) === 'block'
  // Before what is named, as locks.ts says.
  if (isBlocked) await lockKeys(tx, principal, noun, matchKeys(noun, values))
  const held = await holdNamed(tx, principal, noun, [values], ids)
  const records = await lockMany(tx, principal, noun, ids)
  const facts = factsFrom(held, principal, spec, values)
  const writes: Write[] = []
  const failed: BatchFailure[] = []
  for (const id of ids) {
    const record = records.get(id)
    try {
      const write = decideOne(noun, principal, { id, record, values, action, facts, nowMs })
      if (write !== undefined) writes.push(write)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const isFault = error.code === 'validation_failed' && error.details !== undefined
      const message = isFault ? faultMessage(error.details!) : error.message
      failed.push({ id, code: error.code, message })
    }
  }
  const refused = isBlocked ? await findRefused(tx, principal, noun, writes) : new Map<Write, Problem>()
  for (const [{ after }, { code, message }] of refused) failed.push({ id: after.id, code, message })
  const kept = writes.filter(write => !refused.has(write))
  await writeRecords(tx, principal, noun, kept, origin)
  return { changed: kept.length, unchanged: ids.length - kept.length - failed.length, failed }
}

type One = {
  id: string
  record: NounRecord | undefined
  values: Record<string, unknown>
  action: BulkBody['action']
  facts: Facts
  nowMs: number
}

function decideOne(
  noun: NounTable,
  principal: Principal,
  { record, values, action, facts, nowMs }: One,
): Write | undefined {
  if (record === undefined || (record.deleted_at !== null && action !== 'restore')) throw new Problem('not_found')
  requireHostRight(principal, noun.spec, record)
  if (action === undefined) return decideChange(noun, principal, record, values, facts, nowMs)
  if (action === 'delete') return decideTrash(record, isoMs(nowMs), nowMs)
  return record.deleted_at === null ? undefined : decideTrash(record, null, nowMs)
}
