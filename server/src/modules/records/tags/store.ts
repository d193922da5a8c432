// All SQL of tags on records.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'

export type Tag = { id: string; name: string; color: string }

/** Those of these ids that are there, not in the trash, and stay so until the transaction ends. */
export async function lockTags(tx: Tx, { tenantId }: Scope, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from tags where tenant_id = ${tenantId} and id = any(${ids}::text[]) and deleted_at is null
    order by id for share`.execute(tx)
  return rows.map(({ id }) => id)
}

export type Assignment = {
  records: readonly { id: string; noun: string }[]
  add: readonly string[]
  remove: readonly string[]
  userId: number
  now: string
}

/** Pairs of a record and a tag. */
type Pair = { record_id: string; tag_id: string }

/** Takes tags off records and puts others on them; answers what changed by that. */
export async function assignTags(
  tx: Tx,
  { tenantId }: Scope,
  { records, add, remove, userId, now }: Assignment,
): Promise<{ added: Pair[]; removed: Pair[] }> {
  const ids = records.map(({ id }) => id)
  const removed = await sql<Pair>`
    delete from record_tags
    where tenant_id = ${tenantId} and record_id = any(${ids}::text[]) and tag_id = any(${remove}::text[])
    returning record_id, tag_id`.execute(tx)
  const added = await sql<Pair>`
    insert into record_tags (tenant_id, record_id, tag_id, noun, assigned_at, assigned_by)
    select ${tenantId}, r.id, t.id, r.noun, ${now}::timestamptz, ${userId}
    from unnest(${ids}::text[], ${records.map(({ noun }) => noun)}::text[]) as r (id, noun)
    cross join unnest(${add}::text[]) as t (id)
    order by 2, 3
    on conflict do nothing
    returning record_id, tag_id`.execute(tx)
  return { added: added.rows, removed: removed.rows }
}

/** The tags of records, by name. */
export async function tagsOf(
  tx: Tx,
  { tenantId }: Scope,
  recordIds: readonly string[],
): Promise<(Tag & { record_id: string })[]> {
  const { rows } = await sql<Tag & { record_id: string }>`
    select k.record_id, t.id, t.name, t.color
    from record_tags k join tags t on t.tenant_id = k.tenant_id and t.id = k.tag_id
    where k.tenant_id = ${tenantId} and k.record_id = any(${recordIds}::text[]) and t.deleted_at is null
    order by k.record_id, t.name collate "und-x-icu", t.id`.execute(tx)
  return rows
}

export type TagCount = { tag_id: string; noun: string; records: number }

/** How many records of each noun have each tag, of all that have any; those in the trash are not counted. */
export async function countTagged(
  tx: Tx,
  { tenantId }: Scope,
  nouns: readonly string[],
  tagIds: readonly string[] | undefined,
): Promise<TagCount[]> {
  const { rows } = await sql<TagCount>`
    select c.a as tag_id, c.b as noun, sum(c.count)::bigint as records
    from noun_counts c join tags t on t.tenant_id = c.tenant_id and t.id = c.a
    where c.tenant_id = ${tenantId} and c.noun = 'record_tag' and c.owner = -1 and not c.deleted and t.deleted_at is null
      and c.b = any(${nouns}::text[]) and ${tagIds === undefined ? sql`true` : sql`c.a = any(${tagIds}::text[])`}
    group by c.a, c.b having sum(c.count) > 0
    order by c.a, c.b`.execute(tx)
  return rows
}

/** Puts on one record what others have. */
export async function moveTagsOfRecords(
  tx: Tx,
  { tenantId }: Scope,
  ids: readonly string[],
  into: string,
): Promise<void> {
  await sql`
    insert into record_tags (tenant_id, record_id, tag_id, noun, assigned_at, assigned_by)
    select distinct on (k.tag_id) k.tenant_id, ${into}, k.tag_id, k.noun, k.assigned_at, k.assigned_by
    from record_tags k where k.tenant_id = ${tenantId} and k.record_id = any(${ids}::text[])
    order by k.tag_id, k.assigned_at
    on conflict do nothing`.execute(tx)
  await sql`
    delete from record_tags where tenant_id = ${tenantId} and record_id = any(${ids}::text[])`.execute(tx)
}

/** Puts one tag on the records that have others. */
export async function moveTagged(tx: Tx, { tenantId }: Scope, ids: readonly string[], into: string): Promise<void> {
  await sql`
    insert into record_tags (tenant_id, record_id, tag_id, noun, deleted, assigned_at, assigned_by)
    select distinct on (k.record_id) k.tenant_id, k.record_id, ${into}, k.noun, k.deleted, k.assigned_at, k.assigned_by
    from record_tags k where k.tenant_id = ${tenantId} and k.tag_id = any(${ids}::text[])
    order by k.record_id, k.assigned_at
    on conflict do nothing`.execute(tx)
  await sql`delete from record_tags where tenant_id = ${tenantId} and tag_id = any(${ids}::text[])`.execute(tx)
}
