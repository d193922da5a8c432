// Writes the demo company's companies, contacts, tags, notes and tasks: rows, what they are found by, histories and events.
import type { Scope } from '../kernel/data/db.ts'
import type { NounRecord } from '../kernel/noun/field.ts'
import { columnsOf, showRecord, storeRecord } from '../kernel/noun/records.ts'
import type { NounTable } from '../kernel/noun/registry.ts'
import { differenceOf, keysOf } from '../kernel/noun/write.ts'
import { isoMs } from '../kernel/values/clock.ts'
import { newId } from '../kernel/values/ids.ts'
import type { PastTag, PastWrite, RecordStories } from './record_stories.ts'
import { type DemoTransaction, insertEvents, type PastEvent } from './transaction.ts'

/** Adds the records of stories, and the tags that they have. */
export async function fillRecords(
  transaction: DemoTransaction,
  scope: Scope,
  { writes, tags }: RecordStories,
): Promise<void> {
  for (const [noun, own] of Map.groupBy(writes, write => write.noun)) {
    const records = new Map(own.map(({ after }) => [after.id, after]))
    await insertRows(transaction, scope, noun, [...records.values()])
    await insertKeys(transaction, scope, noun, [...records.values()])
    await insertChanges(transaction, scope, noun, own)
  }
  await insertTags(transaction, scope, tags)
  await insertEvents(transaction, scope, eventsOf(writes, tags))
}

async function insertRows(transaction: DemoTransaction, scope: Scope, noun: NounTable, records: readonly NounRecord[]) {
  const columns = columnsOf(noun.spec, undefined).join(', ')
  await transaction.inTenant(
    scope,
    `insert into ${noun.table} (${columns}, find)
     select ${columns}, noun_search_text(find) from json_populate_recordset(null::${noun.table}, $1::json)`,
    [JSON.stringify(records.map(record => storeRecord(noun.spec, record)))],
  )
}

async function insertKeys(transaction: DemoTransaction, scope: Scope, noun: NounTable, records: readonly NounRecord[]) {
  const keys = records.flatMap(record => keysOf(noun, record))
  await transaction.inTenant(
    scope,
    `insert into record_keys (tenant_id, noun, field, value, record_id)
     select $1, $2, k.field, k.value, k.record_id from json_populate_recordset(null::record_keys, $3::json) k`,
    [scope.tenantId, noun.spec.names[0], JSON.stringify(keys)],
  )
}

async function insertChanges(
  transaction: DemoTransaction,
  scope: Scope,
  noun: NounTable,
  writes: readonly PastWrite[],
): Promise<void> {
  const changes = writes.map(write => ({
    record_id: write.after.id,
    version: write.after.version,
    at: isoMs(write.atMs),
    user_id: write.by,
    difference: differenceOf(noun, write, false),
  }))
  await transaction.inTenant(
    scope,
    `insert into changes (tenant_id, record_id, version, noun, at, user_id, source, difference)
     select $1, c.record_id, c.version, $2, c.at, c.user_id, 'request', c.difference
     from json_populate_recordset(null::changes, $3::json) c`,
    [scope.tenantId, noun.spec.names[0], JSON.stringify(changes)],
  )
}

async function insertTags(transaction: DemoTransaction, scope: Scope, tags: readonly PastTag[]): Promise<void> {
  const rows = tags.map(({ recordId, noun, tag, atMs, by }) => ({
    record_id: recordId,
    tag_id: tag.id,
    noun,
    assigned_at: isoMs(atMs),
    assigned_by: by,
  }))
  await transaction.inTenant(
    scope,
    `insert into record_tags (tenant_id, record_id, tag_id, noun, assigned_at, assigned_by)
     select $1, r.record_id, r.tag_id, r.noun, r.assigned_at, r.assigned_by
     from json_populate_recordset(null::record_tags, $2::json) r`,
    [scope.tenantId, JSON.stringify(rows)],
  )
}

/** The events of each record in the order of time, numbered from 1. */
function eventsOf(writes: readonly PastWrite[], tags: readonly PastTag[]): PastEvent[] {
  const sequences = new Map<string, number>()
  const numbered = (type: string, resourceId: string, atMs: number, data: object): PastEvent => {
    const sequence = (sequences.get(resourceId) ?? 0) + 1
    sequences.set(resourceId, sequence)
    return { id: newId('evt', atMs), type, resourceId, sequence, atMs, data: JSON.stringify(data) }
  }
  const written = writes.flatMap(({ noun, after, events, atMs }) => {
    const data = showRecord(noun.spec, after)
    return events.map(event => numbered(`${noun.spec.names[0]}.${event}`, after.id, atMs, data))
  })
  const tagged = [...Map.groupBy(tags, ({ recordId }) => recordId)].flatMap(([recordId, own]) => {
    const there: { id: string; name: unknown; color: unknown }[] = []
    return own
      .toSorted((a, b) => a.atMs - b.atMs)
      .map(({ noun, tag, atMs, by }) => {
        there.push({ id: tag.id, name: tag['name'], color: tag['color'] })
        const data = { record_id: recordId, noun, tags: [...there], added: [tag.id], removed: [] }
        return numbered('record.tags_changed', recordId, atMs, { ...data, by: { userId: by, keyId: null } })
      })
  })
  return [...written, ...tagged]
}

/** Names of the tags that are there, in small letters: no two are called the same. */
export async function tagNames(transaction: DemoTransaction, scope: Scope): Promise<string[]> {
  const rows = await transaction.inTenant<{ value: string }>(
    scope,
    "select value from record_keys where tenant_id = $1 and noun = 'tag'",
    [scope.tenantId],
  )
  return rows.map(({ value }) => value)
}
