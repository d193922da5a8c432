// SQL of messages that are read: one in full with its parts and history, lists with their filters, and what was written to and by one
// person; all in the tenant's transaction.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { isId, timeOfId } from '../../../kernel/values/ids.ts'
import type { MessageRow, MessageStatus, SegmentState } from './rules.ts'

const messageColumns = sql.raw(
  'tenant_id, id, direction, status, code, carrier, from_address, to_address, body, encoding, segments, attempts, ' +
    'validity_seconds, callback_url, tags, metadata, created_at, sent_at, delivered_at, final_at, service_id, send_at, ' +
    'segments_delivered, price_micros, currency, partial, redacted_at',
)

export type HistoryEntry = { status: MessageStatus; at: string; code: string | null }

/** One part on its way, by its newest attempt. */
export type SegmentEntry = {
  part: number
  attempt: number
  state: SegmentState
  carrier: string
  carrierMessageId: string | null
  code: string | null
  carrierCode: string | null
  answeredAt: string | null
  receiptAt: string | null
}

export type MessageInFull = MessageRow & { history: HistoryEntry[]; parts: SegmentEntry[] }

/** A message, its parts, and what happened to it, first to last; all as of one moment. */
export async function findMessage(tx: Tx, scope: Scope, id: string): Promise<MessageInFull | undefined> {
  const { rows } = await sql<MessageInFull>`
    select ${messageColumns}, (
      select json_agg(json_build_object('status', h.status, 'at', iso_ms(h.at), 'code', h.code) order by h.sequence)
      from (
        select v.sequence, v.status, v.at, v.code from moves_of(m) v
        union all
        select e.sequence, substr(e.type, length('message.') + 1), e.at, e.data ->> 'code'
        from events e where e.tenant_id = m.tenant_id and e.resource_id = m.id
      ) h) as history, (
      select coalesce(json_agg(json_build_object('part', s.part, 'attempt', s.attempt, 'state', s.state,
        'carrier', s.carrier, 'carrierMessageId', s.carrier_message_id, 'code', s.code, 'carrierCode', s.carrier_code,
        'answeredAt', iso_ms(s.answered_at),
        'receiptAt', iso_ms(s.receipt_at)) order by s.part), '[]')
      from parts_of(m) s) as parts
    from messages m where tenant_id = ${scope.tenantId} and id = ${id}`.execute(tx)
  return rows[0]
}

export type MessageFilter = {
  /** Ids at or above, and below. */
  fromId: string
  beforeId: string
  status: string | null
  direction: string | null
  to: string | null
  from: string | null
  /** To this one, or from this one inbound. */
  participant: string | null
  serviceId: string | null
  carrier: string | null
  tag: string | null
}

/** Rows one page looks at when no index leads to all that is filtered for: some tens of milliseconds. */
const scanRows = 50_000

/**
 * Messages newest first, at most `limit + 1`. Those of one recipient or person and inbound ones of one sender are found however old
 * they are; other filters look at the newest `scanRows` of the range, of a service, or of what was ever scheduled.
 * @param scanned how many rows to look at
 * @returns with `reached`, the id behind which to go on, when the look ended before the range did
 */
export async function listMessages(
  tx: Tx,
  scope: Scope,
  filter: MessageFilter,
  limit: number,
  scanned = scanRows,
): Promise<{ rows: MessageRow[]; reached: string | undefined }> {
  const { tenantId } = scope
  const f = filter
  const way =
    f.to !== null
      ? 'to'
      : f.participant !== null
        ? 'with'
        : f.direction === 'inbound' && f.from !== null
          ? 'from'
          : null
  if (way !== null) {
    const address = f.to ?? f.participant ?? f.from
    const { rows } = await sql<MessageRow>`
      select ${messageColumns} from messages_of(${way}, ${address}, ${f.fromId}, ${f.beforeId}, ${timeBelow(f.beforeId)},
        ${f.status}, ${f.direction}, ${f.from}, ${f.to}, ${f.serviceId}, ${f.carrier}, ${f.tag}, ${limit + 1})`.execute(
      tx,
    )
    return { rows, reached: undefined }
  }
  const indexed =
    f.serviceId !== null
      ? sql`service_id = ${f.serviceId}`
      : f.status === 'scheduled'
        ? sql`send_at is not null`
        : sql`true`
  const range = sql`tenant_id = ${tenantId} and id >= ${f.fromId} and id < ${f.beforeId} and ${indexed}`
  // In the order of the ids, which is that of the times: what is found first is enough, and nothing is sorted.
  const { rows } = await sql<MessageRow>`
    select ${messageColumns} from (select * from messages where ${range} order by id desc limit ${scanned}) as newest
    where (${f.status}::text is null or status = ${f.status}::text)
      and (${f.direction}::text is null or direction = ${f.direction}::text)
      and (${f.from}::text is null or from_address = ${f.from}::text)
      and (${f.carrier}::text is null or carrier = ${f.carrier}::text)
      and (${f.tag}::text is null or tags::jsonb ? ${f.tag}::text)
    order by id desc limit ${limit + 1}`.execute(tx)
  if (rows.length > limit) return { rows, reached: undefined }
  const end = await sql<{ id: string }>`
    select id from messages where ${range} order by id desc offset ${scanned - 1} limit 1`.execute(tx)
  return { rows, reached: end.rows[0]?.id }
}

/** No message below the id is younger than this. */
function timeBelow(id: string): string {
  return isId('msg', id) ? isoMs(timeOfId(id)) : 'infinity'
}

/**
 * Messages to a number and inbound ones from it, newest first, in the tenant of the transaction.
 * @param phone E.164
 * @param behind time and id of the message behind which to go on
 */
export async function listMessagesWith(
  tx: Tx,
  { tenantId }: Scope,
  phone: string,
  behind: readonly [at: string, id: string] | undefined,
  limit: number,
): Promise<MessageRow[]> {
  const [at, id] = behind ?? ['infinity', '']
  const { rows } = await sql<MessageRow>`
    select ${messageColumns} from messages_with(${phone}, ${at}, ${id}, ${limit})
    where tenant_id = ${tenantId} order by created_at desc, id desc`.execute(tx)
  return rows
}
