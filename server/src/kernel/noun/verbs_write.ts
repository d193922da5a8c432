// Creating and changing one record of a noun.
import { Type } from 'typebox'
import type { Principal } from '../access/principal.ts'
import type { Tx } from '../data/db.ts'
import { type Endpoint, endpoint } from '../endpoint/endpoint.ts'
import { requireVersion } from '../endpoint/record.ts'
import { OneOf } from '../endpoint/schema.ts'
import { duplicateModeOf, duplicateModes } from '../values/duplicate_mode.ts'
import { decideChange, decideCreation, decideTrash } from './decide.ts'
import { findDuplicates, lockKeys, matchKeys, refuseDuplicates, shownDuplicates } from './duplicates.ts'
import type { NounRecord } from './field.ts'
import { hostFieldOf } from './hosts.ts'
import { hasMoves } from './moves.ts'
import { factsFrom, factsOf, holdNamed, namesRecords } from './named.ts'
import { takeIds } from './new_ids.ts'
import type { Names } from './noun_names.ts'
import { differences, readBody, showRecord } from './records.ts'
import type { NounTable } from './registry.ts'
import { createSchema, duplicatesSchema, paramsSchema, patchSchema, pathId, recordSchema } from './schemas.ts'
import { type AnySpec, isMatched, mayRepeat } from './spec.ts'
import { findRecord, readingOf } from './verbs_read.ts'
import { type Origin, writeRecords } from './write.ts'

export const requestOrigin = (nowMs: number): Origin => ({ source: 'request', batchId: null, nowMs })

export const DuplicateHeaders = Type.Object({
  'X-Duplicate-Mode': Type.Optional(
    OneOf(duplicateModes, {
      description:
        "What a record that is the same as another does: block refuses with 409, warn lets pass, off does not look. The organization's setting when left out.",
    }),
  ),
})

/** What a record that is the same as another does. */
export function modeOf({ unique }: AnySpec, principal: Principal, header: string | undefined) {
  return unique === true ? 'block' : duplicateModeOf(header, principal.settings.duplicateMode)
}

/** What the endpoints of nouns that are matched take and answer beside the others. */
export function matching(spec: AnySpec) {
  if (spec.unique === true) return { problems: ['duplicate_record'] as const }
  return isMatched(spec)
    ? { headers: DuplicateHeaders, problems: ['duplicate_record'] as const }
    : { problems: [] as const }
}

const replyOf = (spec: AnySpec, more = {}) =>
  Type.Unsafe<Record<string, unknown>>(Type.Object({ [spec.names[0]]: recordSchema(spec), ...more }))

export function createEndpoint(noun: NounTable, names: Names): Endpoint {
  const { spec } = noun
  const [one] = spec.names
  const { problems, ...headers } = matching(spec)
  return endpoint({
    ...names.common,
    ...headers,
    versioned: true,
    id: names.id('create'),
    method: 'POST',
    path: names.path,
    name: `Create ${names.aOne}`,
    description: `${spec.about}${mayRepeat(spec) ? ` The answer lists those that are the same by ${spec.match!.join(', ')}; X-Duplicate-Mode decides whether such a one is created, or refused.` : ''} Writes the event ${one}.created.`,
    permission: names.permission('create'),
    status: 201,
    body: createSchema(spec),
    reply: replyOf(spec, mayRepeat(spec) ? { duplicates: duplicatesSchema(spec) } : {}),
    problems: hostFieldOf(spec) === undefined ? problems : ['record_not_found', ...problems],
    sample: {
      body: spec.sample,
      reply: { [one]: names.sampleRecord, ...(mayRepeat(spec) && { duplicates: [] }) },
    },
    async handle({ tx, body, principal, now, header, setVersion }) {
      const values = readBody(spec, body as Record<string, unknown>, readingOf(principal))
      const mode = modeOf(spec, principal, header('x-duplicate-mode'))
      // Before what is named, as locks.ts says.
      if (mode === 'block' && namesRecords(spec, values)) await lockKeys(tx, principal, noun, matchKeys(noun, values))
      const facts = await factsOf(tx, principal, noun, values)
      const write = decideCreation(noun, principal, values, facts, now, { ids: await takeIds(tx, noun, 1) })
      const record = write.after
      if (mode === 'block') await refuseDuplicates(tx, principal, noun, { before: undefined, after: record })
      const [found] = await Promise.all([
        mode === 'warn' ? findDuplicates(tx, principal, noun, matchKeys(noun, record), record.id) : [],
        writeRecords(tx, principal, noun, [write], requestOrigin(now)),
      ])
      setVersion(record.version)
      return { [one]: showRecord(spec, record), ...(mayRepeat(spec) && { duplicates: shownDuplicates(spec, found) }) }
    },
  })
}

export function updateEndpoint(noun: NounTable, names: Names): Endpoint {
  const { spec } = noun
  const [one] = spec.names
  const renamed = `${names.sampleRecord[spec.title]} (renamed)`
  const { problems, ...headers } = matching(spec)
  return endpoint({
    ...names.common,
    ...headers,
    versioned: true,
    id: names.id('update'),
    method: 'PATCH',
    path: `${names.path}/{id}`,
    name: `Update ${names.aOne}`,
    description: `Changes the fields that are sent; null empties one. ${spec.says?.update ?? `Writes the event ${one}.updated.`}`,
    permission: names.permission('update'),
    params: paramsSchema(spec),
    body: patchSchema(spec),
    reply: replyOf(spec),
    problems: ['not_found', ...(hasMoves(spec) ? (['invalid_transition'] as const) : []), ...problems],
    sample: {
      params: { id: names.sampleId },
      body: { [spec.title]: renamed },
      reply: { [one]: { ...names.sampleRecord, [spec.title]: renamed, version: 2 } },
    },
    async handle({ tx, params, body, principal, now, ifMatch, header, setVersion }) {
      const values = readBody(spec, body as Record<string, unknown>, readingOf(principal))
      const mode = modeOf(spec, principal, header('x-duplicate-mode'))
      if (mode === 'block') await lockKeys(tx, principal, noun, matchKeys(noun, values))
      const held = await holdNamed(tx, principal, noun, [values], [pathId(spec, params)])
      const record = await lockNamed(tx, principal, noun, params, ifMatch)
      // What stays as it is may name who is gone.
      const facts = factsFrom(held, principal, spec, differences(record, values))
      const write = decideChange(noun, principal, record, values, facts, now)
      if (write !== undefined) {
        if (mode === 'block') await refuseDuplicates(tx, principal, noun, write)
        await writeRecords(tx, principal, noun, [write], requestOrigin(now))
      }
      const after = write?.after ?? record
      setVersion(after.version)
      return { [one]: showRecord(spec, after) }
    },
  })
}

/** The record that a path names, locked, at the version of If-Match. @throws Problem `not_found`, `version_mismatch` */
export async function lockNamed(
  tx: Tx,
  principal: Principal,
  noun: NounTable,
  params: unknown,
  ifMatch: number | undefined,
  deleted = false,
): Promise<NounRecord> {
  return findNamed(tx, principal, noun, params, ifMatch, { locked: true, deleted })
}

/** The same, locked where it is asked for. @throws Problem `not_found`, `version_mismatch` */
export async function findNamed(
  tx: Tx,
  principal: Principal,
  noun: NounTable,
  params: unknown,
  ifMatch: number | undefined,
  options: { locked?: boolean; deleted?: boolean } = {},
): Promise<NounRecord> {
  const record = await findRecord(tx, principal, noun, pathId(noun.spec, params), options)
  return requireVersion(record, ifMatch)
}

export function deleteEndpoint(noun: NounTable, names: Names): Endpoint {
  const { spec } = noun
  const [one] = spec.names
  return endpoint({
    ...names.common,
    versioned: true,
    id: names.id('delete'),
    method: 'DELETE',
    path: `${names.path}/{id}`,
    name: `Delete ${names.aOne}`,
    description: `Moves it to the trash, from which it can be restored, and answers it as it is there. Writes the event ${one}.deleted.`,
    permission: names.permission('delete'),
    params: paramsSchema(spec),
    reply: replyOf(spec),
    problems: ['not_found'],
    sample: { params: { id: names.sampleId }, reply: { [one]: { ...names.sampleRecord, version: 2 } } },
    async handle({ tx, params, principal, now, ifMatch, setVersion }) {
      const record = await lockNamed(tx, principal, noun, params, ifMatch)
      const write = decideTrash(record, new Date(now).toISOString(), now)
      await writeRecords(tx, principal, noun, [write], requestOrigin(now))
      setVersion(write.after.version)
      return { [one]: showRecord(spec, write.after) }
    },
  })
}

export function restoreEndpoint(noun: NounTable, names: Names): Endpoint {
  const { spec } = noun
  const [one] = spec.names
  const { problems, ...headers } = matching(spec)
  return endpoint({
    ...names.common,
    ...headers,
    versioned: true,
    id: names.id('restore'),
    method: 'POST',
    path: `${names.path}/{id}/restore`,
    name: `Restore ${names.aOne}`,
    description: `Restores it from the trash, as it was; one that is not there is answered as it is. Writes the event ${one}.restored.`,
    permission: names.permission('delete'),
    params: paramsSchema(spec),
    reply: replyOf(spec),
    problems: ['not_found', ...problems],
    sample: { params: { id: names.sampleId }, reply: { [one]: { ...names.sampleRecord, version: 3 } } },
    async handle({ tx, params, principal, now, ifMatch, header, setVersion }) {
      let record = await lockNamed(tx, principal, noun, params, ifMatch, true)
      if (record.deleted_at !== null) {
        const write = decideTrash(record, null, now)
        const mode = modeOf(spec, principal, header('x-duplicate-mode'))
        if (mode === 'block') await refuseDuplicates(tx, principal, noun, { before: undefined, after: write.after })
        await writeRecords(tx, principal, noun, [write], requestOrigin(now))
        record = write.after
      }
      setVersion(record.version)
      return { [one]: showRecord(spec, record) }
    },
  })
}
