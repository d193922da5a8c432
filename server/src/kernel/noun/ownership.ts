// What users own, whatever it is: records of nouns by the fields that name whose they are, and what else says so. When somebody leaves, all
// of it goes to another person, some hundred at a time.
import { sql } from 'kysely'
import type { Scope, Tx } from '../data/db.ts'
import { isoMs } from '../values/clock.ts'
import type { NounRecord, Sql } from './field.ts'
import { ownerKey } from './field_parts.ts'
import { lockRecords } from './locks.ts'
import { idsOf, idText } from './record_ids.ts'
import { fieldsOf } from './records.ts'
import { allTables, type NounTable } from './registry.ts'
import { type Author, writeRecords } from './write.ts'

/** From whom to whom. */
export type Giving = { from: number; to: number; nowMs: number }

/** One kind of what belongs to users. */
export type Owned = {
  /** As the API calls them: `leads`, `saved_views`. */
  name: string
  count(tx: Tx, scope: Scope, userId: number): Promise<number>
  /**
   * Gives at most `limit` to the other.
   * @returns how many were given, and whether there may be more
   */
  give(tx: Tx, author: Author, giving: Giving, limit: number): Promise<{ given: number; more: boolean }>
}

const others: Owned[] = []

/** Adds a kind that is no noun of `noun()`. */
export function addOwned(owned: Owned): void {
  others.push(owned)
}

/** Every kind, in the order in which they are handed over. Asked for once all nouns are known. */
export function allOwned(): readonly Owned[] {
  const nouns = allTables().flatMap(noun => {
    const fields = ownerFields(noun)
    return fields.length === 0 ? [] : [ownedNoun(noun, fields)]
  })
  return [...nouns, ...others]
}

/** Fields that name a user whom people choose. What rules set says who did something, and stays true. */
function ownerFields({ spec }: NounTable): string[] {
  return fieldsOf(spec).flatMap(([name, field]) => (field.kind === 'user' && field.setBy !== 'rules' ? [name] : []))
}

function ownedNoun(noun: NounTable, fields: readonly string[]): Owned {
  const table = sql.table(noun.table)
  const owned = (userId: number) =>
    sql.join(
      fields.map(field => sql`${ownerKey(field)} = ${userId}`),
      sql` or `,
    )
  // What is in the trash has another index, so it is asked for by itself.
  const within = ({ tenantId }: Scope, userId: number, isInTrash: boolean): Sql =>
    sql`r.tenant_id = ${tenantId} and r.deleted_at is ${isInTrash ? sql`not null` : sql`null`} and (${owned(userId)})`
  return {
    name: noun.spec.names[1],
    async count(tx, scope, userId) {
      const { rows } = await sql<{ count: number }>`
        select (select count(*) from ${table} r where ${within(scope, userId, false)})
          + (select count(*) from ${table} r where ${within(scope, userId, true)}) as count`.execute(tx)
      return Number(rows[0]?.count ?? 0)
    },
    async give(tx, author, { from, to, nowMs }, limit) {
      const find = async (isInTrash: boolean) => {
        const { rows } = await sql<{ id: string }>`
          select ${idText(idsOf(noun.spec), 'r')} as id from ${table} r where ${within(author, from, isInTrash)}
          order by r.created_at, r.id limit ${limit}`.execute(tx)
        return rows.map(row => row.id)
      }
      const standing = await find(false)
      const ids = standing.length > 0 ? standing : await find(true)
      // Locked in the order of ids, as everywhere; somebody may have given one to another meanwhile.
      const records = ids.length === 0 ? [] : await lockRecords(tx, author, noun, ids)
      const writes = records
        .filter(record => fields.some(field => record[field] === from))
        .map(record => ({ before: record, after: givenTo(record, fields, { from, to, nowMs }), events: ['updated'] }))
      await writeRecords(tx, author, noun, writes, { source: 'hand_over', batchId: null, nowMs })
      return { given: writes.length, more: ids.length > 0 }
    },
  }
}

function givenTo(record: NounRecord, fields: readonly string[], { from, to, nowMs }: Giving): NounRecord {
  const changed = fields.filter(field => record[field] === from).map(field => [field, to])
  return {
    ...record,
    ...Object.fromEntries(changed),
    version: record.version + 1,
    updated_at: isoMs(nowMs),
  } as NounRecord
}
