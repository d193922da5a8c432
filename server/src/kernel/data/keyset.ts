// Paging over several keys: the condition of standing behind a row in an order, which an index can serve.
import { type RawBuilder, sql } from 'kysely'

type Sql = RawBuilder<unknown>

/** One key of an order that ends with a unique one: its expression, and the value of the row to go on behind. */
export type KeysetKey = { sql: Sql; descending: boolean; bound: Sql }

/** Rows behind the one with these values. Keys of one direction compare as a row; for mixed ones the first key bounds the scan. */
export function behindKeys(keys: readonly [KeysetKey, ...KeysetKey[]]): Sql {
  const [first] = keys
  if (keys.every(key => key.descending === first.descending)) {
    const sign = first.descending ? sql`<` : sql`>`
    return sql`(${sql.join(keys.map(key => key.sql))}) ${sign} (${sql.join(keys.map(key => key.bound))})`
  }
  let condition: Sql = sql`false`
  for (const key of keys.toReversed()) {
    condition = sql`(${key.sql} ${key.descending ? sql`<` : sql`>`} ${key.bound} or (${key.sql} = ${key.bound} and ${condition}))`
  }
  return sql`(${first.sql} ${first.descending ? sql`<=` : sql`>=`} ${first.bound} and ${condition})`
}
