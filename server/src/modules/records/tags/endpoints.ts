// Tags on records: putting them on and taking them off, many at once, what each record has, and how many have each.
import { Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { OneOf, RecordId } from '../../../kernel/endpoint/schema.ts'
import { allHosts, findHosts, hostOf } from '../../../kernel/noun/hosts.ts'
import { ownersSeen } from '../../../kernel/noun/registry.ts'
import { holdsRight } from '../../../kernel/noun/rights.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { tags } from './noun.ts'
import { assignTags, countTagged, lockTags, tagsOf } from './store.ts'

const v1 = { version: 'v1', category: 'CRM', envelope: 'success' } as const

const maxRecords = 1_000
const maxTags = 20
/** Of one record. */
const maxOfRecord = 50

const AnyRecordId = Type.String({
  maxLength: 60,
  pattern: '^(?:[a-z]{2,8}_[0-7][0-9a-hjkmnp-tv-z]{25}|[a-z_]{2,40}:[1-9]\\d{0,14})$',
  errorMessage: 'must be the id of a record, such as cmp_01k9r7d3w2v8e6q4n5m1b0c9xz or lead:17',
  description: 'Identifier of a record of any kind: `cmp_…`, or `lead:17` where ids are numbers.',
})
const TagIds = (description: string) =>
  Type.Optional(Type.Array(RecordId('tag', 'Identifier of a tag.'), { maxItems: maxTags, description }))

const sampleTag = 'tag_01k9r7d3w2v8e6q4n5m1b0c9xz'
const sampleRecord = 'cmp_01k9r7d3w2v8e6q4n5m1b0c9xz'

export const assign = endpoint({
  ...v1,
  id: 'tags.assign',
  method: 'POST',
  path: '/api/tags/assign',
  name: 'Set tags of records',
  description: `Puts tags on up to ${maxRecords} records of any kind, and takes others off, in one transaction. A record that one may not see or change is listed with its reason; all others are changed. A record has at most ${maxOfRecord} tags. Writes record.tags_changed for each record that changed.`,
  permission: 'tags:assign',
  bodyLimit: 256 * 1024,
  body: Type.Object({
    record_ids: Type.Array(AnyRecordId, { minItems: 1, maxItems: maxRecords, description: 'Which records.' }),
    add: TagIds('Tags to put on them.'),
    remove: TagIds('Tags to take off them.'),
  }),
  reply: Type.Object({
    changed: Type.Integer({ description: 'How many records have other tags now.' }),
    unchanged: Type.Integer({ description: 'How many had them so already.' }),
    failed: Type.Array(
      Type.Object({
        id: Type.String({ description: 'The record whose tags are as they were.' }),
        code: OneOf(['not_found', 'insufficient_role', 'too_many'], { description: 'Why.' }),
        message: Type.String({ description: 'What is wrong with the change of this one.' }),
      }),
      { description: 'Records that were not changed; all others were.' },
    ),
  }),
  problems: ['tag_not_found'],
  check: ({ body: { add = [], remove = [] } }) => {
    if (add.length + remove.length === 0)
      return [{ field: 'add', code: 'required', message: 'or remove is required, with at least one tag' }]
    return remove.some(id => add.includes(id))
      ? [{ field: 'remove', code: 'not_allowed', message: 'must name no tag that add names too' }]
      : []
  },
  sample: {
    body: { record_ids: [sampleRecord], add: [sampleTag] },
    reply: { changed: 1, unchanged: 0, failed: [] },
  },
  async handle({ tx, body: { record_ids, add = [], remove = [] }, principal, now }) {
    await requireTags(tx, principal, add)
    const asked = [...new Set(record_ids)]
    const { open, failed } = await changeable(tx, principal, asked)
    const had = Map.groupBy(await tagsOf(tx, principal, open), tag => tag.record_id)
    const full = open.filter(id => {
      const ids = new Set([...(had.get(id) ?? []).map(tag => tag.id), ...add])
      return ids.size - remove.filter(tag => ids.has(tag)).length > maxOfRecord
    })
    for (const id of full)
      failed.push({ id, code: 'too_many', message: `A record has at most ${maxOfRecord} tags. Take others off first.` })
    const records = open.filter(id => !full.includes(id)).map(id => ({ id, noun: hostOf(id)!.name }))
    const assignment = { records, add, remove, userId: principal.userId, now: isoMs(now) }
    const { added, removed } = await assignTags(tx, principal, assignment)
    const changed = [...new Set([...added, ...removed].map(({ record_id }) => record_id))]
    await reportTags(tx, principal, changed, { added, removed })
    return { changed: changed.length, unchanged: records.length - changed.length, failed }
  },
})

type Failure = { id: string; code: 'not_found' | 'insufficient_role' | 'too_many'; message: string }
type Pairs = readonly { record_id: string; tag_id: string }[]

/** @throws Problem `tag_not_found` for tags that are not there */
async function requireTags(tx: Tx, principal: Principal, ids: readonly string[]): Promise<void> {
  const known = await lockTags(tx, principal, ids)
  const unknown = ids.filter(id => !known.includes(id))
  if (unknown.length > 0)
    throw new Problem('tag_not_found', { message: `There is no tag ${unknown.join(', ')}. Leave it out of add.` })
}

/** The records whose tags the caller may change, locked; and why not of the others. */
async function changeable(
  tx: Tx,
  principal: Principal,
  ids: readonly string[],
): Promise<{ open: string[]; failed: Failure[] }> {
  const seen = await findHosts(tx, principal, ids, { locked: true })
  const failed: Failure[] = []
  const open: string[] = []
  for (const id of ids) {
    const host = hostOf(id)
    if (host === undefined || !seen.has(id))
      failed.push({ id, code: 'not_found', message: 'There is no such record that you may see.' })
    else if (!holdsRight(principal, host.many, 'update'))
      failed.push({ id, code: 'insufficient_role', message: `This needs the permission ${host.many}:update.` })
    else open.push(id)
  }
  return { open, failed }
}

/** One event of each record, with the tags that it has now. */
async function reportTags(
  tx: Tx,
  principal: Principal,
  ids: readonly string[],
  { added, removed }: { added: Pairs; removed: Pairs },
): Promise<void> {
  const now = Map.groupBy(await tagsOf(tx, principal, ids), tag => tag.record_id)
  const of = (pairs: Pairs, id: string) => pairs.filter(pair => pair.record_id === id).map(pair => pair.tag_id)
  const by = { userId: principal.userId, keyId: principal.keyId }
  await emit(
    tx,
    principal,
    ...ids.map(id => ({
      type: 'record.tags_changed' as const,
      resourceId: id,
      data: {
        record_id: id,
        noun: hostOf(id)!.name,
        tags: (now.get(id) ?? []).map(({ record_id: _, ...tag }) => tag),
        added: of(added, id),
        removed: of(removed, id),
        by,
      },
    })),
  )
}

const Tag = Type.Object({
  id: Type.String({ description: 'Identifier of the tag.' }),
  name: Type.String({ description: 'What it says.' }),
  color: Type.String({ description: 'The color that it is shown in.' }),
})

const maxListed = 200

export const assigned = endpoint({
  ...v1,
  id: 'tags.assigned',
  method: 'GET',
  path: '/api/tags/assigned',
  name: 'List tags of records',
  description: `The tags of up to ${maxListed} records of any kind, by record; of those that one may not see, none.`,
  permission: 'tags:read',
  logBody: 'refusals',
  query: Type.Object({
    record_ids: Type.String({
      maxLength: 12_000,
      pattern: `^(?:[a-z0-9_:]{3,60})(?:,[a-z0-9_:]{3,60}){0,${maxListed - 1}}$`,
      errorMessage: `must be at most ${maxListed} ids of records, with commas between`,
      description: 'Ids of records, with commas between: `cmp_…`, `lead:17`.',
    }),
  }),
  reply: Type.Object({
    tagged_records: Type.Array(
      Type.Object({
        record_id: Type.String({ description: 'The record.' }),
        tags: Type.Array(Tag, { description: 'Its tags, by name.' }),
      }),
      { description: 'The records that one sees, in the order they were asked for.' },
    ),
  }),
  sample: {
    query: { record_ids: sampleRecord },
    reply: { tagged_records: [{ record_id: sampleRecord, tags: [{ id: sampleTag, name: 'VIP', color: 'purple' }] }] },
  },
  async handle({ tx, query, principal }) {
    const asked = [...new Set(query.record_ids.split(','))].filter(id => hostOf(id) !== undefined && isId(id))
    const seen = await findHosts(tx, principal, asked)
    const ids = asked.filter(id => seen.has(id))
    const found = Map.groupBy(await tagsOf(tx, principal, ids), tag => tag.record_id)
    return {
      tagged_records: ids.map(id => ({
        record_id: id,
        tags: (found.get(id) ?? []).map(({ record_id: _, ...tag }) => tag),
      })),
    }
  },
})

const idPattern = new RegExp((AnyRecordId as unknown as { pattern: string }).pattern)
const isId = (text: string) => idPattern.test(text)

export const counts = endpoint({
  ...v1,
  id: 'tags.counts',
  method: 'GET',
  path: '/api/tags/counts',
  name: 'Get how many records have each tag',
  description:
    'How many records of each kind have each tag, exactly; those in the trash do not count. Only kinds of which one sees all records: left_out names the others.',
  permission: 'tags:read',
  logBody: 'refusals',
  query: Type.Object({
    tag_ids: Type.Optional(
      Type.String({
        maxLength: 7_000,
        pattern: '^tag_[0-7][0-9a-hjkmnp-tv-z]{25}(?:,tag_[0-7][0-9a-hjkmnp-tv-z]{25}){0,199}$',
        errorMessage: 'must be at most 200 ids of tags, with commas between',
        description: 'Only these tags.',
      }),
    ),
  }),
  reply: Type.Object({
    counts: Type.Array(
      Type.Object({
        tag_id: Type.String({ description: 'The tag.' }),
        noun: Type.String({ description: 'The kind of records: company, contact, lead.' }),
        records: Type.Integer({ description: 'How many have it.' }),
      }),
      { description: 'Of tags that no record has, nothing is listed.' },
    ),
    left_out: Type.Array(Type.String(), { description: 'Kinds of records of which one sees some only, or none.' }),
  }),
  sample: { reply: { counts: [{ tag_id: sampleTag, noun: 'company', records: 12 }], left_out: [] } },
  async handle({ tx, query, principal }) {
    const isWhole = (host: ReturnType<typeof allHosts>[number]) =>
      holdsRight(principal, host.many, 'read') && ownersSeen(host.many, host.rows, principal) === undefined
    const nouns = allHosts().filter(isWhole)
    const left = allHosts().filter(host => !isWhole(host))
    const found = await countTagged(
      tx,
      principal,
      nouns.map(({ name }) => name),
      query.tag_ids?.split(','),
    )
    return { counts: found, left_out: left.map(({ name }) => name) }
  },
})

/** Before `/api/tags/{id}`, which is a path of the same form. */
export const endpoints = [assign, assigned, counts, ...tags.endpoints]
