// Reading a long log newest first. Ids begin with their time, so times are ranges of the primary key; and a filter that
// matches little must not read a week of rows in one request: a page looks at so many rows and hands on the place it
// reached.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../kernel/data/db.ts'
import { encodeCursor, type Page } from '../../kernel/endpoint/page.ts'
import { firstIdAt } from '../../kernel/values/ids.ts'

/** Rows one page may look at: some tens of milliseconds. */
export const scanRows = 50_000

/** Ids from `from` on, and below `before`. */
export type IdRange = { from: string; before: string }

/** An id is made a moment before the time its row records. */
const slackMs = 60_000

export type Moments = { createdAfter?: string; createdBefore?: string }

/** The ids that rows between two moments (ISO dates or times) can have, behind the cursor of a list. */
export function idRange(
  prefix: string,
  { createdAfter: after, createdBefore: before }: Moments,
  behindId: string | undefined,
): IdRange {
  const upper = before === undefined ? `${prefix}_z` : firstIdAt(prefix, Date.parse(before) + slackMs)
  return {
    from: after === undefined ? `${prefix}_` : firstIdAt(prefix, Date.parse(after) - slackMs),
    before: behindId !== undefined && behindId < upper ? behindId : upper,
  }
}

/** A moment as a timestamp with milliseconds; null when there is none, for `$1 is null or at >= $1`. */
export function timestampOf(moment: string | undefined): string | null {
  return moment === undefined ? null : new Date(moment).toISOString()
}

/**
 * Makes the page of rows read within `range`, at most one more than `limit`.
 * @param reached the last id that was looked at when the rows ran out before the range did
 */
export async function newestPage<Row extends { id: string }, Item>(
  rows: Row[],
  limit: number,
  filter: unknown,
  present: (row: Row) => Item,
  reached: () => Promise<string | undefined>,
): Promise<Page<Item>> {
  const items = rows.slice(0, limit).map(present)
  const goOnBehind = rows.length > limit ? (rows[limit - 1] as Row).id : await reached()
  return { items, limit, nextCursor: goOnBehind === undefined ? null : encodeCursor([goOnBehind], filter) }
}

/** The id of the last row a bounded look at a range sees; undefined when it sees the whole range. */
export async function endOfScan(
  tx: Tx,
  scope: Scope,
  table: 'request_log' | 'events',
  range: IdRange,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)}
    where tenant_id = ${scope.tenantId} and id >= ${range.from} and id < ${range.before}
    order by id desc offset ${scanRows - 1} limit 1`.execute(tx)
  return rows[0]?.id
}
