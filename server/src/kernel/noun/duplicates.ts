// Records that are the same as another: by an e-mail, a telephone number, a domain or what else the noun is matched by, in one spelling.
import { sql } from 'kysely'
import type { Principal } from '../access/principal.ts'
import type { Scope, Tx } from '../data/db.ts'
import { Problem } from '../values/problem.ts'
import type { NounRecord } from './field.ts'
import { holdersOf, type Key } from './keys.ts'
import { idsOf, idText, ownIdOf, rowId } from './record_ids.ts'
import { maySee, type NounTable } from './registry.ts'
import { holdsRight } from './rights.ts'
import type { AnySpec } from './spec.ts'

/** What a record is the same as others by. */
export function matchKeys({ spec }: NounTable, record: Readonly<Record<string, unknown>>): Key[] {
  return (spec.match ?? []).flatMap(name => {
    const value = record[name]
    if (value === null || value === undefined) return []
    return (spec.fields[name]?.parts.identity?.(value) ?? []).map(same => ({ field: name, value: same }))
  })
}

export type Duplicate = { id: string; title: string; matched_by: string; isSeen: boolean }

const maxDuplicates = 10

/** Records of the noun that have one of these keys, the oldest first; those in the trash are nobody's duplicates. */
export async function findDuplicates(
  tx: Tx,
  principal: Principal,
  noun: NounTable,
  keys: readonly Key[],
  ownId?: string,
): Promise<Duplicate[]> {
  if (keys.length === 0) return []
  const { spec, table } = noun
  const ids = idsOf(spec)
  const owner = spec.rows === undefined ? sql`null::bigint` : sql.ref(`r.${spec.rows.owner}`)
  const { rows } = await sql<{ id: string; title: string; matched_by: string; owner: number | null }>`
    select ${idText(ids, 'r')} as id, ${sql.ref(`r.${spec.title}`)} as title, min(k.field) as matched_by, ${owner} as owner
    from ${holdersOf(noun, principal, keys)} k
    join ${sql.table(table)} r on r.tenant_id = ${principal.tenantId} and r.id = ${rowId(ids, sql`k.record_id`)}
    where k.record_id <> ${ownId ?? ''}
    group by r.tenant_id, r.id order by r.id limit ${maxDuplicates}`.execute(tx)
  return rows.map(({ owner: ownerId, ...row }) => ({
    ...row,
    isSeen:
      holdsRight(principal, spec.names[1], 'read') &&
      (spec.rows === undefined || maySee(spec, principal, { [spec.rows.owner]: ownerId })),
  }))
}

/**
 * Transactions about the same keys follow one another: what the first has committed is there for the second to find. Locks are taken in
 * the order of their numbers, so none wait in a circle; there are 256, so that a transaction about thousands of keys does not fill
 * the lock table of the database.
 */
export async function lockKeys(
  tx: Tx,
  { tenantId }: Pick<Scope, 'tenantId'>,
  noun: NounTable,
  keys: readonly Key[],
): Promise<void> {
  if (keys.length === 0) return
  const [one] = noun.spec.names
  await sql`
    select pg_advisory_xact_lock(key)
    from (
      select distinct hashtextextended(${one}, ${tenantId}::bigint) & ~255::bigint | (hashtextextended(text, 0) & 255) as key
      from unnest(${keys.map(({ field, value }) => `${field} ${value}`)}::text[]) as t (text)
      order by key
    ) k`.execute(tx)
}

/** What a record is the same as others by, and was not before. */
export function addedKeys(noun: NounTable, before: NounRecord | undefined, after: NounRecord): Key[] {
  const known = new Set(
    before === undefined ? [] : matchKeys(noun, before).map(({ field, value }) => `${field} ${value}`),
  )
  return matchKeys(noun, after).filter(({ field, value }) => !known.has(`${field} ${value}`))
}

/**
 * Refuses a record that is the same as another by what it was not the same by before.
 * @throws Problem `duplicate_record`
 */
export async function refuseDuplicates(
  tx: Tx,
  principal: Principal,
  noun: NounTable,
  { before, after: record }: { before: NounRecord | undefined; after: NounRecord },
): Promise<void> {
  const keys = addedKeys(noun, before, record)
  if (keys.length === 0) return
  await lockKeys(tx, principal, noun, keys)
  const found = await findDuplicates(tx, principal, noun, keys, record.id)
  if (found.length > 0) throw duplicateProblem(noun, found)
}

type Change = { before: NounRecord | undefined; after: NounRecord }

/** What a change would make a record the same by; nothing where it moves it to the trash, everything where it takes it out. */
function keysBy(noun: NounTable, { before, after }: Change): Key[] {
  if (after.deleted_at !== null) return []
  return addedKeys(noun, before?.deleted_at === null ? before : undefined, after)
}

const markOf = ({ field, value }: Key) => `${field} ${value}`

/**
 * Of changes of many records those that make one the same as another, also as one of the changes before it, with why they are refused.
 * What they would be the same by is locked.
 */
export async function findRefused<C extends Change>(
  tx: Tx,
  principal: Principal,
  noun: NounTable,
  changes: readonly C[],
): Promise<Map<C, Problem>> {
  const refused = new Map<C, Problem>()
  const keyed = changes.map(change => ({ change, keys: keysBy(noun, change) }))
  const all = [...new Map(keyed.flatMap(({ keys }) => keys.map(key => [markOf(key), key] as const))).values()]
  if (all.length === 0) return refused
  await lockKeys(tx, principal, noun, all)
  const { rows } = await sql<Key & { record_id: string }>`
    select k.field, k.value, k.record_id from ${holdersOf(noun, principal, all)} k`.execute(tx)
  const holders = Map.groupBy(rows, markOf)
  const claimed = new Map<string, NounRecord>()
  for (const { change, keys } of keyed) {
    const { id } = change.after
    const isHeld = keys.some(key => holders.get(markOf(key))?.some(({ record_id }) => record_id !== id))
    const found = isHeld ? await findDuplicates(tx, principal, noun, keys, id) : []
    const same = keys.find(key => claimed.has(markOf(key)))
    if (found.length === 0 && same !== undefined) {
      const other = claimed.get(markOf(same))!
      found.push({ id: other.id, title: String(other[noun.spec.title]), matched_by: same.field, isSeen: true })
    }
    if (found.length > 0) refused.set(change, duplicateProblem(noun, found))
    else for (const key of keys) claimed.set(markOf(key), change.after)
  }
  return refused
}

/** @param found at least one */
function duplicateProblem(noun: NounTable, found: readonly Duplicate[]): Problem {
  const [one] = noun.spec.names
  const first = found[0]!
  const details = found.map(({ id, title, matched_by, isSeen }) => {
    const own = ownIdOf(idsOf(noun.spec), id)
    const whose = isSeen ? `${one} ${own} (${title})` : `a ${one} of somebody else`
    const message = `is the ${matched_by} of ${whose}`
    return { field: matched_by, code: 'duplicate', message, ...(isSeen && { record_id: id }) }
  })
  const use = first.isSeen ? 'Use that one' : 'Ask a Sales Manager or an Admin to assign it to you'
  const message =
    noun.spec.unique === true
      ? `No two ${noun.spec.names[1].replaceAll('_', ' ')} are the same, and this ${first.matched_by} ${details[0]!.message}. ${use}, or send another ${first.matched_by}.`
      : `The organization blocks duplicates, and this ${first.matched_by} ${details[0]!.message}. ${use}, or allow duplicates with X-Duplicate-Mode: warn.`
  return new Problem('duplicate_record', { message, details })
}

/** As the API lists them: those that the caller may see. */
export function shownDuplicates(spec: AnySpec, found: readonly Duplicate[]) {
  const ids = idsOf(spec)
  return found
    .filter(({ isSeen }) => isSeen)
    .map(({ isSeen: _, id, ...duplicate }) => ({ id: ownIdOf(ids, id), ...duplicate }))
}
