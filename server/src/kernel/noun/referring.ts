// What names records names another instead, after a merge, or none, after these were removed for good; with its history and its event.
import { sql } from 'kysely'
import type { Tx } from '../data/db.ts'
import { isoMs } from '../values/clock.ts'
import type { Entry } from './composites.ts'
import type { NounRecord } from './field.ts'
import { lockRecords } from './locks.ts'
import { idsOf, idText } from './record_ids.ts'
import { idsNamed } from './records.ts'
import { referencesTo } from './registry.ts'
import { maxAtOnce } from './verbs_many.ts'
import { type Author, type Origin, type Write, writeRecords } from './write.ts'

type Reference = ReturnType<typeof referencesTo>[number]

/**
 * What named some of these records names another one. What is put on them moves too. It looks until there is nothing more: a transaction
 * that was waited for may have copied what it names from one record to another, as a merge and a conversion do.
 */
export async function moveReferences(
  tx: Tx,
  author: Author,
  name: string,
  ids: readonly string[],
  into: string,
  origin: Origin,
): Promise<void> {
  for (let changed = 1; changed > 0; ) {
    changed = 0
    for (const reference of referencesTo(name))
      changed += (await changeReferences(tx, author, reference, ids, into, origin, null)).changed
  }
}

/**
 * What names some of these records names none of them any more. What is put on them stays as it is.
 * @returns how many records were found, at most `limit`: where there are as many, there may be more
 */
export async function emptyReferences(
  tx: Tx,
  author: Author,
  name: string,
  ids: readonly string[],
  origin: Origin,
  limit: number,
): Promise<number> {
  let found = 0
  for (const reference of referencesTo(name)) {
    if (reference.noun.spec.fields[reference.column]!.kind === 'record') continue
    found += (await changeReferences(tx, author, reference, ids, null, origin, limit - found)).found
    if (found >= limit) break
  }
  return found
}

async function changeReferences(
  tx: Tx,
  author: Author,
  { noun, column, isList }: Reference,
  ids: readonly string[],
  into: string | null,
  origin: Origin,
  limit: number | null,
): Promise<{ found: number; changed: number }> {
  const { tenantId } = author
  const [one] = noun.spec.names
  const own = idsOf(noun.spec)
  const named = isList
    ? sql`select distinct record_id as id from record_keys where tenant_id = ${tenantId} and noun = ${one} and field = ${column}
        and value = any(${ids}::text[])`
    : sql`select ${idText(own, 'r')} as id from ${sql.table(noun.table)} r
        where tenant_id = ${tenantId} and ${sql.ref(column)} = any(${ids}::text[])`
  const { rows } = await sql<{ id: string }>`${named} order by id limit ${limit}`.execute(tx)
  const all = rows.map(({ id }) => id)
  let changed = 0
  for (let at = 0; at < all.length; at += maxAtOnce) {
    const records = await lockRecords(tx, author, noun, all.slice(at, at + maxAtOnce))
    // Not those that were changed before they were locked, and name none of them any more.
    const naming = records.filter(record =>
      idsNamed(noun.spec.fields[column]!, record[column]).some(id => ids.includes(String(id))),
    )
    const writes = naming.map((record): Write => {
      const value = isList ? replaced(record[column] as Entry<string>[], ids, into) : into
      const after = { ...record, [column]: value, version: record.version + 1, updated_at: isoMs(origin.nowMs) }
      return { before: record, after: after as NounRecord, events: ['updated'] }
    })
    await writeRecords(tx, author, noun, writes, origin)
    changed += writes.length
  }
  return { found: all.length, changed }
}

/** Each once, and one of them the primary. */
function replaced(entries: readonly Entry<string>[], ids: readonly string[], into: string | null): Entry<string>[] {
  const moved = entries.flatMap(entry =>
    !ids.includes(entry.value) ? entry : into === null ? [] : { ...entry, value: into },
  )
  const kept = moved.filter((entry, at) => moved.findIndex(other => other.value === entry.value) === at)
  const primary = (moved.find(entry => entry.is_primary) ?? kept[0])?.value
  return kept.map(entry => ({ ...entry, is_primary: entry.value === primary }))
}
