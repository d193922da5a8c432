// The one writer of records: rows, what they are the same by, their history and their events, in the transaction of the request.
import { sql } from 'kysely'
import type { Scope, Tx } from '../data/db.ts'
import { emit, type NewEvent } from '../data/events.ts'
import { isoMs } from '../values/clock.ts'
import type { EventType } from '../values/noun.ts'
import type { NounRecord } from './field.ts'
import { idsOf, ownIdOf } from './record_ids.ts'
import { columnsOf, fieldsOf, isSame, showRecord, storeRecord } from './records.ts'
import type { NounTable } from './registry.ts'
import type { Said } from './spec.ts'

/** One record as it was, and as it is now; types of events, the first of them beside what changed. */
export type Write = {
  before: NounRecord | undefined
  after: NounRecord
  events: readonly Said[]
  /** Others that it took in, as its history names them. */
  merged?: readonly { id: string; title: string }[]
}

/** Where a change comes from: several of one request, an import or a merge are one batch. */
export type Origin = {
  source: 'request' | 'bulk' | 'merge' | 'import' | 'revert' | 'purge' | 'inbound' | 'hand_over'
  batchId: string | null
  nowMs: number
}

/** Who changes records; nobody where the server does it by itself. */
export type Author = Scope & { readonly userId: number | null; readonly keyId: string | null }

/** Creates records, or changes locked ones: `after` of these counts their version up. All at once, in a few statements. */
export async function writeRecords(
  tx: Tx,
  author: Author,
  noun: NounTable,
  writes: readonly Write[],
  origin: Origin,
): Promise<void> {
  if (writes.length === 0) return
  const created = writes.filter(write => write.before === undefined)
  const changed = writes.filter(write => write.before !== undefined)
  // They leave together.
  await Promise.all([
    created.length > 0 && insertRows(tx, noun, created),
    changed.length > 0 && updateRows(tx, noun, changed),
    writeKeys(tx, noun, writes),
    insertChanges(tx, author, noun, writes, origin),
    emit(tx, author, ...eventsOf(noun, writes)),
  ])
}

const rowsOf = ({ spec }: NounTable, writes: readonly Write[]) =>
  JSON.stringify(writes.map(({ after }) => storeRecord(spec, after)))

async function insertRows(tx: Tx, noun: NounTable, writes: readonly Write[]): Promise<void> {
  const columns = sql.join(columnsOf(noun.spec, undefined).map(column => sql.ref(column)))
  const table = sql.table(noun.table)
  await sql`
    insert into ${table} (${columns}, find)
    select ${columns}, noun_search_text(find) from json_populate_recordset(null::${table}, ${rowsOf(noun, writes)}::json)`.execute(
    tx,
  )
}

async function updateRows(tx: Tx, noun: NounTable, writes: readonly Write[]): Promise<void> {
  const columns = columnsOf(noun.spec, undefined).filter(
    column => column !== 'tenant_id' && column !== 'id' && column !== 'created_at',
  )
  const table = sql.table(noun.table)
  const set = sql.join(columns.map(column => sql.ref(column)))
  const values = sql.join(columns.map(column => sql.ref(`n.${column}`)))
  await sql`
    update ${table} r set (${set}, find) = (${values}, noun_search_text(n.find))
    from json_populate_recordset(null::${table}, ${rowsOf(noun, writes)}::json) n
    where r.tenant_id = n.tenant_id and r.id = n.id`.execute(tx)
}

type Key = { field: string; value: string; record_id: string }

/** What a record is the same as others by. In the trash it is the same as nobody, and names still what it named. */
export function keysOf({ spec }: NounTable, record: NounRecord | undefined): Key[] {
  if (spec.keyFinder !== undefined || record === undefined) return []
  return fieldsOf(spec).flatMap(([name, field]) => {
    const value = record[name]
    if (field.parts.identity === undefined || !isKept(spec.match, name, field.kind) || value === null) return []
    if (record.deleted_at !== null && field.kind !== 'refs') return []
    return [...new Set(field.parts.identity(value))].map(same => ({ field: name, value: same, record_id: record.id }))
  })
}

/** Lists are looked up by their entries, whether or not anybody is the same by them. */
function isKept(match: readonly string[] | undefined, name: string, kind: string): boolean {
  return match?.includes(name) === true || kind === 'emails' || kind === 'phones' || kind === 'refs'
}

async function writeKeys(tx: Tx, noun: NounTable, writes: readonly Write[]): Promise<void> {
  const moved = writes.filter(({ before, after }) => !isSame(keysOf(noun, before), keysOf(noun, after)))
  const old = moved.filter(({ before }) => before !== undefined).map(({ after }) => after)
  const added = moved.flatMap(({ after }) => keysOf(noun, after))
  const name = noun.spec.names[0]
  const [first] = moved
  if (first === undefined) return
  const tenantId = first.after.tenant_id
  await Promise.all([
    old.length > 0 &&
      sql`delete from record_keys where tenant_id = ${tenantId} and record_id = any(${old.map(({ id }) => id)})`.execute(
        tx,
      ),
    added.length > 0 &&
      sql`
        insert into record_keys (tenant_id, noun, field, value, record_id)
        select ${tenantId}, ${name}, k.field, k.value, k.record_id
        from unnest(${added.map(key => key.field)}::text[], ${added.map(key => key.value)}::text[],
          ${added.map(key => key.record_id)}::text[]) as k (field, value, record_id)`.execute(tx),
  ])
}

/** Of a long text the history keeps how long it was, and not the text. */
const longestKept = 500

type Difference = Record<string, [from: unknown, to: unknown]>

/** What changed, field by field; of a new record nothing, as its history begins with it. What is one of a batch can be taken back. */
export function differenceOf({ spec }: NounTable, { before, after, merged }: Write, isOfBatch: boolean): Difference {
  if (before === undefined) return {}
  const difference: Difference = {}
  for (const [name] of fieldsOf(spec))
    if (!isSame(before[name], after[name]))
      difference[name] = [isOfBatch ? (before[name] ?? null) : kept(before[name]), kept(after[name])]
  for (const name of ['deleted_at', 'merged_into'])
    if (before[name] !== after[name]) difference[name] = [before[name], after[name]]
  if (merged !== undefined) difference['merged'] = [null, merged]
  return difference
}

function kept(value: unknown): unknown {
  return typeof value === 'string' && value.length > longestKept ? { length: value.length } : (value ?? null)
}

async function insertChanges(
  tx: Tx,
  author: Author,
  noun: NounTable,
  writes: readonly Write[],
  { source, batchId, nowMs }: Origin,
): Promise<void> {
  const differences = writes.map(write => differenceOf(noun, write, batchId !== null))
  await sql`
    insert into changes (tenant_id, record_id, version, noun, at, user_id, key_id, source, batch_id, difference)
    select ${author.tenantId}, c.id, c.version, ${noun.spec.names[0]}, ${isoMs(nowMs)}::timestamptz, ${author.userId}::bigint,
      ${author.keyId}, ${source}, ${batchId}, c.difference::json
    from unnest(${writes.map(({ after }) => after.id)}::text[], ${writes.map(({ after }) => after.version)}::integer[],
      ${differences.map(difference => JSON.stringify(difference))}::text[]) as c (id, version, difference)`.execute(tx)
}

function eventsOf({ spec }: NounTable, writes: readonly Write[]): NewEvent[] {
  return writes.flatMap(({ before, after, events }) => {
    const data = showRecord(spec, after)
    return events.map((said, at): NewEvent => {
      const { type, more } = typeof said === 'string' ? { type: said, more: undefined } : said
      const resourceId = ownIdOf(idsOf(spec), after.id)
      const event = { type: `${spec.names[0]}.${type}` as EventType, resourceId, data: { ...data, ...more } }
      // Of a new record the first is known without a look at the log.
      return before === undefined ? { ...event, sequence: at + 1 } : event
    })
  })
}
