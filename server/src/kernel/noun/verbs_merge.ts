// Making one record of several.
import { Type } from 'typebox'
import type { Principal } from '../access/principal.ts'
import type { Tx } from '../data/db.ts'
import { type Endpoint, endpoint } from '../endpoint/endpoint.ts'
import { isoMs } from '../values/clock.ts'
import { newId } from '../values/ids.ts'
import { invalid, Problem } from '../values/problem.ts'
import { type Entry, maxEntries, requireRoom } from './composites.ts'
import { decideTrash } from './decide.ts'
import type { NounRecord } from './field.ts'
import { lockMany } from './locks.ts'
import { stateEvents } from './moves.ts'
import type { Names } from './noun_names.ts'
import { idSchema, idsOf, recordIdOf } from './record_ids.ts'
import { fieldsOf, showRecord } from './records.ts'
import { moveReferences } from './referring.ts'
import { followersOf, type NounTable } from './registry.ts'
import { recordSchema } from './schemas.ts'
import type { AnySpec } from './spec.ts'
import { writeRecords } from './write.ts'

type MergeBody = {
  into: string | number
  others: (string | number)[]
  take?: Record<string, string | number>
}
/** Records as others name them. */
type Asked = { into: string; others: string[]; take: Record<string, string> }

/** Those that one takes in at once. */
export const maxOthers = 20

export function mergeEndpoint(noun: NounTable, names: Names): Endpoint {
  const { spec } = noun
  const [one, many] = spec.names
  const id = idSchema(spec, 'Identifier.')
  const takeable = fieldsOf(spec).filter(([, { setBy }]) => setBy === 'change')
  return endpoint({
    ...names.common,
    id: names.id('merge'),
    method: 'POST',
    path: `${names.path}/merge`,
    name: `Merge ${names.manyWords}`,
    description: `Makes one of several: fields that are empty in the one that stays are filled from the others, the first that has one, and lists have the entries of all, which may be ${maxEntries} at most; \`take\` names the record whose value a field is to have. What named the others names the one that stays, what was put on them is moved to it, and they go to the trash; who asks for them is answered 404 with the one that stays in \`details\`. Writes ${one}.merged, and ${one}.deleted for each of the others. Needs the permission ${many}:delete.`,
    permission: names.permission('delete'),
    audit: `${one}.merged`,
    body: Type.Object({
      into: { ...id, description: 'The record that stays.' },
      others: Type.Array(id, { minItems: 1, maxItems: maxOthers, description: 'Those that it takes in.' }),
      take: Type.Optional(
        Type.Object(Object.fromEntries(takeable.map(([name]) => [name, Type.Optional(id)])), {
          description: 'By field, the record whose value is kept.',
        }),
      ),
    }),
    reply: Type.Unsafe<Record<string, unknown>>(Type.Object({ [one]: recordSchema(spec) })),
    problems: ['not_found'],
    check: ({ body }) => {
      const { into, others } = body as MergeBody
      return others.includes(into)
        ? [{ field: 'others', code: 'not_allowed', message: 'must not name the one that stays' }]
        : []
    },
    sample: {
      body: { into: names.sampleId, others: [names.otherId] },
      reply: { [one]: { ...names.sampleRecord, version: 2 } },
    },
    async handle({ tx, body, principal, now }) {
      const merged = await merge(tx, principal, noun, askedOf(spec, body as MergeBody), now)
      return { [one]: showRecord(spec, merged) }
    },
  })
}

function askedOf(spec: AnySpec, { into, others, take = {} }: MergeBody): Asked {
  const named = (id: string | number) => recordIdOf(idsOf(spec), id)
  return {
    into: named(into),
    others: others.map(named),
    take: Object.fromEntries(Object.entries(take).map(([field, id]) => [field, named(id)])),
  }
}

async function merge(tx: Tx, principal: Principal, noun: NounTable, { into, others, take }: Asked, nowMs: number) {
  const { spec } = noun
  const ids = [...new Set(others)]
  const records = await lockMany(tx, principal, noun, [into, ...ids])
  const survivor = records.get(into)
  const taken = ids.flatMap(id => records.get(id) ?? [])
  if (
    survivor === undefined ||
    taken.length < ids.length ||
    [survivor, ...taken].some(record => record.deleted_at !== null)
  )
    throw new Problem('not_found')
  const put = { ...survivor, ...mergedValues(spec, survivor, taken, take) } as NounRecord
  const values = { ...put, ...spec.merge?.(put, [survivor, ...taken], take) }
  const origin = { source: 'merge', batchId: newId('bat', nowMs), nowMs } as const
  const changed = { ...values, version: survivor.version + 1, updated_at: isoMs(nowMs) } as NounRecord
  const gone = taken.map(record => {
    const write = decideTrash(record, isoMs(nowMs), nowMs)
    return { ...write, after: { ...write.after, merged_into: into } as NounRecord }
  })
  // The others first: what they were the same by is the survivor's now.
  await writeRecords(tx, principal, noun, gone, origin)
  const merged = taken.map(record => ({ id: record.id, title: String(record[spec.title]) }))
  const events = ['merged', ...stateEvents(spec, survivor, changed)]
  await writeRecords(tx, principal, noun, [{ before: survivor, after: changed, events, merged }], origin)
  // They may wait for others who write notes on these records: what names these is looked for after.
  for (const { follow } of followersOf(spec.names[0])) await follow(tx, principal, ids, into, nowMs)
  await moveReferences(tx, principal, spec.names[0], ids, into, origin)
  return changed
}

/** @throws Problem `validation_failed` for a value that is to be taken from a record that is not merged */
function mergedValues(
  spec: AnySpec,
  survivor: NounRecord,
  taken: readonly NounRecord[],
  take: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const all = [survivor, ...taken]
  const ids = all.map(({ id }) => id)
  return Object.fromEntries(
    fieldsOf(spec).map(([name, { of }]) => {
      const from = take[name]
      const chosen = from === undefined ? all : all.filter(({ id }) => id === from)
      if (chosen.length === 0)
        throw invalid({
          field: `take.${name}`,
          code: 'not_allowed',
          message: 'must be one of the records that are merged',
        })
      // Those that are one now are not above or below themselves.
      const values = chosen.map(record => (of === spec.names[0] ? without(record[name], ids) : record[name]))
      return [name, mergedValue(name, values)]
    }),
  )
}

/** What a field names, but these records. */
function without(value: unknown, ids: readonly string[]): unknown {
  if (!Array.isArray(value)) return ids.includes(value as string) ? null : value
  const kept = (value as Entry<string>[]).filter(entry => !ids.includes(entry.value))
  const primary = kept.findIndex(entry => entry.is_primary)
  return kept.map((entry, at) => ({ ...entry, is_primary: at === Math.max(0, primary) }))
}

/**
 * The first value that is there; of lists all their entries, with the first one's primary.
 * @throws Problem `validation_failed` for more entries than a list has
 */
function mergedValue(name: string, values: readonly unknown[]): unknown {
  const lists = values.filter(value => Array.isArray(value)) as Entry<unknown>[][]
  if (lists.length === 0) return values.find(value => value !== null && value !== undefined) ?? null
  const entries = lists.flat()
  const sameAs = (entry: Entry<unknown>) => JSON.stringify(entry.value).toLowerCase()
  const kept = entries.filter((entry, at) => entries.findIndex(other => sameAs(other) === sameAs(entry)) === at)
  const remedy = `name the one record whose entries are kept as take.${name}, or remove some first`
  requireRoom(`take.${name}`, lists[0]!, kept, remedy)
  return kept.map((entry, at) => ({ ...entry, is_primary: at === kept.findIndex(({ is_primary }) => is_primary) }))
}
