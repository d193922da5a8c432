// How records are named. Most ids are texts that begin with the prefix of their noun, the same everywhere. Where ids are numbers, a record
// is its number in its own table and endpoints, and has its noun in front elsewhere, as there are other records with this number: `lead:17`.
import { sql } from 'kysely'
import { IntegerId, RecordId } from '../endpoint/schema.ts'
import type { Sql } from './field.ts'
import type { AnySpec } from './spec.ts'

/** `cmp_`; where ids are numbers, `lead:`. No other noun has it. */
export type RecordIds = { isNumbered: boolean; prefix: string }

export function idsOf({ prefix, names }: Pick<AnySpec, 'prefix' | 'names'>): RecordIds {
  return prefix === undefined
    ? { isNumbered: true, prefix: `${names[0]}:` }
    : { isNumbered: false, prefix: `${prefix}_` }
}

/** As everybody else names it, of the id that it has in its own table. */
export function recordIdOf({ isNumbered, prefix }: RecordIds, own: string | number): string {
  return isNumbered ? `${prefix}${own}` : String(own)
}

/** The id that it has in its own table and endpoints. */
export function ownIdOf({ isNumbered, prefix }: RecordIds, id: string): string | number {
  return isNumbered ? Number(id.slice(prefix.length)) : id
}

/** As it is sent to its own endpoints. */
export function idSchema(spec: AnySpec, description: string) {
  return spec.prefix === undefined ? { ...IntegerId, description } : RecordId(spec.prefix, description)
}

/** The id of a row of its table, as others name it. @param alias of the row */
export function idText({ isNumbered, prefix }: RecordIds, alias: string): Sql {
  const id = sql.ref(`${alias}.id`)
  return isNumbered ? sql`${prefix}::text || ${id}` : id
}

/** What an id that others name is in the table of its noun. */
export function rowId({ isNumbered, prefix }: RecordIds, id: Sql): Sql {
  if (!isNumbered) return id
  // Said as a case: what is of another noun is never read as a number.
  return sql`(case when starts_with(${id}, ${prefix}) then substr(${id}, ${prefix.length + 1})::bigint end)`
}

/** Ids as its table has them, to be compared with `any`. */
export function rowIds(ids: RecordIds, named: readonly (string | number)[]): Sql {
  return ids.isNumbered ? sql`${named.map(id => ownIdOf(ids, String(id)))}::bigint[]` : sql`${named}::text[]`
}
