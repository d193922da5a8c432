// SQL of the event log.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { endOfScan, type IdRange, scanRows } from '../newest_store.ts'

export type EventRow = { id: string; type: string; at: string; resource_id: string; sequence: number; data: unknown }

/** What a row must fulfil beyond its id; null asks nothing. */
export type EventFilter = {
  visibleNouns: string[] | null
  type: string | null
  noun: string | null
  resourceId: string | null
  after: string | null
  before: string | null
}

/** Batches of events of messages that one page looks at when its filter matches little. */
const scanBatches = 5_000

/**
 * Matching rows of a range, newest first, at most one more than `limit`. Of one resource all are looked at (they have
 * an index), else only the newest.
 * @returns with `reached`, the id below which to go on, when the look ended before the range did
 */
export async function listEvents(
  tx: Tx,
  scope: Scope,
  range: IdRange,
  filter: EventFilter,
  limit: number,
): Promise<{ rows: EventRow[]; reached: string | undefined }> {
  const { tenantId } = scope
  const { resourceId, noun, type, visibleNouns } = filter
  if (resourceId !== null) {
    const source = sql`select * from events_of(${tenantId}, ${resourceId}) e where e.id >= ${range.from} and e.id < ${range.before}`
    const { rows } = await sql<EventRow>`
      select ${columns} from (${source}) e where ${matches(filter)} order by id desc limit ${limit + 1}`.execute(tx)
    return { rows, reached: undefined }
  }
  const stored = await sql<EventRow>`
    select ${columns}
    from (
      select * from events e where e.tenant_id = ${tenantId} and e.id >= ${range.from} and e.id < ${range.before}
      order by e.id desc limit ${scanRows}
    ) e
    where ${matches(filter)} order by id desc limit ${limit + 1}`.execute(tx)
  const isOfMessages =
    (visibleNouns === null || visibleNouns.includes('message')) &&
    (noun === null || noun === 'message') &&
    (type === null || type.startsWith('message.'))
  const ofMessages = isOfMessages ? await messageEvents(tx, scope, range, filter, limit) : noEvents
  const ends = [
    stored.rows.length > limit ? undefined : await endOfScan(tx, scope, 'events', range),
    ofMessages.reached,
  ].filter(end => end !== undefined)
  // Where one of the two was not looked at, nothing is said of the other.
  const reached = ends.sort().at(-1)
  const rows = [...stored.rows, ...ofMessages.rows]
    .filter(row => reached === undefined || row.id >= reached)
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, limit + 1)
  return { rows, reached }
}

const noEvents: { rows: EventRow[]; reached: string | undefined } = { rows: [], reached: undefined }
const columns = sql.raw('e.id, e.type, e.at, e.resource_id, e.sequence, e.data')

function matches({ visibleNouns, type, noun, after, before }: EventFilter) {
  return sql`(${visibleNouns}::text[] is null or split_part(e.type, '.', 1) = any (${visibleNouns}::text[]))
    and (${type}::text is null or e.type = ${type}::text)
    and (${noun}::text is null or split_part(e.type, '.', 1) = ${noun}::text)
    and (${after}::timestamptz is null or e.at >= ${after}::timestamptz)
    and (${before}::timestamptz is null or e.at < ${before}::timestamptz)`
}

/** Events of messages, which are read out of the messages. */
async function messageEvents(
  tx: Tx,
  { tenantId }: Scope,
  range: IdRange,
  { type, after, before }: EventFilter,
  limit: number,
): Promise<{ rows: EventRow[]; reached: string | undefined }> {
  const letters = type === null ? sql`null` : sql`coalesce(letter_of_status(${type.slice('message.'.length)}), '')`
  const { rows } = await sql<EventRow | { id: string; type: null }>`
    select ${columns}
    from message_events_before(${tenantId}, ${range.from}, ${range.before}, ${letters}, ${after}, ${before}, ${limit + 1},
      ${scanBatches}) e`.execute(tx)
  return {
    rows: rows.filter((row): row is EventRow => row.type !== null),
    reached: rows.find(row => row.type === null)?.id,
  }
}
