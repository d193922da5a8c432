// Locks of records. They are taken in one order everywhere, so that no two transactions wait in a circle: what records are the same by
// (duplicates.ts), records that are named (named.ts), then those that name them; several of one noun by their ids. A merge begins with those
// that become one, and goes on to what names them.
import { sql } from 'kysely'
import type { Principal } from '../access/principal.ts'
import type { Scope, Tx } from '../data/db.ts'
import type { NounRecord, Sql } from './field.ts'
import { hostOf, seenThrough } from './hosts.ts'
import { idsOf, rowIds } from './record_ids.ts'
import { columnsOf, loadRecord } from './records.ts'
import { maySee, type NounTable } from './registry.ts'

/** Records that the caller sees, locked. */
export async function lockMany(
  tx: Tx,
  principal: Principal,
  noun: NounTable,
  ids: readonly string[],
): Promise<Map<string, NounRecord>> {
  const records = await lockRecords(tx, principal, noun, ids, seenThrough(noun.spec, principal))
  return new Map(records.filter(record => maySee(noun.spec, principal, record)).map(record => [record.id, record]))
}

/** Locks records in the order of their ids, so that no two requests wait in a circle. */
export async function lockRecords(
  tx: Tx,
  { tenantId }: Scope,
  { spec, table }: NounTable,
  ids: readonly string[],
  seen?: Sql,
): Promise<NounRecord[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select ${sql.join(columnsOf(spec, undefined).map(column => sql.ref(column)))} from ${sql.table(table)} r
    where tenant_id = ${tenantId} and id = any(${rowIds(idsOf(spec), ids)}) and ${seen ?? sql`true`} order by id for no key update of r`.execute(
    tx,
  )
  return rows.map(row => loadRecord(spec, row))
}

/** Holds a record of any noun that holds others, in the trash or not: it is merged or moved only after the transaction ends. */
export async function holdRecord(tx: Tx, { tenantId }: Scope, id: string): Promise<void> {
  const host = hostOf(id)
  if (host === undefined) return
  await sql`
    select from ${sql.table(host.table)} where tenant_id = ${tenantId} and id = any(${rowIds(host, [id])}) for share`.execute(
    tx,
  )
}
